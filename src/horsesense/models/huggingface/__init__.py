"""Models in the formats of Hugging Face; the only home of torch."""
