"""Artifacts in, files on disk or the difference told."""
