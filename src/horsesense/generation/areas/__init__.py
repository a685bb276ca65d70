"""Areas: a module for each field of common sense, with its frames and its rules."""
