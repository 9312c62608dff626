"""Options of lint: which rules apply, their severities, and their limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from brimgen.diagnostics import Rule, Severity
from brimgen.diagnostics.catalogue import RULES as ALL_RULES
from brimgen.frozen import dataclass, field, fields

ALL = "ALL"
RULES = tuple(rule for rule in ALL_RULES if rule.code.startswith("L"))
"""The rules of lint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What counts as too many or too long; characters are code points, tokens an estimate."""

    arguments: int = 15
    tools: int = 40
    tokens: int = 2000
    argument_description: int = 500

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of the limits."""
        return tuple(limit.name for limit in fields(cls))


def _default_severities() -> Mapping[str, Severity]:
    return MappingProxyType(
        {rule.code: rule.severity for rule in RULES if not rule.is_off}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LintOptions:
    """The rules that apply, and their limits.

    ``severities`` has the code of every rule that applies. ``imported``: the words of
    imported specs are judged, too.
    """

    severities: Mapping[str, Severity] = field(default_factory=_default_severities)
    limits: Limits = Limits()
    imported: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """What checks are asked for: the limits, and the codes of the rules that matter.

    Checks may skip a rule that would not be reported.
    """

    limits: Limits
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
