"""Diagnostics: their rules, places and output formats. Every stage depends on this package."""

from brimgen.diagnostics.diagnostic import Diagnostic, Diagnostics, Note, did_you_mean
from brimgen.diagnostics.rule import Rule, Severity
from brimgen.diagnostics.span import Span, TextBlock

__all__ = [
    "Diagnostic",
    "Diagnostics",
    "Note",
    "Rule",
    "Severity",
    "Span",
    "TextBlock",
    "did_you_mean",
]
