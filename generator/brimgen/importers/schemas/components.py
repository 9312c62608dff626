"""Import named schemas as entities, with the schemas that refer to them.

An object with ``properties`` becomes an entity, and so does a list of texts. Any other schema has
no document of its own: it is written out where it is referred to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from itertools import count
from types import MappingProxyType
from typing import Any

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import IMPORT_LEFT_OPEN
from brimgen.importers.draft import Draft
from brimgen.importers.names import LONGEST_NAME, NAME, tool_name
from brimgen.importers.nodes import entries_at, mappings_at, node_at
from brimgen.importers.schemas.keywords import (
    Direction,
    Tags,
    is_about_values,
    is_directed,
    is_part,
    map_inner_schemas,
    merge_all_of,
    plain_schema,
    references_in,
    tagged,
    visible_properties,
)
from brimgen.model.json import Json, is_list, is_object
from brimgen.source.nodes import MapNode, Node, ScalarNode
from brimgen.syntax.json_schema import KEYWORDS
from brimgen_runtime.schema.json_pointer import escape_step

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
        root: Node,
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
        reference = str(own.get("$ref", "#/"))
        if not reference.startswith("#/"):
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
        if reference not in self._plain:
            node = node_at(self._root, reference)
            if node is None:
                raise Unresolved(reference, "nothing stands there")
            self._plain[reference] = self.read(node)
        return self._plain[reference]


__all__ = ["Components", "schemas_at"]

# Besides `properties`, what an entity has for itself, and what would make another thing of it.
_NOT_IN_ENTITIES = frozenset(["type", "name", "default", "const", "$ref", "enum"])

MOST_PARTS = 20_000
_TOO_MANY = (
    f"written out where they are used, schemas have more than {MOST_PARTS} parts here"
)

_DEFINITIONS = "#/$defs/"
_Form = tuple[str, Direction]
_NULL = {"type": "null"}


class Components:
    """The named schemas of one document, under the references that lead to them."""

    def __init__(
        self,
        schemas: Mapping[str, Node],
        root: Node,
        diagnostics: Diagnostics,
        *,
        names: Mapping[str, str] = MappingProxyType({}),
        rewrite: Rewrite = lambda schema: schema,
        usual: Direction = Direction.ANY,
        tags: Tags = MappingProxyType({}),
    ) -> None:
        """Take ``schemas`` by reference (``#/$defs/Address``), and ``names`` that differ from it.

        ``root`` is the document, whose other schemas have no names and may be referred to as well.
        ``rewrite`` translates one schema object, without those inside of it. ``usual`` is the
        direction of what nothing refers to. ``tags`` are the values by which unions tell
        their branches apart.
        """
        self._nodes = schemas
        self._diagnostics = diagnostics
        self._usual = usual
        self._references = References(schemas, rewrite, root, tags)
        self._names = _entity_names(
            {
                reference: names.get(reference) or reference.rpartition("/")[2]
                for reference in schemas
                if self._is_entity(reference, Direction.ANY)
            }
        )
        self._used: dict[_Form, None] = {}
        self._referred_to: dict[str, _Form] = {}
        self._is_same: dict[str, bool] = {}
        self._recursive: dict[tuple[_Form, bool], str] = {}
        self._definitions: dict[str, Any] = {}
        self._parts_left = MOST_PARTS
        self._span = Span.at_file("")

    @property
    def names(self) -> Mapping[str, str]:
        """The names of the schemas that are entities, by their references."""
        return self._names

    def entities(self, *, only_used: bool = False) -> Iterator[Draft]:
        """A draft of each entity; one whose references lead nowhere is reported instead.

        An entity that differs by direction has a draft for each direction in which `schema` used
        it, so call that first. With ``only_used``, leave out unused entities.
        """
        drafts: dict[_Form, Draft | None] = {}
        self._draft_used(drafts)
        for reference in () if only_used else self._names:
            if not any(reference == drafted for drafted, _ in drafts):
                self._used[self._form(reference, self._usual)] = None
                self._draft_used(drafts)
        for reference in self._names:
            for direction in (Direction.ANY, Direction.ANSWER, Direction.REQUEST):
                draft = drafts.get((reference, direction))
                if draft is not None:
                    yield draft

    def _draft_used(self, drafts: dict[_Form, Draft | None]) -> None:
        """Draft what is used, and then what that uses."""
        while undrafted := [form for form in self._used if form not in drafts]:
            for form in undrafted:
                drafts[form] = self._draft(form)

    def _draft(self, form: _Form) -> Draft | None:
        reference, direction = form
        node, name = self._nodes[reference], self._name(form)
        schema = self._resolve_or_report(
            {"$ref": reference}, node.span, direction, is_whole=True
        )
        if schema is None:
            return None
        document: dict[str, Json] = {"type": "entity", "name": name}
        # `type` says here what the document is.
        keys = sorted(schema, key=lambda key: key not in ("title", "description"))
        document |= {_entity_key(key): schema[key] for key in keys if key != "type"}
        document |= self.definitions(document)
        return Draft(name, node.span, document)

    def schema(
        self, node: Node, direction: Direction, *, is_whole: bool = False
    ) -> Any:
        """Translate a schema node, with references to entities, and other references written out.

        Of those written out, one that holds itself is one of the `definitions`. One that leads
        nowhere is reported and left open. With ``is_whole``, one at the top is written out, too.
        """
        schema = self._references.read(node)
        return self._resolve_or_report(schema, node.span, direction, is_whole=is_whole)

    def shape(self, schema: Any, span: Span, direction: Direction) -> Any:
        """The result of `schema`, without a reference at its top and without null beside it."""
        while is_object(schema):
            options = schema.get("anyOf")
            alternatives = (
                [option for option in options if option != _NULL]
                if is_list(options)
                else []
            )
            form = self._referred_to.get(str(schema.get("$ref")))
            if form is not None:
                whole = {"$ref": form[0]}
                return self._resolve_or_report(whole, span, direction, is_whole=True)
            if len(alternatives) != 1:
                break
            schema = alternatives[0]
        return schema

    def definitions(self, schema: Json) -> dict[str, Json]:
        """Return ``$defs`` with what translated schemas below ``schema`` refer to in it."""
        used: dict[str, Json] = {}
        waiting = [schema]
        while waiting:
            part = waiting.pop()
            if is_list(part):
                waiting += part
            elif is_object(part):
                waiting += part.values()
                reference = part.get("$ref")
                name = str(reference).removeprefix(_DEFINITIONS)
                if name != reference and name in self._definitions.keys() - used:
                    used[name] = self._definitions[name]
                    waiting.append(used[name])
        return {"$defs": used} if used else {}

    def _resolve_or_report(
        self, schema: Any, span: Span, direction: Direction, *, is_whole: bool = False
    ) -> Any:
        self._parts_left, self._span = MOST_PARTS, span
        try:
            schema = self._references.whole(schema) if is_whole else schema
            return self._resolve(schema, direction, ())
        except Unresolved as problem:
            return self._open(problem, span)

    def _open(self, problem: Unresolved, span: Span | None = None) -> dict[str, Json]:
        """Report that a reference is left open, and return the schema of any value."""
        node = self._nodes.get(problem.reference)
        place = span if node is None else node.span
        name, reason = problem.reference, problem.reason
        self._diagnostics.add(
            IMPORT_LEFT_OPEN, place or self._span, part="$ref", name=name, reason=reason
        )
        return {"$comment": f"left open: `{name}`: {reason}"}

    def _resolve(
        self,
        schema: Any,
        direction: Direction,
        expanded: tuple[str, ...],
        *,
        is_open: bool = False,
    ) -> Any:
        """Resolve the references of a schema; ``expanded`` are those that are being written out.

        A schema that ``is_open`` is a part of another one: it becomes no entity, which is closed.
        """
        if not is_object(schema):
            return schema
        self._parts_left -= 1
        try:
            schema = self._references.merge_all_of(schema)
            if isinstance(schema.get("$ref"), str):
                return self._resolve_reference(
                    schema, direction, expanded, is_open=is_open
                )
            schema = visible_properties(schema, direction, self._references.follow)
        except Unresolved as problem:
            return self._open(problem)
        if not is_open:
            schema = _with_required(schema)

        def change(key: str, subschema: Any) -> Any:
            is_inner = is_part(key, schema, is_part_itself=is_open)
            return self._resolve(subschema, direction, expanded, is_open=is_inner)

        return map_inner_schemas(schema, change)

    def _resolve_reference(
        self,
        schema: Mapping[str, Any],
        direction: Direction,
        expanded: tuple[str, ...],
        *,
        is_open: bool,
    ) -> Any:
        """Return the target of a reference with the keywords that stand beside it."""
        reference: str = schema["$ref"]
        words = {key: value for key, value in schema.items() if key != "$ref"}
        form = self._form(reference, direction)
        is_named = reference in self._names and not is_open
        if is_named and self._is_entity(reference, direction):
            self._used[form] = None
            pointer = f"#/entities/{self._name(form)}"
            self._referred_to[pointer] = form
            return {"$ref": pointer, **words}
        recursive = (form, is_open)
        if reference in expanded and recursive not in self._recursive:
            self._recursive[recursive] = self._definition_name(reference)
        if recursive in self._recursive and (
            reference in expanded or self._recursive[recursive] in self._definitions
        ):
            return self._refer(recursive, words)
        if len(expanded) == MOST_FOLLOWED:
            return self._open(Unresolved(reference, TOO_FAR))
        if self._parts_left < 0:
            return self._open(Unresolved(reference, _TOO_MANY))
        target = self._references.follow(reference)
        target = self._resolve(
            target, direction, (*expanded, reference), is_open=is_open
        )
        if recursive in self._recursive:
            self._definitions[self._recursive[recursive]] = target
            return self._refer(recursive, words)
        return {**target, **words} if is_object(target) else target

    def _refer(
        self, recursive: tuple[_Form, bool], words: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return a reference to the definition of a schema that holds itself."""
        pointer = f"{_DEFINITIONS}{self._recursive[recursive]}"
        self._referred_to[pointer] = recursive[0]
        return {"$ref": pointer, **words}

    def _definition_name(self, reference: str) -> str:
        """Return a name for a schema that holds itself; no entity has it."""
        taken = {*self._names.values(), *self._recursive.values()}
        name = tool_name(reference.rpartition("/")[2]) or "Schema"
        return _free_name(name, {*map(_as_class, taken)})

    def _form(self, reference: str, direction: Direction) -> _Form:
        """An entity in a direction; direction ANY if all directions are the same."""
        if reference not in self._is_same:
            differs = self._references.reaches_directed(reference)
            self._is_same[reference] = not differs
        return reference, Direction.ANY if self._is_same[reference] else direction

    def _name(self, form: _Form) -> str:
        """The name of an entity; the form that is sent gets the suffix ``Request``."""
        reference, direction = form
        name = self._names[reference]
        if direction is Direction.REQUEST:
            taken = {_as_class(other) for other in self._names.values()}
            name = _free_name(f"{name[: LONGEST_NAME - 7]}Request", taken)
        return name

    def _is_entity(self, reference: str, direction: Direction) -> bool:
        try:
            schema = self._references.follow(reference)
        except Unresolved:
            return False
        if is_object(schema):
            schema = visible_properties(schema, direction, self._references.follow)
        return _is_object_with_properties(schema) or _is_enum(schema)


def _entity_names(written: Mapping[str, str]) -> dict[str, str]:
    """Return a name for each entity, by reference: they are names of specs, and of other classes.

    A name that a spec may have stays, others are made of its letters and digits.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for is_kept in (True, False):
        for reference, name in written.items():
            if bool(NAME.match(name)) is is_kept:
                free = _free_name(tool_name(name) or "Schema", taken)
                taken.add(_as_class(free))
                names[reference] = free
    return {reference: names[reference] for reference in written}


def _as_class(name: str) -> str:
    """Return what two names share that are one class, or one file, or differ in case alone."""
    return re.sub("[-_]", "", name).casefold()


def _free_name(name: str, taken: Collection[str]) -> str:
    """Return ``name``, or the first one with a number that is none of the ``taken`` classes."""
    if _as_class(name) not in taken:
        return name
    return next(
        free
        for free in (f"{name[: LONGEST_NAME - 4]}_{number}" for number in count(2))
        if _as_class(free) not in taken
    )


def _is_object_with_properties(schema: Any) -> bool:
    return (
        is_object(schema)
        and is_object(schema.get("properties"))
        and bool(schema["properties"])
        and schema.get("type", "object") == "object"
        and not schema.keys() & (_NOT_IN_ENTITIES - {"type"})
    )


def _entity_key(key: str) -> str:
    """The key of an entity for a keyword; one that JSON Schema does not know is an extension."""
    return key if key in KEYWORDS or key.startswith("x-") else f"x-{key}"


def _with_required(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that declares what it requires: any value (JSON Schema Validation 6.5.3)."""
    declared, required = schema.get("properties"), schema.get("required")
    is_closed = schema.get("additionalProperties") is False
    if is_closed or not (is_object(declared) and is_list(required)):
        return schema
    added: dict[str, Any] = {
        name: {} for name in required if isinstance(name, str) and name not in declared
    }
    return {**schema, "properties": {**declared, **added}} if added else schema


def _is_enum(schema: Any) -> bool:
    """Return whether a schema is a closed list of texts, and nothing else."""
    return (
        is_object(schema)
        and schema.keys() <= {"type", "enum", "title", "description"}
        and schema.get("type") == "string"
        and is_list(schema.get("enum"))
        and all(isinstance(value, str) for value in schema["enum"])
    )


def schemas_at(root: MapNode, *path: str) -> dict[str, Node]:
    """The named schemas of the mapping at ``path``, by the reference that leads to each."""
    prefix = "/".join(("#", *path))
    return {
        f"{prefix}/{escape_step(entry.key.text)}": entry.value
        for entry in entries_at(root, *path)
    }
