"""S2xx: wrong shapes of documents, found before anything is looked up."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule
from brimgen.diagnostics.rules.syntax import arguments, bodies, documents, schemas

RULES: tuple[Rule, ...] = (
    *documents.RULES,
    *arguments.RULES,
    *schemas.RULES,
    *bodies.RULES,
)
