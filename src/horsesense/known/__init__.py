"""Published datasets that we know by the hashes of their files."""
