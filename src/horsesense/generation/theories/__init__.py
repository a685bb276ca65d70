"""Theories: what follows from what, each in its own field. They know no frames and draw nothing."""
