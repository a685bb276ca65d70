"""Datasets written for other programs: one module for each format."""
