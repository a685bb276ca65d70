"""Measures of datasets and outcomes; shares in [0, 1]."""
