"""Resolve declarations into one sound catalog."""
