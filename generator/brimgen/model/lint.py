"""Waivers: which findings the author of a spec accepts, and why."""

from __future__ import annotations

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass

LINT_IGNORE = "x-lint-ignore"
"""The key, at a tool, an entity or a field. It is not published."""
IMPORTED_FROM = "x-imported-from"
"""The key of a spec that `brimgen import` wrote: the file that it was made of."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a finding: a tool or an entity, or the field at ``path`` (dotted) in it."""

    owner: str
    is_tool: bool
    path: str = ""

    def holds(self, other: Subject) -> bool:
        """Whether ``other`` is this, or a part of it."""
        return (self.owner, self.is_tool) == (other.owner, other.is_tool) and (
            not self.path or f"{other.path}.".startswith(f"{self.path}.")
        )


@dataclass(frozen=True, slots=True)
class Waiver:
    """One entry of ``x-lint-ignore``: the rule (code or slug) that is not to be reported of
    ``subject``, and the reason. ``places`` are where the subject stands in the specs.
    """

    subject: Subject
    rule: str
    reason: str
    span: Span
    places: tuple[Span, ...] = ()
