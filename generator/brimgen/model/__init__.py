"""Targets' ground: what the specs mean."""
