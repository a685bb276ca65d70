"""Datasets: built-in ones, published files of many formats, and exports for other programs."""
