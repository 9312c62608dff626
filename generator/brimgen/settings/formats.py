"""The names of diagnostic formats and colour modes; this module imports nothing."""

from __future__ import annotations

FORMATS = ("full", "concise", "json", "github", "sarif", "junit")
COLOURS = ("auto", "always", "never")
FOR_PEOPLE = ("full", "concise")
FROM_THE_REPOSITORY = ("github", "sarif")
"""Formats that services read, to which a path is one below the root of the repository."""
