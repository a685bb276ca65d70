"""The transformations, each with what it declares, one subject a file."""
