"""Proposals: English sentences changed by rule, for people to accept or reject."""
