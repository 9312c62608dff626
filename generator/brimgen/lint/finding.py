"""A finding: a rule that a subject breaks, before it is known whether it is reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brimgen.diagnostics import Note, Rule, Span
from brimgen.frozen import dataclass, field
from brimgen.model.lint import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """``values`` fill the message of ``rule``."""

    rule: Rule
    span: Span
    subject: Subject
    values: Mapping[str, Any]
    notes: tuple[Note, ...] = field(default=())
