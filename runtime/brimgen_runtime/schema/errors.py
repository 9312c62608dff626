"""What is wrong with a call: findings, worded as violations, and the error that tells them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

from .json_pointer import escape_step
from .json_values import cut, is_list, show

Path: TypeAlias = "tuple[Path, str | int] | None"
"""Where a value stands, innermost step first to reach: (path of the parent, name or index)."""

Finding: TypeAlias = tuple[Path, str, str, Any, str]
"""What a check notes down: path, rule, expected, value, form. It becomes a `Violation` when read.

The form (`form_of`) is the type or format of the value by its schema; "" where it does not matter.
"""

MOST_VIOLATIONS = 100
"""An error tells so many violations, and counts the others."""

MOST_LINES = 50
MOST_CHARACTERS = 10_000
"""A message has so many lines and characters of violations at most; the others are counted."""


class Findings(list[Finding]):
    """The first `MOST_VIOLATIONS` findings; ``omitted`` counts those beyond."""

    omitted = 0

    def append(self, finding: Finding, /) -> None:
        """Keep a finding, or count it."""
        if len(self) < MOST_VIOLATIONS:
            super().append(finding)
        else:
            self.omitted += 1

    def extend(self, more: Iterable[Finding], /) -> None:
        """Keep or count all of several findings, and what those leave out."""
        for finding in more:
            self.append(finding)
        self.omitted += omitted(more)


def omitted(findings: object) -> int:
    """Return how many findings a collection leaves out."""
    return findings.omitted if isinstance(findings, Findings) else 0


def bounded(lines: Iterable[str], left_out: int = 0) -> list[str]:
    """Return the first lines, and a last one that counts the others and those ``left_out``."""
    shown: list[str] = []
    size = 0
    for line in lines:
        if len(shown) == MOST_LINES or size > MOST_CHARACTERS:
            left_out += 1
        else:
            shown.append(line)
            size += len(line)
    return [*shown, f"and {left_out:,} more"] if left_out else shown


class Mark:
    """The type of `MISSING` and `REDACTED`."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name

    def __reduce__(self) -> str:
        return self._name


MISSING: Final = Mark("MISSING")
"""Stands for a value that was not given."""

REDACTED: Final = Mark("REDACTED")
"""Stands for a value that must not be told."""


class SchemaError(ValueError):
    """A schema that cannot be compiled: a `$ref` to nowhere, a pattern that is not ECMA-262."""


class Violation:
    """One thing that is wrong with a value.

    ``pointer`` is the JSON Pointer (RFC 6901) of the value, or of the missing or unknown property;
    ``rule`` the JSON Schema keyword that it breaks, or ``unknown`` (a property that nobody
    declared), ``json`` (text that is not JSON), ``depth`` (nested too deeply or cyclic) or ``bind``
    (a database cannot hold it);
    ``expected`` what would have been right, in words; ``value`` the offending value (`MISSING`
    where there is none, `REDACTED` where it is secret); ``message`` the whole as a sentence.
    """

    __slots__ = ("expected", "message", "pointer", "rule", "value")

    def __init__(
        self, pointer: str, rule: str, expected: str, value: object, message: str
    ) -> None:
        self.pointer = pointer
        self.rule = rule
        self.expected = expected
        self.value = value
        self.message = message

    def _identity(self) -> tuple[str, str, str, str]:
        return self.pointer, self.rule, self.expected, self.message

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Violation):
            return NotImplemented
        return (*self._identity(), self.value) == (*other._identity(), other.value)

    def __hash__(self) -> int:
        return hash(self._identity())

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"<Violation {broken(self)}: {self.message}>"


def as_json(violations: Iterable[Violation]) -> list[dict[str, str]]:
    """Return what callers are told of violations, as JSON."""
    return [
        {"pointer": each.pointer, "rule": each.rule, "message": each.message}
        for each in violations
    ]


def broken(violation: Violation) -> str:
    """Return the rule, the pointer and the type of the value, for logs; no value is told."""
    value = violation.value
    has_type = value is not MISSING and value is not REDACTED
    kind = f" ({type(value).__name__})" if has_type else ""
    return f"{violation.rule} at {violation.pointer!r}{kind}"


_CHANGED: Finding = None, "changed", "was changed after it had been refused", None, ""


