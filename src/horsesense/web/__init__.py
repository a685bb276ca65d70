"""HTTP applications: models for other programs."""
