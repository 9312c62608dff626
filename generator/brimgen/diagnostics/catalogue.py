"""The catalogue of all rules, which finds a rule by its code or slug."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import walk_packages
from types import MappingProxyType

from brimgen.diagnostics import rules
from brimgen.diagnostics.diagnostic import did_you_mean
from brimgen.diagnostics.explanation import example_text, sentence
from brimgen.diagnostics.rule import Rule

_STAGES = ("S", "R", "T", "SQL", "L", "O", "I")


def _reading_order(rule: Rule) -> tuple[int, str]:
    """Stages in the order in which they run, then codes."""
    return _STAGES.index(rule.code.rstrip("0123456789")), rule.code


RULES: tuple[Rule, ...] = tuple(
    sorted(
        {
            rule
            for module in walk_packages(rules.__path__, f"{rules.__name__}.")
            for rule in getattr(import_module(module.name), "RULES", ())
        },
        key=_reading_order,
    )
)

_BY_NAME: Mapping[str, Rule] = MappingProxyType(
    {name.casefold(): rule for rule in RULES for name in (rule.code, rule.slug)}
)


class UnknownRule(LookupError):
    """There is no rule of this name; ``suggestions`` are names that were probably meant."""

    def __init__(self, name: str) -> None:
        self.suggestions = did_you_mean(
            name,
            (known_name for rule in RULES for known_name in (rule.code, rule.slug)),
        )
        super().__init__(f"there is no diagnostic `{name}`")


def rule_named(name: str) -> Rule:
    """The rule with the code or slug ``name``, in any case. Raises `UnknownRule`."""
    rule = _BY_NAME.get(name.casefold())
    if rule is None:
        raise UnknownRule(name)
    return rule


def explain(name: str) -> str:
    """The message, the advice and an example of a rule, as plain text. Raises `UnknownRule`."""
    rule = rule_named(name)
    parts = [f"{rule.code} {rule.slug} ({rule.severity})", sentence(rule.message)]
    return "\n\n".join([*parts, example_text(rule)]) + "\n"
