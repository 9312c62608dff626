"""Follow `$ref` within one document, and remember what its target said of a value.

Where schemas branch (``anyOf`` and the like), one subschema meets one value along many paths, and
in a recursive schema along twice as many at each level. All of them go through a reference, so the
verdict of a reference on a value is remembered there until the run ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any

from .compile import Place, escape
from .errors import Finding, Path, SchemaError, steps
from .json_values import is_list, is_object
from .nodes import Node, Part

_ONE = (
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)
_LIST = (
    "allOf",
    "anyOf",
    "items",
    "oneOf",
    "prefixItems",
)
_NAMED = (
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
)


def subschemas(
    schema: Mapping[str, Any], pointer: str
) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield the schemas directly below a schema, with their pointers (booleans left out)."""
    for word in _ONE:
        inner = schema.get(word)
        if is_object(inner):
            yield inner, f"{pointer}/{word}"
    for word in _LIST:
        inner = schema.get(word)
        if is_list(inner):
            for index, each in enumerate(inner):
                if is_object(each):
                    yield each, f"{pointer}/{word}/{index}"
    for word in _NAMED:
        inner = schema.get(word)
        if is_object(inner):
            for name, each in inner.items():
                if is_object(each):
                    yield each, f"{pointer}/{word}{escape(name)}"


def parts(schema: Mapping[str, Any], place: Place) -> Iterator[Part]:
    """Yield the part of ``$ref``."""
    references: References = place.compiler.references()
    target, where = references.resolve(schema, place.pointer)
    node, memory = place.compiler.node(target, where), references.memory()
    if memory is None:
        yield Part(None, node.test, node.collect)
    else:
        yield memory.part(where, node)


class References:
    """The anchors and resources (`$id`) of a document; found when the first `$ref` asks."""

    def __init__(self, document: Mapping[str, Any] | bool, draft7: bool) -> None:
        self._document = document
        self._draft7 = draft7
        self._places: dict[str, tuple[Any, str]] = {"": (document, "")}
        self._bases: dict[str, str] = {}
        self._scanned = False
        self._memory: Memory | None = None
        self._branches: bool | None = None

    def memory(self) -> Memory | None:
        """Return what remembers verdicts, for documents in which schemas branch."""
        if self._branches is None:
            self._branches = branches(self._document)
            self._memory = Memory() if self._branches else None
        return self._memory

    def run(self, node: Node) -> Node:
        """Return the node of the whole document: what it is asked is one run."""
        memory = self.memory()
        return node if memory is None else memory.run(node)

    def forget(self) -> None:
        """End a run: values may change now."""
        if self._memory is not None:
            self._memory.forget()

    def resolve(self, schema: Mapping[str, Any], pointer: str) -> tuple[Any, str]:
        """Return what the `$ref` of the schema at a pointer names, and its own pointer."""
        ref = schema["$ref"]
        if not isinstance(ref, str):
            raise SchemaError(f"{pointer}/$ref: no text")
        if not self._scanned:
            self._scanned = True
            self._scan(self._document, "", "")
        base, _, fragment = ref.partition("#")
        resource = _join(self._base(pointer), base)
        if fragment and not fragment.startswith("/"):
            place = self._places.get(f"{resource}#{fragment}")
            if place is None:
                raise SchemaError(f"{pointer}/$ref: nothing is called {ref}")
            return place
        root = self._places.get(resource)
        if root is None:
            raise SchemaError(f"{pointer}/$ref: {ref} is not in this document")
        return _walk(root, fragment, ref)

    def _base(self, pointer: str) -> str:
        while pointer not in self._bases:
            if not pointer:
                return ""
            pointer = pointer.rpartition("/")[0]
        return self._bases[pointer]

    def _scan(self, schema: Any, pointer: str, base: str) -> None:
        waiting = [(schema, pointer, base)]
        while waiting:
            schema, pointer, base = waiting.pop()
            if not is_object(schema):
                continue
            base = self._enter(schema, pointer, base)
            waiting += [(each, at, base) for each, at in subschemas(schema, pointer)]

    def _enter(self, schema: Mapping[str, Any], pointer: str, base: str) -> str:
        """Note the names of a schema; return the base of what is below it."""
        name = schema.get("$id")
        if isinstance(name, str) and not (self._draft7 and "$ref" in schema):
            resource, _, anchor = name.partition("#")
            if resource:
                base = _join(base, resource)
                self._bases[pointer] = base
                self._places.setdefault(base, (schema, pointer))
            if anchor and self._draft7:
                self._places.setdefault(f"{base}#{anchor}", (schema, pointer))
        for word in ("$anchor", "$dynamicAnchor"):
            mark = schema.get(word)
            if isinstance(mark, str) and not self._draft7:
                self._places.setdefault(f"{base}#{mark}", (schema, pointer))
        return base


