"""Report: what a build told, in builtin types, so that the next one can tell it again as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from brimgen.diagnostics import Diagnostic, Note, Rule, Severity, Span
from brimgen.frozen import dataclass

Row: TypeAlias = tuple[Any, ...]
"""The five parts of a span, code, message; then suggestions, notes, the number of the rule, and
the text that people read. The first seven are `Diagnostic.sort_key`, made plain."""

_KEY = 7


@dataclass(frozen=True, slots=True)
class Report:
    """What was told, in order; ``rules`` are those that ``rows`` speak of."""

    rules: tuple[tuple[str, ...], ...]
    rows: tuple[Row, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """What people read, row by row."""
        return tuple([row[10] for row in self.rows])

    @property
    def helps(self) -> list[tuple[str, str]]:
        """The code of each row, and what its rule says to do."""
        known = [(rule[0], rule[4]) for rule in self.rules]
        return [known[row[9]] for row in self.rows]

    @property
    def severities(self) -> list[Severity]:
        """How much each row weighs."""
        known = [Severity(rule[2]) for rule in self.rules]
        return [known[row[9]] for row in self.rows]

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The same as values."""
        rules: list[Rule] = [_rule(*each) for each in self.rules]
        return tuple(
            Diagnostic(
                rules[int(row[9])],
                Span(*row[:5]),
                row[6],
                tuple(Note(Span(*place), text) for place, text in row[8]),
                tuple(row[7]),
            )
            for row in self.rows
        )

    def lacks(self, found: Iterable[Diagnostic]) -> bool:
        """Whether any of ``found`` was not told."""
        told = set(map(key_of, self.rows))
        return any(_key_of(each) not in told for each in found)

    def about(self, files: frozenset[str]) -> tuple[list[Row], list[Row]]:
        """The rows about ``files``, and all others."""
        about = [row for row in self.rows if row[0] in files]
        return about, [row for row in self.rows if row[0] not in files]

    def joined(self, other: Report) -> Report:
        """What both tell, in order."""
        first = len(self.rules)
        moved = ((*row[:9], row[9] + first, row[10]) for row in other.rows)
        rows = sorted((*self.rows, *moved), key=key_of)
        return _pruned(Report((*self.rules, *other.rules), tuple(rows)))


def report_of(found: Iterable[Diagnostic], texts: Sequence[str]) -> Report:
    """What was ``found``, with the text of each."""
    numbers: dict[tuple[str, ...], int] = {}
    rows: list[Row] = []
    for each, text in zip(found, texts, strict=True):
        number = numbers.setdefault(_plain(each.rule), len(numbers))
        rows.append((*said_by(each), number, text))
    return Report(tuple(numbers), tuple(rows))


def said_by(each: Diagnostic) -> Row:
    """The begin of the row of a diagnostic: all that it says, but for its rule and its text."""
    notes = tuple((_place(note.span), note.text) for note in each.notes)
    return (*_key_of(each), each.suggestions, notes)


def said_in(row: Row) -> Row:
    """`said_by` the diagnostic of a row."""
    return row[: _KEY + 2]


def key_of(row: Row) -> Row:
    """By what rows are in order."""
    return row[:_KEY]


def _pruned(report: Report) -> Report:
    """``report`` with each rule once, and none of which nothing tells."""
    numbers: dict[tuple[str, ...], int] = {}
    rows: list[Row] = []
    for row in report.rows:
        number = numbers.setdefault(report.rules[int(row[9])], len(numbers))
        rows.append((*row[:9], number, row[10]))
    return Report(tuple(numbers), tuple(rows))


def _key_of(each: Diagnostic) -> Row:
    return (*_place(each.span), each.rule.code, each.message)


def _rule(
    waivable: str,
    code: str,
    slug: str,
    severity: str,
    message: str,
    help: str,
    wrong: str,
    right: str,
) -> Rule:
    return Rule(
        code, slug, Severity(severity), message, help, wrong, right, bool(waivable)
    )


def _plain(rule: Rule) -> tuple[str, ...]:
    return (
        *("yes" if rule.waivable else "", rule.code, rule.slug, str(rule.severity)),
        *(rule.message, rule.help, rule.wrong, rule.right),
    )


def _place(span: Span) -> tuple[str, int, int, int, int]:
    return span.file, span.line, span.column, span.end_line, span.end_column
