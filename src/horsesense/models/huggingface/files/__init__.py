"""Where models come from, and what can be learnt about one from its files."""