def _join(base: str, ref: str) -> str:
    if not ref:
        return base
    from urllib.parse import urljoin

    return urljoin(base, ref)


def _walk(root: tuple[Any, str], fragment: str, ref: str) -> tuple[Any, str]:
    """Return what stands at a JSON Pointer below a resource."""
    found, pointer = root
    if "%" in fragment:
        from urllib.parse import unquote

        fragment = unquote(fragment)
    for step in fragment.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if is_object(found) and name in found:
            found = found[name]
        elif is_list(found) and name.isdecimal() and int(name) < len(found):
            found = found[int(name)]
        else:
            raise SchemaError(f"$ref {ref}: nothing is there")
        pointer += "/" + step
    return found, pointer


_BRANCHING = frozenset(
    (
        "allOf",
        "anyOf",
        "contains",
        "dependencies",
        "dependentSchemas",
        "if",
        "not",
        "oneOf",
        "patternProperties",
        "unevaluatedItems",
        "unevaluatedProperties",
    )
)
_BESIDE = frozenset(
    (
        "$comment",
        "$defs",
        "$ref",
        "$schema",
        "default",
        "definitions",
        "deprecated",
        "description",
        "examples",
        "title",
    )
)
"""What may stand beside a ``$ref`` without looking at the value as well."""


def branches(document: Any) -> bool:
    """Return whether a value may be looked at along more than one way."""
    waiting = [document]
    while waiting:
        each = waiting.pop()
        if is_object(each):
            names = each.keys()
            if names & _BRANCHING or ("$ref" in names and names - _BESIDE):
                return True
            waiting += each.values()
        elif is_list(each):
            waiting += each
    return False


class Memory:
    """What the references of one document said of values in this run.

    Values are known by their identity, and kept, so that no other value takes it over meanwhile.
    """

    __slots__ = ("_reports", "_verdicts")

    def __init__(self) -> None:
        self._verdicts: dict[tuple[str, int], tuple[Any, bool]] = {}
        self._reports: dict[tuple[str, int], tuple[Path, list[Finding]]] = {}

    def forget(self) -> None:
        """End a run: values may change now."""
        self._verdicts.clear()
        self._reports.clear()

    def part(self, pointer: str, node: Node) -> Part:
        """Return the part of a reference to the node at a pointer."""
        verdicts, reports = self._verdicts, self._reports

        def test(value: Any) -> bool:
            key = (pointer, id(value))
            known = verdicts.get(key)
            if known is None:
                known = verdicts[key] = (value, node.test(value))
            return known[1]

        def collect(value: Any, path: Path, found: list[Finding]) -> None:
            if test(value):
                return
            key = (pointer, id(value))
            known = reports.get(key)
            if known is None:
                told = type(found)()
                node.collect(value, path, told)
                told[:] = _once(told)
                known = reports[key] = (path, told)
            found.extend(_at(path, *known))

        return Part(None, test, collect)

    def run(self, node: Node) -> Node:
        """Return the node of a whole document: what it is asked is one run."""

        def test(value: Any) -> bool:
            try:
                return node.test(value)
            finally:
                self.forget()

        def collect(value: Any, path: Path, found: list[Finding]) -> None:
            try:
                node.collect(value, path, found)
            finally:
                self.forget()

        return Node(test, collect, node.height)


def _once(found: list[Finding]) -> list[Finding]:
    """Return findings, each once: what is told along two ways is the same object."""
    return list({id(each): each for each in found}.values())


def _at(path: Path, where: Path, found: list[Finding]) -> list[Finding]:
    """Return what was found at a place as it is found at a path, which may be another one."""
    if path is where:
        return found
    moved = copy(found)
    if path == where:
        # `_meant` asks for identity
        moved[:] = [(path, *each[1:]) if each[0] is where else each for each in found]
    else:
        start = len(steps(where))
        moved[:] = [(_below(path, steps(each[0])[start:]), *each[1:]) for each in found]
    return moved


def _below(path: Path, inner: list[str | int]) -> Path:
    """Return a path and what leads on from it."""
    for step in inner:
        path = (path, step)
    return path
