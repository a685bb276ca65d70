"""The formats of published datasets, one module per dataset or family of files."""
