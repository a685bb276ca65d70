"""Edited datasets made of the user's own files: lists of edits, and no sentences."""
