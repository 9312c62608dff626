"""Rule: one sentence that brimgen can say about a mistake, and the code of its kind."""

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
    """One reason for a diagnostic.

    ``code`` (``S203``) and ``slug`` (``unknown-key``) name the kind of mistake, ``reason`` says
    which of that kind it is. ``message`` is a sentence with ``{named}`` places that
    `Diagnostics.add` fills; ``help`` says what to do. A rule is ``waivable`` if a spec may break
    it on purpose, and says why under ``x-lint-ignore``; ``is_off`` if it applies only where the
    settings select it.
    """

    code: str
    slug: str
    severity: Severity
    message: str
    help: str
    reason: str
    waivable: bool = False
    is_off: bool = False
