"""What we say when a spec is wrong, and where: the ground that every stage stands on."""

from brimgen.diagnostics.diagnostic import Diagnostic, Diagnostics, Note, did_you_mean
from brimgen.diagnostics.rule import Rule, Severity, error, warning
from brimgen.diagnostics.span import Span, span_of
from brimgen.diagnostics.text import TextBlock

__all__ = [
    "Diagnostic",
    "Diagnostics",
    "Note",
    "Rule",
    "Severity",
    "Span",
    "TextBlock",
    "did_you_mean",
    "error",
    "span_of",
    "warning",
]
