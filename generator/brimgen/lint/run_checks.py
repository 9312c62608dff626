"""Run all checks, and report their findings except for waived ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from brimgen.diagnostics import (
    Diagnostic,
    Diagnostics,
    Rule,
    Severity,
    Span,
    did_you_mean,
    rules,
)
from brimgen.diagnostics.catalogue import UnknownKind, kind_named
from brimgen.frozen import replace
from brimgen.lint.arguments import Argument, arguments
from brimgen.lint.descriptions import check_argument_texts, check_tool_texts
from brimgen.lint.finding import Finding
from brimgen.lint.names import check_argument_names, check_tool_names
from brimgen.lint.options import RULES, LintOptions, Scope
from brimgen.lint.side_effects import check_effects
from brimgen.lint.sizes import check_sizes, check_types
from brimgen.lint.statements import check_limits
from brimgen.model.catalog import Catalog
from brimgen.model.lint import Waiver

Check = Callable[[Catalog, Sequence[Argument], Scope], Iterator[Finding]]
CHECKS: tuple[Check, ...] = (
    check_tool_texts,
    check_argument_texts,
    check_effects,
    check_limits,
    check_tool_names,
    check_argument_names,
    check_sizes,
    check_types,
)
_OF_WAIVERS = rules.LINT_IGNORE_UNKNOWN.code
_CODES = frozenset(rule.code for rule in RULES)


def lint(
    catalog: Catalog, options: LintOptions, diagnostics: Diagnostics, *, notes: bool
) -> None:
    """Report what breaks the rules that apply; of severity ``info`` only where ``notes`` asks."""
    reached = arguments(catalog)
    waivers = _Waivers(catalog.waivers)
    reported_codes = (
        code
        for code, severity in options.severities.items()
        if notes or severity is not Severity.INFO
    )
    scope = Scope(waivers.codes.union(reported_codes))
    findings = [
        finding for check in CHECKS for finding in check(catalog, reached, scope)
    ]
    judged = [
        finding for finding in findings if finding.span.file not in catalog.imported
    ]
    for finding in _without_duplicates(judged, diagnostics):
        severity = options.severities.get(finding.rule.code)
        waived = waivers.cover(finding)
        if severity is None or waived or (severity is Severity.INFO and not notes):
            continue
        diagnostics.add(
            with_severity(finding.rule, severity),
            finding.span,
            notes=finding.notes,
            **finding.values,
        )
    waivers.withdraw(diagnostics)
    subjects = {(tool.name, True) for tool in catalog.tools}
    subjects |= {(name, False) for name in (*catalog.entities, *catalog.enums)}
    waivers.report(options, subjects, diagnostics)


def _without_duplicates(
    findings: Sequence[Finding], diagnostics: Diagnostics
) -> Iterator[Finding]:
    """Drop findings that repeat another one: a vague name without a description is not also a
    missing description, and names that cannot stand side by side are not also too similar. A result
    that an error is about has no type, which nobody need be told twice.
    """
    vague = {
        finding.span
        for finding in findings
        if finding.rule is rules.ARGUMENT_NAME_VAGUE
    }
    error_pairs = _error_pairs(diagnostics)
    for finding in findings:
        doubled = (
            finding.rule is rules.ARGUMENT_WITHOUT_DESCRIPTION and finding.span in vague
        ) or (finding.rule is rules.RESULT_UNTYPED and diagnostics.has_errors)
        if not doubled and error_pairs.isdisjoint(_note_pairs(finding)):
            yield finding


def _error_pairs(diagnostics: Diagnostics) -> frozenset[frozenset[Span]]:
    """Return the pairs of places that errors refer to."""
    if not diagnostics.has_errors:
        return frozenset()
    errors = (
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.rule.severity is Severity.ERROR
    )
    return frozenset(pair for error in errors for pair in _note_pairs(error))


def _note_pairs(finding: Finding | Diagnostic) -> Iterator[frozenset[Span]]:
    return (frozenset((finding.span, note.span)) for note in finding.notes)


def with_severity(rule: Rule, severity: Severity) -> Rule:
    """Return ``rule`` with the severity that the configuration gives it."""
    return rule if rule.severity is severity else replace(rule, severity=severity)


class _Waivers:
    """The waivers of the specs, and which of them had anything to cover."""

    def __init__(self, waivers: Sequence[Waiver]) -> None:
        self._rules = {waiver: _rule_of(waiver) for waiver in waivers}
        self._by_code: dict[str, list[Waiver]] = {}
        for waiver, rule in self._rules.items():
            if rule is not None:
                self._by_code.setdefault(rule.code, []).append(waiver)
        self._used: set[Waiver] = set()

    @property
    def codes(self) -> frozenset[str]:
        """The codes of the rules that are waived anywhere."""
        return frozenset(self._by_code)

    def cover(self, finding: Finding) -> bool:
        """Return whether a waiver applies to this finding, and mark it as used."""
        covering = [
            waiver
            for waiver in self._by_code.get(finding.rule.code, ())
            if waiver.subject.holds(finding.subject)
        ]
        self._used.update(covering)
        return bool(covering)

    def withdraw(self, diagnostics: Diagnostics) -> None:
        """Withdraw diagnostics of other stages that a waiver with a reason covers."""
        other_codes = self._by_code.keys() - _CODES
        for diagnostic in diagnostics if other_codes else ():
            covering = [
                waiver
                for waiver in self._by_code.get(diagnostic.rule.code, ())
                if waiver.reason and _concerns(waiver, diagnostic)
            ]
            self._used.update(covering)
            if covering:
                diagnostics.withdraw(diagnostic)

    def report(
        self,
        options: LintOptions,
        subjects: set[tuple[str, bool]],
        diagnostics: Diagnostics,
    ) -> None:
        """Report waivers that lack a reason, cover nothing, or name no rule.

        A waiver of a subject that is not in the catalog, because it has errors, is not judged.
        """
        for waiver, rule in self._rules.items():
            name = waiver.rule or "every rule"
            if (waiver.subject.owner, waiver.subject.is_tool) not in subjects:
                continue
            if rule is None and (waiver.rule or waiver.reason):
                near = did_you_mean(waiver.rule, _CODES)
                near += did_you_mean(waiver.rule, {rule.slug for rule in RULES})
                broken, suggestions = rules.LINT_IGNORE_UNKNOWN, near
            elif not waiver.reason:
                broken, suggestions = rules.LINT_IGNORE_WITHOUT_REASON, ()
            elif self._is_idle(waiver, rule, options):
                broken, suggestions = rules.LINT_IGNORE_UNUSED, ()
            else:
                continue
            severity = options.severities.get(broken.code)
            if severity is not None:
                diagnostics.add(
                    with_severity(broken, severity),
                    waiver.span,
                    suggestions=suggestions,
                    rule=name,
                )

    def _is_idle(self, waiver: Waiver, rule: Rule | None, options: LintOptions) -> bool:
        """Return whether a waiver covers nothing; rules that compare two builds cannot be judged in
        one.
        """
        if rule is None or rule is rules.BREAKING_CHANGE:
            return False
        applies = rule.code in options.severities or rule.code not in _CODES
        return waiver not in self._used and applies


def _concerns(waiver: Waiver, diagnostic: Diagnostic) -> bool:
    """Whether a diagnostic points at the subject of a waiver, itself or by a note."""
    spans = (diagnostic.span, *(note.span for note in diagnostic.notes))
    return any(place.holds(span) for place in waiver.places for span in spans)


def _rule_of(waiver: Waiver) -> Rule | None:
    """The rule that a waiver names; None where there is none that can be waived."""
    try:
        [rule, *_] = kind_named(waiver.rule).rules
    except UnknownKind:
        return None
    can_be_waived = rule.waivable or rule.code in _CODES
    return rule if can_be_waived and rule.code != _OF_WAIVERS else None
