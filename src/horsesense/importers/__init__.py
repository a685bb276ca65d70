"""Other people's files: one module for each format."""
