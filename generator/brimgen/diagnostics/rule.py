"""Rule: one row of the catalogue of diagnostics."""

from __future__ import annotations

from enum import StrEnum

from brimgen.frozen import dataclass


class Severity(StrEnum):
    """How much a diagnostic weighs: only an error stops the build."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the catalogue.

    ``code`` is for machines (``S203``), ``slug`` for people (``unknown-key``). ``message`` is a
    sentence with ``{named}`` places that `Diagnostics.add` fills; ``help`` says what to do, and
    ``wrong`` and ``right`` are a spec before and after. A rule is ``waivable`` if a spec may break
    it on purpose, and says why under ``x-lint-ignore``.
    """

    code: str
    slug: str
    severity: Severity
    message: str
    help: str
    wrong: str = ""
    right: str = ""
    waivable: bool = False


def error(
    code: str,
    slug: str,
    message: str,
    help: str,
    *,
    wrong: str = "",
    right: str = "",
    waivable: bool = False,
) -> Rule:
    """A rule whose breach stops the build."""
    return Rule(code, slug, Severity.ERROR, message, help, wrong, right, waivable)


def warning(
    code: str, slug: str, message: str, help: str, *, wrong: str = "", right: str = ""
) -> Rule:
    """Make a rule that is reported without stopping the build."""
    return Rule(code, slug, Severity.WARNING, message, help, wrong, right, True)


def note(
    code: str, slug: str, message: str, help: str, *, wrong: str = "", right: str = ""
) -> Rule:
    """Make a rule that only `brimgen lint` reports, unless the settings make it a warning."""
    return Rule(code, slug, Severity.INFO, message, help, wrong, right)
