"""Options of lint: which rules apply, and their severities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from brimgen.diagnostics import Rule, Severity
from brimgen.diagnostics.catalogue import RULES as ALL_RULES
from brimgen.frozen import dataclass, field

ALL = "ALL"
RULES = tuple(rule for rule in ALL_RULES if rule.code.startswith("L"))
"""The rules of lint."""


def _default_severities() -> Mapping[str, Severity]:
    return MappingProxyType(
        {rule.code: rule.severity for rule in RULES if not rule.is_off}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LintOptions:
    """The codes of the rules that apply, with their severities."""

    severities: Mapping[str, Severity] = field(default_factory=_default_severities)


@dataclass(frozen=True, slots=True)
class Scope:
    """The codes of the rules that matter: checks may skip a rule that would not be reported."""

    codes: frozenset[str]

    def asks(self, rule: Rule) -> bool:
        """Whether ``rule`` matters."""
        return rule.code in self.codes


def rules_named(name: str) -> tuple[Rule, ...]:
    """The rules that a word of the configuration means: a code, a slug, a reason, or ``ALL``."""
    if name == ALL:
        return RULES
    folded = name.casefold()
    return tuple(
        rule
        for rule in RULES
        if folded in (rule.code.casefold(), rule.slug, rule.reason)
    )


def select_severities(
    select: Iterable[Rule] | None,
    ignore: Iterable[Rule],
    severities: Mapping[str, Severity],
) -> Mapping[str, Severity]:
    """The codes that apply, with their severities.

    ``select`` None means the usual ones; a rule that is given a severity is selected by that.
    """
    codes = {rule.code for rule in select or ()} | severities.keys()
    if select is None:
        codes |= _default_severities().keys()
    codes -= {rule.code for rule in ignore}
    return MappingProxyType(
        {
            rule.code: severities.get(rule.code, rule.severity)
            for rule in RULES
            if rule.code in codes
        }
    )
