"""One module for each format of a published dataset, and its parts beside it."""
