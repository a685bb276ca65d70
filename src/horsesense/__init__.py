"""horsesense tells common sense from its imitation in language models."""
