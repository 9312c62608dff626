"""Resolve references to the named schemas of a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from brimgen.importers.nodes import INDEX, mappings_at, node_at
from brimgen.importers.schemas.discriminators import Tags, tagged
from brimgen.importers.schemas.keywords import (
    is_about_values,
    map_inner_schemas,
    plain_schema,
)
from brimgen.importers.schemas.merge_all_of import merge_all_of
from brimgen.importers.schemas.read_write_only import is_directed, references_in
from brimgen.model.json import is_list, is_object
from brimgen.source.nodes import Node, ScalarNode
from brimgen_runtime.schema.json_pointer import (
    steps_of,
)

_IDENTIFIERS = {"$anchor": "#", "$id": ""}
"""The keywords by which references find a schema, and what such a reference begins with."""

MOST_FOLLOWED = 64
"""How many references may lead from one to the next, outside of entities."""

TOO_FAR = f"it leads through more than {MOST_FOLLOWED} references, one after the other"

Rewrite = Callable[[dict[str, Any]], dict[str, Any]]
"""Translates one schema object, without those inside of it."""


class Unresolved(Exception):
    """A reference that cannot be followed, and why."""

    def __init__(self, reference: str, reason: str) -> None:
        super().__init__(reason)
        self.reference = reference
        self.reason = reason


class References:
    """Follows the references of one document; the targets are translated and merged."""

    def __init__(
        self,
        schemas: Mapping[str, Node],
        rewrite: Rewrite,
        root: Node | None,
        tags: Tags,
    ) -> None:
        """``root`` is the document, in which schemas without a name may be referred to.

        ``tags`` are the values by which unions tell their branches apart.
        """
        self._root = root
        self._rewrite = rewrite
        self._tags = tags
        self._plain = {
            reference: self.read(node) for reference, node in schemas.items()
        }
        self._targets: dict[str, Any] = {}
        self._open: set[str] = set()
        self._below: dict[str, frozenset[str]] = {}
        self._directed: dict[str, bool] = {}

    def read(self, node: Node) -> Any:
        """Translate the schema in a node."""
        return self._translated("", plain_schema(node))

    def _translated(self, _: str, schema: Any) -> Any:
        if not is_object(schema):
            return schema
        own = {key: part for key, part in schema.items() if key not in _IDENTIFIERS}
        reference = own.get("$ref")
        if isinstance(reference, str) and not reference.startswith("#/"):
            own["$ref"] = self._identified.get(reference, reference)
        return map_inner_schemas(self._rewrite(own), self._translated)

    @cached_property
    def _identified(self) -> Mapping[str, str]:
        """The pointers of what has an `$anchor` or an `$id`, by the references that say these."""
        return {
            mark + name.text: pointer
            for pointer, node in [*mappings_at(self._root)][::-1]
            for key, mark in _IDENTIFIERS.items()
            if isinstance(name := node.get(key), ScalarNode)
        }

    def merge_all_of(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """Merge the `allOf` of a schema, if possible; only annotations stay beside `$ref`."""
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        if "$ref" in schema and is_about_values(beside):
            parts = beside.pop("allOf", [])
            schema = {"allOf": [{"$ref": schema["$ref"]}, *parts], **beside}
        return merge_all_of(schema, self._merged)

    def whole(self, schema: Any) -> Any:
        """Replace a reference at the top by its target, keeping the annotations beside it."""
        seen: set[str] = set()
        while is_object(schema):
            schema = self.merge_all_of(schema)
            reference = schema.pop("$ref", None)
            if not isinstance(reference, str):
                break
            if reference in seen:
                raise Unresolved(reference, "it leads to itself")
            seen.add(reference)
            target = self.follow(reference)
            schema = {**target, **schema} if is_object(target) else target
        return schema

    def follow(self, reference: str) -> Any:
        """Return the merged target of a reference, with its tags. Raises Unresolved."""
        return tagged(self._merged(reference), self._tags.get(reference, {}))

    def _merged(self, reference: str) -> Any:
        """Return the merged target of a reference, as other schemas derive from it."""
        if reference not in self._targets:
            if reference in self._open:
                raise Unresolved(reference, "it is a part of itself")
            if len(self._open) == MOST_FOLLOWED:
                raise Unresolved(reference, TOO_FAR)
            target = self._target(reference)
            self._open.add(reference)
            try:
                merged = self.merge_all_of(target) if is_object(target) else target
            finally:
                self._open.discard(reference)
            self._targets[reference] = merged
        return self._targets[reference]

    def reaches_directed(self, reference: str) -> bool:
        """Whether `is_directed` is true of any schema that a reference reaches."""
        return any(self._directed[reached] for reached in self._reachable(reference))

    def _reachable(self, reference: str) -> Iterator[str]:
        waiting, seen = [reference], {reference}
        while waiting:
            current = waiting.pop()
            if current not in self._below:
                try:
                    target = self._target(current)
                except Unresolved:
                    target = {}
                self._below[current] = frozenset(references_in(target))
                self._directed[current] = is_directed(target)
            yield current
            waiting += self._below[current] - seen
            seen |= self._below[current]

    def _target(self, reference: str) -> Any:
        if not reference.startswith("#"):
            raise Unresolved(reference, "nothing is read from elsewhere")
        if reference != "#" and not reference.startswith("#/"):
            raise Unresolved(reference, "no schema has this `$anchor`")
        base = reference
        while base and base not in self._plain:
            base = base.rpartition("/")[0]
        if not base:
            node = node_at(self._root, reference)
            if node is None:
                raise Unresolved(reference, "nothing stands there")
            self._plain[reference] = self.read(node)
            base = reference
        target = self._plain[base]
        for name in steps_of(reference[len(base) :]):
            if is_object(target) and name in target:
                target = target[name]
            elif is_list(target) and INDEX.fullmatch(name) and int(name) < len(target):
                target = target[int(name)]
            else:
                raise Unresolved(reference, "nothing stands there")
        return target
