"""Find what a `$ref` names, within one document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .errors import SchemaError, escape
from .json_pointer import escape_step, steps_of
from .json_values import is_list, is_object

SINGLE = (
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
LISTS = ("allOf", "anyOf", "items", "oneOf", "prefixItems")
NAMED = (
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
)
"""The keywords, of every draft, that hold a schema, a list of schemas, or schemas by name."""


def subschemas(
    schema: Mapping[str, Any], pointer: str
) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield the schemas directly below a schema, with their pointers (booleans left out)."""
    for word in SINGLE:
        inner = schema.get(word)
        if is_object(inner):
            yield inner, f"{pointer}/{word}"
    for word in LISTS:
        inner = schema.get(word)
        if is_list(inner):
            for index, subschema in enumerate(inner):
                if is_object(subschema):
                    yield subschema, f"{pointer}/{word}/{index}"
    for word in NAMED:
        inner = schema.get(word)
        if is_object(inner):
            for name, subschema in inner.items():
                if is_object(subschema):
                    yield subschema, f"{pointer}/{word}{escape(name)}"


class References:
    """The anchors and resources (`$id`) of a document; found when the first `$ref` asks."""

    def __init__(self, document: Mapping[str, Any] | bool, draft7: bool) -> None:
        self._document = document
        self._draft7 = draft7
        self._places: dict[str, tuple[Any, str]] = {"": (document, "")}
        self._bases: dict[str, str] = {}
        self._scanned = False

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
            waiting += [
                (subschema, at, base) for subschema, at in subschemas(schema, pointer)
            ]

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
    target, pointer = root
    if "%" in fragment:
        from urllib.parse import unquote

        fragment = unquote(fragment)
    for name in steps_of(fragment):
        if is_object(target) and name in target:
            target = target[name]
        elif is_list(target) and name.isdecimal() and int(name) < len(target):
            target = target[int(name)]
        else:
            raise SchemaError(f"$ref {ref}: nothing is there")
        pointer += f"/{escape_step(name)}"
    return target, pointer
