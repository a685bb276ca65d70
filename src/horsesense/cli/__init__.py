"""The command line: one file for each group of commands, the only home of click and rich."""