class InputError(ValueError):
    """A call that its schema refuses: ``InputError(tool, findings, expects)``.

    ``tool`` is the name of the tool or entity. A validator raises ``InputError(tool, validator,
    value)``: the violations are collected and worded on first access, so raising is cheap; read
    them before you change the value. For the same reason there is no ``__init__``.
    """

    _findings: list[Finding] | None = None
    _violations: tuple[Violation, ...] | None = None

    @property
    def tool(self) -> str:
        """The name of the tool or entity."""
        return str(self.args[0])

    @property
    def findings(self) -> Sequence[Finding]:
        """What the checks noted down; never empty, and never more than `MOST_VIOLATIONS`."""
        findings = self._findings
        if findings is None:
            source = self.args[1]
            findings = source if is_list(source) else source.findings(self.args[2])
            findings = self._findings = findings or [_CHANGED]
        return findings

    @property
    def violations(self) -> tuple[Violation, ...]:
        """What is wrong, in schema order; never empty, and never more than `MOST_VIOLATIONS`."""
        if self._violations is None:
            self._violations = tuple(map(violation, self.findings))
        return self._violations

    @property
    def omitted(self) -> int:
        """How many more violations there are than ``violations`` tells."""
        return omitted(self.findings)

    @property
    def expects(self) -> str | None:
        """What the tool expects, as its retry message tells it."""
        _, source, expects = self.args
        words: str | None = expects if is_list(source) else source.expects()
        return words

    def retry_message(self) -> str:
        """Return what to tell a model: one line a violation, then what the tool expects.

        Beyond some lines, or characters, the violations are counted: ``- and 12 more``.
        """
        lines = [f"{self.tool} was called with invalid arguments:"]
        lines += [f"- {message}" for message in self.told()]
        if self.expects is not None:
            lines.append(f"{self.tool} expects: {self.expects}")
        return "\n".join(lines)

    def told(self) -> list[str]:
        """Return the messages of the first violations, and a last line that counts the others."""
        return bounded((fault.message for fault in self.violations), self.omitted)

    def of(self, tool: str, expects: str | None) -> InputError:
        """Return the same error as one of another tool."""
        return InputError(tool, self.findings, expects)

    def __str__(self) -> str:
        return f"{self.tool}: " + "; ".join(self.told())

    def __repr__(self) -> str:
        return f"<InputError {self}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (InputError, (self.tool, self.findings, self.expects))


_LONGEST_NAME = 200
_LONGEST_POINTER = 1000
"""Names and pointers are cut after so many characters: callers choose them."""


def steps(path: Path) -> list[str | int]:
    """Return the steps from the root to a value."""
    route: list[str | int] = []
    while path is not None:
        path, step = path
        route.append(step)
    return route[::-1]


def pointer(path: Path) -> str:
    """Return the JSON Pointer (RFC 6901) of a value; a very long one is cut."""
    whole = "".join(escape(step_of(step)[:_LONGEST_POINTER]) for step in steps(path))
    return cut(whole, _LONGEST_POINTER)


def escape(name: str) -> str:
    """Return a name as a step of a JSON Pointer."""
    return f"/{escape_step(name)}"


def step_of(name: object) -> str:
    """Return a name or an index as text; of what is neither only its type is told."""
    if isinstance(name, str):
        return str.__str__(name)
    return f"{name}" if type(name) is int else f"a Python {type(name).__name__}"


def violation(finding: Finding) -> Violation:
    """Return a finding as a violation."""
    path, rule, expected, value, _ = finding
    where = pointer(path)
    name = _shown(where[1:]) or "input"
    if value is MISSING:
        message = f"{name}: missing, expected {expected}"
    elif rule == "unknown":
        is_at_top = path is not None and path[0] is None
        kind = "argument" if is_at_top else "property"
        message = f"{name}: unknown {kind}, expected {expected}"
    elif rule in ("json", "depth", "changed", "bind"):
        message = f"{name}: {expected}"
    elif value is REDACTED:
        message = f"{name}: expected {expected}, got something else"
    else:
        message = f"{name}: expected {expected}, got {_shown_value(value)}"
    return Violation(where, rule, expected, value, message)


def _shown_value(value: object) -> str:
    """Return a value as JSON, or its type where code of its own fails."""
    try:
        return show(value)
    except Exception:  # noqa: BLE001
        return f"a Python {type(value).__name__}"


def _shown(name: str) -> str:
    """Return a name on one line, cut if it is long."""
    if len(name) <= _LONGEST_NAME and name.isprintable():
        return name
    return show(name, _LONGEST_NAME).strip('"').replace('"…', "…")
