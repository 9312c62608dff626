"""Codecs: one row per scalar for each language that generated code reads and writes values in."""
