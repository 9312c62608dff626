"""The keywords that apply other schemas to the same value: allOf, anyOf, oneOf, not, if."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .compile import Place
from .errors import Finding, Path, omitted
from .json_values import cut, describe, either, is_list
from .nodes import Node, Part, constant, every, leaf

_CHOICES = ("const", "enum")
_WHOLE = frozenset({"type", "const", "enum", "false"})


def parts(schema: Mapping[str, Any], place: Place) -> Iterator[Part]:
    """Yield the parts of the keywords that apply in place, in a fixed order."""
    if "allOf" in schema:
        yield _all(_branches(schema, "allOf", place))
    if "anyOf" in schema:
        yield _any(_branches(schema, "anyOf", place), _expected(schema, "anyOf"))
    if "oneOf" in schema:
        yield _one(_branches(schema, "oneOf", place), _expected(schema, "oneOf"))
    if "not" in schema:
        node = place.child(schema["not"], "/not")
        expected = f"anything but {describe(schema['not'])}"
        yield leaf(None, lambda value: not node.test(value), "not", expected)
    if "if" in schema:
        yield _if(*(_branch(schema, word, place) for word in ("if", "then", "else")))


def _branches(schema: Mapping[str, Any], word: str, place: Place) -> list[Node]:
    return [
        place.child(subschema, f"/{word}/{i}")
        for i, subschema in enumerate(schema[word])
    ]


def _branch(schema: Mapping[str, Any], word: str, place: Place) -> Node:
    return place.child(schema[word], f"/{word}") if word in schema else constant(True)


def _expected(schema: Mapping[str, Any], word: str) -> str:
    return either(map(_alternative, schema[word])) or "nothing"


def _alternative(schema: Any) -> str:
    """What one of several schemas wants; objects are told apart by what they must have."""
    words = describe(schema)
    if words != "object" or not is_list(schema.get("required")):
        return words
    needed = cut(", ".join(map(str, schema["required"])))
    return f"object with {needed}" if needed else words


def _all(nodes: Sequence[Node]) -> Part:
    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        for node in nodes:
            if not node.before(value):
                node.collect(value, path, findings)

    return Part(None, every([node.test for node in nodes]), collect)


def _any(nodes: Sequence[Node], expected: str) -> Part:
    tests = [node.test for node in nodes]

    def test(value: Any) -> bool:
        return any(accepts(value) for accepts in tests)

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        if not test(value):
            findings.extend(
                _meant(nodes, value, path, type(findings))
                or [(path, "anyOf", expected, value, "")]
            )

    return Part(None, test, collect)


def _one(nodes: Sequence[Node], expected: str) -> Part:
    tests = [node.test for node in nodes]

    def hits(value: Any) -> int:
        count = 0
        for accepts in tests:
            if accepts(value):
                count += 1
                if count == 2:
                    break
        return count

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        count = hits(value)
        if count == 0:
            findings.extend(
                _meant(nodes, value, path, type(findings))
                or [(path, "oneOf", expected, value, "")]
            )
        elif count == 2:
            only = f"exactly one of: {expected}; it is more than one of them"
            findings.append((path, "oneOf", only, value, ""))

    def test(value: Any) -> bool:
        return hits(value) == 1

    return Part(None, test, collect)


def _meant(
    nodes: Sequence[Node], value: Any, path: Path, kind: type[list[Finding]]
) -> list[Finding]:
    """Return the findings of the branch that the value was meant for; none if no branch stands out.

    A branch is ruled out if the value as a whole has the wrong type or is none of its choices. If
    several remain, each one is ruled out in which a property has the wrong constant, as the tag of
    a tagged union; where that rules out all of them, the tag is what is wrong. Of those that only
    find unknown properties, the one that finds fewest is meant.
    """
    reports: list[list[Finding]] = []
    for node in nodes:
        report = kind()
        node.collect(value, path, report)
        if not any(finding[0] is path and finding[1] in _WHOLE for finding in report):
            reports.append(report)
    if len(reports) > 1:
        tagged = [
            report
            for report in reports
            if not any(finding[1] in _CHOICES for finding in report)
        ]
        if not tagged:
            return _wrong_tag(reports)
        reports = tagged
    if len(reports) > 1:
        unknown = [
            report
            for report in reports
            if all(finding[1] == "unknown" for finding in report)
        ]
        reports = sorted(unknown, key=lambda report: len(report) + omitted(report))[:1]
    return reports[0] if len(reports) == 1 else []


def _wrong_tag(reports: list[list[Finding]]) -> list[Finding]:
    """Return the finding of a property that has no branch's constant; none if there is no such."""
    for path, rule, _, value, form in reports[0]:
        if rule in _CHOICES:
            wanted = [
                finding[2]
                for report in reports
                for finding in report
                if finding[0] == path and finding[1] in _CHOICES
            ]
            if len(wanted) == len(reports):
                return [(path, "enum", either(wanted), value, form)]
    return []


def _if(condition: Node, then: Node, otherwise: Node) -> Part:
    def test(value: Any) -> bool:
        return then.test(value) if condition.test(value) else otherwise.test(value)

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        node = then if condition.test(value) else otherwise
        if not node.before(value):
            node.collect(value, path, findings)

    return Part(None, test, collect)
