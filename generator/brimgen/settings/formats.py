"""The names of the formats in which diagnostics are written, and of when in colour; nothing is
imported for them.
"""

from __future__ import annotations

FORMATS = ("full", "concise", "json", "github", "gitlab", "sarif", "junit")
COLOURS = ("auto", "always", "never")
FOR_PEOPLE = ("full", "concise")
FROM_THE_REPOSITORY = ("github", "gitlab", "sarif")
"""Formats that services read, to which a path is one below the root of the repository."""
