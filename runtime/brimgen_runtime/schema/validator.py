"""Validate values by a JSON Schema and collect every violation; the slow path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .errors import (
    Finding,
    Findings,
    InputError,
    Path,
    SchemaError,
    Violation,
    step_of,
    violation,
)
from .json_text import parse_json, scanned
from .json_values import is_list, is_object

if TYPE_CHECKING:
    from .compile import Compiler
    from .nodes import Node

T = TypeVar("T")

_DEEP: Finding = (None, "depth", "nested too deeply, or it contains itself", None, "")


class Validator:
    """A JSON Schema (2020-12, or draft-07 where `$schema` says so), compiled on first use.

    ``tool`` names the tool or entity in errors; ``expects`` returns the lines of
    arguments that its retry messages show. ``leaves`` read values of
    subschemas by their ``x-leaf``, and raise ValueError for those they refuse. ``levels`` is how
    deeply values may be nested where the schema sets no limit (None: 100).
    """

    __slots__ = (
        "_compiled",
        "_compiler",
        "_expects",
        "_leaves",
        "_levels",
        "schema",
        "tool",
    )

    def __init__(
        self,
        schema: Mapping[str, Any] | bool,
        *,
        tool: str = "input",
        expects: Callable[[], Sequence[Sequence[str]]] | None = None,
        leaves: Mapping[str, Callable[[Any], object]] | None = None,
        levels: int | None = None,
    ) -> None:
        self.schema = schema
        self.tool = tool
        self._expects = expects
        self._leaves = leaves or {}
        self._levels = levels
        self._compiled: Node | None = None
        self._compiler: Compiler | None = None

    def compile(self) -> None:
        """Compile now. Raises SchemaError if the schema cannot be compiled."""
        self._node()

    def _node(self) -> Node:
        if self._compiled is None:
            self._compiled = self.compiler().root(self._levels)
        return self._compiled

    def compiler(self) -> Compiler:
        """Return the compiler of the schema, for walks along its subschemas."""
        if self._compiler is None:
            from .compile import Compiler

            self._compiler = Compiler(self.schema, self._leaves)
        return self._compiler

    def accepts_at(self, pointer: str, schema: Any, value: object) -> bool:
        """Return whether the subschema at a pointer surely accepts a value."""
        try:
            return self.compiler().alone(schema, pointer)(value)
        except (SchemaError, RecursionError):
            return False

    def is_valid(self, value: object) -> bool:
        """Return whether the schema accepts the value; stops at the first violation."""
        node = self._compiled or self._node()
        try:
            return node.test(value)
        except RecursionError:
            return False
        except Exception:
            if _peculiar(value) is None:
                raise
            return False

    def violations(self, value: object) -> list[Violation]:
        """Return what the schema refuses in the value, in schema order; the first hundred."""
        return [violation(finding) for finding in self.findings(value)]

    def check(self, value: object) -> None:
        """Raise the `refusal` of a value that the schema does not accept."""
        if not self.is_valid(value):
            raise self.refusal(value)

    def refusal(self, value: object) -> InputError:
        """Return the error of a value that the schema refuses, for the caller to raise.

        All violations are collected when they are first read, from the value as it is then.
        """
        return InputError(self.tool, self, value)

    def decode(self, value: Any, how: Callable[[Any], T]) -> T:
        """Return what ``how`` makes of a value that the schema has accepted.

        Raises InputError (rule ``depth``) where Python's stack does not suffice.
        """
        try:
            return how(value)
        except RecursionError:
            raise InputError(self.tool, [_DEEP], self.expects()) from None
        except Exception:
            finding = _peculiar(value)
            if finding is None:
                raise
            raise InputError(self.tool, [finding], self.expects()) from None

    def expects(self) -> str | None:
        """Return what the schema wants, as a retry message tells it; None where nobody said it."""
        if self._expects is None:
            return None
        return "\n".join(", ".join(line) for line in self._expects())

    def findings(self, value: object) -> list[Finding]:
        """Return what the schema refuses, as `InputError` takes it, and how much more there is."""
        return self._collected(value, Findings())

    def all_findings(self, value: object) -> list[Finding]:
        """Return everything that the schema refuses, for those who mend the value."""
        return self._collected(value, [])

    def _collected(self, value: object, findings: list[Finding]) -> list[Finding]:
        node = self._compiled or self._node()
        try:
            node.collect(value, None, findings)
        except RecursionError:
            return [_DEEP]
        except Exception:
            only = _peculiar(value)
            if only is None:
                raise
            return [only]
        # What is told along two ways is told once.
        unique = {finding[:3]: finding for finding in reversed(findings)}
        findings[:] = [*unique.values()][::-1]
        return findings

    def read_call(self, raw: object) -> Any:
        """Return what a model sent, ready for ``from_dict``: parsed, and the null rule applied.

        ``raw`` is a mapping or JSON text (str, bytes). Empty text is an empty object where nothing
        is required: so some models call a tool without arguments. Raises InputError for text that
        is not JSON. Never changes ``raw``.
        """
        text: object = raw
        if isinstance(raw, bytes):
            try:
                text = raw.decode()
            except UnicodeDecodeError:
                text = raw  # parse_json knows other encodings, and tells the place
        if isinstance(text, str):
            if not text and is_object(self.schema) and not self.schema.get("required"):
                return {}
            parsed = scanned(text)
            if parsed is not None and "null" not in text:
                return parsed
        if isinstance(raw, (str, bytes, bytearray)):
            try:
                raw = parse_json(raw)
            except InputError as error:
                raise error.of(self.tool, self.expects()) from None
        return self.drop_nulls(raw)

    def drop_nulls(self, value: Any) -> Any:
        """Return a value without the nulls that mean "absent" (the null rule)."""
        try:
            if not has_null(value) or self.is_valid(value):
                return value
            return self.compiler().without_nulls(value)
        except RecursionError:
            return value
        except Exception:
            if _peculiar(value) is None:
                raise
            return value


_LEAVES = frozenset((str, int, float, bool))
_PARSED = frozenset((bool, dict, float, int, list, str, Decimal, type(None)))


def has_null(value: object) -> bool:
    """Return whether some property at any depth is null."""
    if is_object(value):
        for item in value.values():
            if item is None or (item.__class__ not in _LEAVES and has_null(item)):
                return True
        return False
    if is_list(value):
        for item in value:
            if item.__class__ not in _LEAVES and has_null(item):
                return True
    return False


def unnamed(path: Path, name: object) -> Finding:
    """Return what is said of a name that is no text."""
    return (path, step_of(name)), "type", "a name that is text", name, ""


def _peculiar(value: object) -> Finding | None:
    """Return the finding of a value that is no parsed JSON; None where there is none.

    A subclass, or a mapping of another kind, counts as JSON until its code raises an exception.
    Then it is to blame; none of its code runs here.
    """
    waiting: list[tuple[object, Path]] = [(value, None)]
    seen: set[int] = set()
    while waiting:
        current, path = waiting.pop()
        kind = type(current)
        if kind not in _PARSED:
            return path, "type", "a JSON value", current, ""
        if id(current) in seen:
            continue
        if kind is dict:
            seen.add(id(current))
            for name, item in cast("dict[object, object]", current).items():
                if type(name) is not str:
                    return unnamed(path, name)
                waiting.append((item, (path, name)))
        elif kind is list:
            seen.add(id(current))
            items = cast("list[object]", current)
            waiting += [(item, (path, index)) for index, item in enumerate(items)]
    return None
