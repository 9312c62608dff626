"""Replace the references of a schema by their targets, except recursive ones.

Many clients drop or cannot follow ``$defs`` (descriptors.md, row 1), so that a reference stays
only where the schema speaks of itself, and then as ``{"$ref": "#/$defs/NAME"}``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from brimgen.model.json import Json, JsonObject
from brimgen.model.tokens import MOST_TOKENS, estimate
from brimgen.schema.walk import (
    ANNOTATIONS,
    LISTS,
    NAMED,
    ONE,
    is_object,
    rewritten,
    schemas_in,
    subschemas,
)

if TYPE_CHECKING:
    from referencing._core import Resolver

    Scope: TypeAlias = Resolver[Any]

BUDGET = MOST_TOKENS // 2
"""Schemas that inlining may make; beyond it every reference is kept, with its definition.

A schema with its name takes more than two tokens.
"""

DEEPEST = 50
"""References that inlining may follow inside of each other; beyond it every reference is kept."""

_UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")
_DEFINITIONS = ("$defs", "definitions")
_REFERENCES = ("$ref", "$dynamicRef")


def inline(schema: JsonObject) -> JsonObject:
    """Replace references by their targets, and leave out definitions.

    A reference without a target is kept: the caller's profile reports it. What would take more
    than `MOST_TOKENS` keeps its references, if it is smaller so.
    """
    used = [*references(schema)]
    if not used:
        plain: JsonObject = _without_definitions(schema)
        return plain
    definitions = schema.get("$defs")
    if is_object(definitions) and _written_out(schema, definitions, used) > BUDGET:
        siblings = {key: part for key, part in schema.items() if key not in _OUTSIDE}
        target = definitions.get(str(schema.get("$ref")).removeprefix(_HERE))
        root = _merge_siblings({**target}, siblings) if is_object(target) else siblings
        return _with_definitions(root, definitions)
    try:
        inlined = _Inliner(schema, keep_all=False).run()
    except _TooLarge:
        inlined = None
    if inlined is not None and estimate(inlined) <= MOST_TOKENS:
        return inlined
    shared = _Inliner(schema, keep_all=True).run()
    if inlined is not None and estimate(inlined) <= estimate(shared):
        return inlined
    return shared


def references(value: Json) -> Iterator[str]:
    """Return all references in a schema, including those in definitions."""
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if is_object(node):
            for word in _REFERENCES:
                reference = node.get(word)
                if isinstance(reference, str):
                    yield reference
            for keyword, part in reversed([*node.items()]):
                # A property may be called like a keyword, `default` for one.
                if keyword in NAMED and is_object(part):
                    waiting += reversed([*part.values()])
                elif keyword in _HELD:
                    waiting.append(part)
        elif isinstance(node, list | tuple):
            waiting += reversed(node)


_HELD = ONE | LISTS
_HERE = "#/$defs/"
_OUTSIDE = frozenset(["$ref", "$defs"])
_IDENTIFIERS = frozenset(["$id", "$anchor", "$dynamicAnchor", "definitions"])


def _with_definitions(schema: JsonObject, definitions: JsonObject) -> JsonObject:
    """Return ``schema`` with those of the ``definitions`` that its references lead to."""
    root = {key: value for key, value in schema.items() if key != "$defs"}
    used, reached = [*references(root)], dict[str, Json]()
    while used:
        name = used.pop().removeprefix(_HERE)
        if name in definitions and name not in reached:
            reached[name] = definitions[name]
            used.extend(references(definitions[name]))
    return {**root, "$defs": dict(sorted(reached.items()))} if reached else root


def _written_out(
    schema: JsonObject, definitions: JsonObject, used: Collection[str]
) -> int:
    """Return about how many schemas there are where each reference is its target; 0 where that is
    not known: where a reference leads elsewhere than to a definition with a plain name.
    """
    if (
        not {reference.removeprefix(_HERE) for reference in used} <= {*definitions}
        or not all(map(re.compile(r"\w{1,48}", re.ASCII).fullmatch, definitions))
        or not all(map(is_object, definitions.values()))
    ):
        return 0
    sizes: dict[str, int] = {}

    def size(part: Json) -> int:
        total = 0
        for _, node in schemas_in(part):
            if not _IDENTIFIERS.isdisjoint(node):
                raise _TooLarge
            total += 1 + at_reference(node)
        return total

    def at_reference(node: JsonObject) -> int:
        name = str(node.get("$ref", "")).removeprefix(_HERE)
        if name and name not in sizes:
            sizes[name] = 0  # a definition that holds itself is not written out
            sizes[name] = size(definitions[name])
        return sizes.get(name, 0)

    try:
        return size({key: part for key, part in schema.items() if key != "$defs"})
    except (_TooLarge, RecursionError):
        return 0


class _TooLarge(Exception):
    """Inlining made more than `BUDGET` schemas, or followed more than `DEEPEST` references."""


class _Inliner:
    def __init__(self, schema: JsonObject, *, keep_all: bool) -> None:
        # referencing costs more to import than most builds spend on all their descriptors.
        from referencing.jsonschema import (
            DRAFT202012,
            EMPTY_REGISTRY,
            specification_with,
        )

        dialect = schema.get("$schema")
        named = dialect if isinstance(dialect, str) else ""
        self._specification: Any = specification_with(named, default=DRAFT202012)
        self._schema = schema
        self._start: Scope = EMPTY_REGISTRY.resolver_with_root(
            self._specification.create_resource(schema)
        )
        self._keep_all = keep_all
        self._left = BUDGET
        self._open: list[int] = []
        self._names: dict[int, str] = {}
        self._targets: dict[int, tuple[JsonObject, Scope]] = {
            id(schema): (schema, self._start)
        }

    def run(self) -> JsonObject:
        """Return the schema without references, except those to targets that refer to
        themselves.
        """
        self._name_recursive()
        root = self._expanded(self._schema, self._start, root=True)
        definitions = {
            name: self._expanded(*self._targets[key])
            for key, name in self._names.items()
        }
        return _with_definitions(root, definitions)

    def _name_recursive(self) -> None:
        """Name each target that a reference on the way from itself leads back to.

        Iterative, because chains of references may be longer than Python's stack.
        """
        path = {id(self._schema): self._schemas(self._schema, self._start)}
        while path:
            key, waiting = next(reversed(path.items()))
            for holder, at in waiting:
                onward = self._followed(holder, at, path)
                if onward is not None:
                    path[onward] = self._schemas(*self._targets[onward])
                    break
            else:
                del path[key]

    def _followed(
        self, holder: JsonObject, scope: Scope, path: Collection[int]
    ) -> int | None:
        """Return the key of a reference's target, if no reference has led there before."""
        resolved = self._look_up(holder, scope)
        if resolved is None:
            return None
        target, onward, reference = resolved
        if not is_object(target):
            return None
        key = id(target)
        if key in path or self._keep_all:
            self._names.setdefault(key, self._name(reference))
        if key in self._targets:
            return None
        self._targets[key] = (target, onward)
        return key

    def _schemas(self, node: Json, scope: Scope) -> Iterator[tuple[JsonObject, Scope]]:
        """Yield ``node`` and the schemas below it, but not those that only a reference leads
        to.
        """
        waiting = [(node, scope)]
        while waiting:
            schema, scope = waiting.pop()
            if not is_object(schema):
                continue
            scope = self._entered(schema, scope)
            yield schema, scope
            inner = [
                (part, scope)
                for keyword, value in schema.items()
                if keyword not in _DEFINITIONS
                for part in subschemas(keyword, value)
            ]
            waiting += reversed(inner)

    def _entered(self, node: JsonObject, scope: Scope) -> Scope:
        if node is self._schema or not isinstance(node.get("$id"), str):
            return scope
        return scope.in_subresource(self._specification.create_resource(node))

    def _look_up(
        self, node: JsonObject, scope: Scope
    ) -> tuple[JsonObject | bool, Scope, str] | None:
        from referencing.exceptions import Unresolvable

        reference = node.get("$ref", node.get("$dynamicRef"))
        if not isinstance(reference, str):
            return None
        try:
            resolved = scope.lookup(reference)
        except (Unresolvable, ValueError, LookupError, TypeError, AttributeError):
            return None
        contents: Json = resolved.contents
        if is_object(contents) or isinstance(contents, bool):
            return contents, resolved.resolver, reference
        return None

    def _name(self, reference: str) -> str:
        last = reference.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1]
        stem = re.sub(r"[^A-Za-z0-9_]", "_", last)[:48] or "Root"
        name, number = stem, 2
        while name in self._names.values():
            name, number = f"{stem}{number}", number + 1
        return name

    def _expanded(self, node: Json, scope: Scope, *, root: bool = False) -> Any:
        self._left -= 1
        if self._left < 0 and not self._keep_all:
            raise _TooLarge
        if not is_object(node):
            return node
        scope = self._entered(node, scope)
        resolved = self._look_up(node, scope)
        if resolved is None:
            return self._keywords(node, scope)
        target, onward, _ = resolved
        siblings = self._keywords(
            {
                keyword: value
                for keyword, value in node.items()
                if keyword not in _REFERENCES
            },
            scope,
        )
        if not is_object(target):
            return siblings if target else {"not": {}, **siblings} if root else False
        if id(target) in self._names and not root:
            return {"$ref": f"#/$defs/{self._names[id(target)]}", **siblings}
        if id(target) in self._open:
            return siblings
        if len(self._open) == DEEPEST and not self._keep_all:
            raise _TooLarge
        self._open.append(id(target))
        body = self._expanded(target, onward, root=root)
        self._open.pop()
        return _merge_siblings(body, siblings)

    def _keywords(self, node: JsonObject, scope: Scope) -> dict[str, Any]:
        return {
            keyword: rewritten(
                keyword,
                value,
                "",
                lambda subschema, _: self._expanded(subschema, scope),
            )
            for keyword, value in node.items()
            if keyword not in _DEFINITIONS
        }


def _merge_siblings(body: dict[str, Any], siblings: dict[str, Any]) -> dict[str, Any]:
    """Join a reference's target with the keywords beside the reference, whose annotations win.

    ``unevaluated`` keywords stay outside: within ``allOf`` they would not see ``body``.
    """
    described_by = {k: v for k, v in siblings.items() if k in ANNOTATIONS}
    asserted = {k: v for k, v in siblings.items() if k not in ANNOTATIONS}
    if asserted:
        unevaluated = {k: asserted.pop(k) for k in _UNEVALUATED if k in asserted}
        parts = [body, asserted] if asserted else [body]
        return {"allOf": parts, **unevaluated, **described_by}
    return {**{k: v for k, v in body.items() if k not in described_by}, **described_by}


def _without_definitions(node: Json, pointer: str = "") -> Any:
    if not is_object(node):
        return node
    return {
        keyword: rewritten(keyword, value, pointer, _without_definitions)
        for keyword, value in node.items()
        if keyword not in _DEFINITIONS
    }
