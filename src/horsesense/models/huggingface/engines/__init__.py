"""How models are asked quickly: an engine for each family, and what they are built of."""
