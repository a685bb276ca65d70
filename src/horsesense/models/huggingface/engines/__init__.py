"""Engines, which make models fast: one for each family, and what they are built of."""
