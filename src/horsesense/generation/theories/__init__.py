"""Theories: proofs, one field each. They do not know frames and draw nothing."""
