"""Requests: they are made, sent, retried, and their answers are read."""
