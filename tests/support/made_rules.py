"""Rules that only tests have."""

from __future__ import annotations

from brimgen.diagnostics import Rule, Severity


def made_rule(
    name: str, message: str, help: str, severity: Severity = Severity.ERROR
) -> Rule:
    """A rule with the code and slug ``name``, such as ``X001 wrong``."""
    code, slug = name.split()
    return Rule(code, slug, severity, message, help, slug)
