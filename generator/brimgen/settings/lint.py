"""Read the settings of lint into LintOptions.

::

    [tool.brimgen.lint]
    select = ["ALL"]                    # codes or names; without it, the usual rules
    ignore = ["argument-untyped"]
    severity = { L602 = "warning" }     # error, warning or info; selects the rule, too
    limits = { arguments = 8 }          # arguments, tools, tokens, argument_description
    imported = true                     # judge specs that `brimgen import` wrote, too
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics import Rule, Severity
from brimgen.lint.options import (
    ALL,
    RULES,
    Limits,
    LintOptions,
    rules_named,
    select_severities,
)
from brimgen.settings.values import SettingReader, positive_count, take_flag
from brimgen.source.nodes import MapNode, Node, ScalarNode

_NAMES = "a list of lint rules by code or name, such as `L602`"


def take_lint(reader: SettingReader) -> LintOptions:
    """Read ``lint``."""
    inner = reader.mapping("lint")
    select = _rules(inner, "select", f"{_NAMES} or `{ALL}`")
    ignore = _rules(inner, "ignore", _NAMES) or ()
    severities = _severities(inner)
    limits = _limits(inner)
    imported = take_flag(inner, "imported", False)
    inner.report_unknown()
    return LintOptions(
        severities=select_severities(select, ignore, severities),
        limits=limits,
        imported=imported,
    )


def _rules(reader: SettingReader, name: str, expected: str) -> tuple[Rule, ...] | None:
    rule_names = {
        word for rule in RULES for word in (rule.code, rule.slug, rule.reason)
    }
    listed = reader.take_list(name, _named, expected, known=[*rule_names, ALL])
    return None if listed is None else tuple(rule for rules in listed for rule in rules)


def _named(node: Node) -> tuple[Rule, ...] | None:
    return (rules_named(node.text) or None) if isinstance(node, ScalarNode) else None


def _severities(reader: SettingReader) -> Mapping[str, Severity]:
    entry = reader.entry("severity")
    if entry is None:
        return {}
    if not isinstance(entry.value, MapNode):
        reader.report_wrong(
            "severity", "a mapping of lint rules to severities", entry.value
        )
        return {}
    inner = SettingReader(entry.value, reader.diagnostics, prefix="lint.severity.")
    severities: dict[str, Severity] = {}
    codes = {
        name: rule.code
        for rule in RULES
        for name in (rule.code, rule.slug, rule.reason)
    }
    for name, code in codes.items():
        severity = inner.take(
            name.replace("-", "_"),
            _severity,
            "`error`, `warning` or `info`",
            None,
            known=[level.value for level in Severity],
        )
        if severity is not None:
            severities[code] = severity
    inner.report_unknown()
    return severities


def _severity(node: Node) -> Severity | None:
    text = node.text if isinstance(node, ScalarNode) else ""
    return Severity(text) if text in list(Severity) else None


def _limits(reader: SettingReader) -> Limits:
    entry = reader.entry("limits")
    if entry is None:
        return Limits()
    if not isinstance(entry.value, MapNode):
        reader.report_wrong("limits", "a mapping of limits to numbers", entry.value)
        return Limits()
    inner = SettingReader(entry.value, reader.diagnostics, prefix="lint.limits.")
    usual = Limits()
    limits = {
        name: inner.take(
            name, positive_count, "a whole number of at least 1", getattr(usual, name)
        )
        for name in Limits.names()
    }
    inner.report_unknown()
    return Limits(**limits)
