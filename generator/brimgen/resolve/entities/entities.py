"""Resolve entities and enums, with their schemas, in the order of their needs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from brimgen.diagnostics import Diagnostics, rules
from brimgen.frozen import dataclass, field, replace
from brimgen.model.catalog import Entity, EnumEntity
from brimgen.model.json import Json, JsonObject
from brimgen.model.project import Project
from brimgen.model.types import Field
from brimgen.resolve.entities.endless import order
from brimgen.resolve.entities.inheritance import Flattener
from brimgen.resolve.entities.leaves import BUILTIN_ENTITIES
from brimgen.resolve.fields.canonical_schema import arrange, object_schema, visible
from brimgen.resolve.fields.fields import make_fields
from brimgen.resolve.fields.frame import FlatField, Frame, RecordNames
from brimgen.resolve.index import Index
from brimgen.resolve.standard.budget import Budget
from brimgen.resolve.values import exact_integer, identity, published_extensions
from brimgen.schema.walk import (
    Schema,
    map_schemas,
    references,
    split_definitions,
    walk_nodes,
)
from brimgen.source.nodes import MapNode, Node, ScalarNode
from brimgen.syntax.decls import EntityDecl, FieldDecl

_DEFS = "#/$defs/"
_IDENTIFIERS = ("$id", "$anchor", "$dynamicAnchor")


@dataclass(slots=True)
class EntityShapes:
    """All entities made so far; what fields and schemas need to know of them."""

    index: Index
    flattener: Flattener
    project: Project
    diagnostics: Diagnostics
    budget: Budget
    entities: dict[str, Entity] = field(default_factory=dict[str, Entity])
    enums: dict[str, EnumEntity] = field(default_factory=dict[str, EnumEntity])
    _fields: dict[str, tuple[Field, ...]] = field(
        default_factory=dict[str, tuple[Field, ...]]
    )
    _definitions: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """What schemas refer to: entities, and the definitions inside of them."""
    _recursive: set[str] = field(default_factory=set[str])
    _references: dict[str, frozenset[str]] = field(
        default_factory=dict[str, frozenset[str]]
    )
    """What each of the definitions refers to."""
    _too_large: set[str] = field(default_factory=set[str])
    """Entities that are reported as too large, and those that use one of them."""
    _written: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])

    def make_all(self) -> None:
        """Make every declared entity; a built-in one is made when it is used."""
        for decl in self.index.enums.values():
            self.enums[decl.name.value] = make_enum(decl, self.diagnostics)
        names = [name for name in self.index.objects if name not in BUILTIN_ENTITIES]
        needs = {name: self._needs(name) for name in names}
        for group in order(needs):
            self._recursive.update(
                member
                for member in group
                if len(group) > 1 or member in needs.get(member, ())
            )
            for name in sorted(
                group, key=lambda member: (self._ancestors(member), member)
            ):
                before = self.budget.refusals
                self._make(name)
                uses_one = not self._too_large.isdisjoint(needs[name])
                if uses_one or self.budget.refusals > before:
                    self._too_large.add(name)
        for name, entity in self.entities.items():
            whole = self.complete(entity.schema)
            self.entities[name] = replace(entity, schema=whole, enforced_schema=whole)

    def embed(self, name: str) -> JsonObject:
        """See `brimgen.resolve.fields.frame.Shapes`."""
        if name in self.index.enums:
            return self.enums[name].schema if name in self.enums else {}
        if name not in self._definitions and name in BUILTIN_ENTITIES:
            self._make(name)
        if name in self._too_large:
            return {"type": "object"}
        return {"$ref": _DEFS + name}

    def complete(self, schema: JsonObject) -> JsonObject:
        """See `brimgen.resolve.fields.frame.Shapes`."""
        body, own = split_definitions(schema)
        needed: dict[str, JsonObject] = {}
        pending = [*_refs(schema)]
        while pending:
            name = pending.pop()
            if name in self._definitions and name not in needed and name not in own:
                needed[name] = self._definitions[name]
                pending += self._references[name]
        if not needed:
            return schema
        return {**body, "$defs": {**own, **dict(sorted(needed.items()))}}

    def written_out(self, schema: JsonObject) -> JsonObject:
        """See `brimgen.resolve.fields.frame.Shapes`."""

        def place(part: Schema) -> Schema:
            name = str(part.get("$ref", "")).removeprefix(_DEFS)
            if name not in self.entities or name in self._recursive:
                return part
            if name not in self._written:
                self._written[name] = self.written_out(self._definitions[name])
            if not self.budget.fits(self._written[name]):
                return part
            words = {key: value for key, value in part.items() if key != "$ref"}
            return {**self._written[name], **words}

        return map_schemas(dict(schema), place)

    def _define(self, name: str, schema: JsonObject) -> None:
        self._definitions[name] = schema
        self._references[name] = frozenset(_refs(schema))

    def values(self, name: str) -> tuple[str | int | float, ...]:
        """See `brimgen.resolve.fields.frame.Shapes`."""
        return self.enums[name].values if name in self.enums else ()

    def hidden(self, name: str) -> tuple[Field, ...]:
        """See `brimgen.resolve.fields.frame.Shapes`."""
        fields = self._fields.get(name, ())
        return tuple(member for member in fields if member not in visible(fields))

    def property(self, entity: str, name: str) -> Field | None:
        """See `brimgen.resolve.fields.frame.Shapes`."""
        for member in self._fields.get(entity, ()):
            if member.name == name:
                return member
        return None

    def _ancestors(self, name: str) -> int:
        seen = {name}
        while True:
            content = self.index.objects[name].content
            ref = content.entity_ref if content else None
            if ref is None or ref.value not in self.index.objects or ref.value in seen:
                return len(seen)
            name = ref.value
            seen.add(name)

    def _needs(self, name: str) -> tuple[str, ...]:
        content = self.index.objects[name].content
        assert content is not None
        flats = self.flattener.entity(name).fields
        needed = dict.fromkeys(
            _names_used(flat for flat in flats if flat.source != name)
        )
        if content.standard is not None:
            from brimgen.resolve.standard.checks import entity_refs, name_of

            needed |= dict.fromkeys(map(name_of, entity_refs(content.standard)))
            if any(ref.text == "#" for _, ref in references(content.standard)):
                needed[name] = None
        return tuple(
            entity
            for entity in needed
            if entity in self.index.objects and entity not in BUILTIN_ENTITIES
        )

    def _make(self, name: str) -> None:
        decl = self.index.objects[name]
        assert decl.content is not None
        frame = Frame(
            index=self.index,
            shapes=self,
            diagnostics=self.diagnostics,
            names=RecordNames(name),
            zone=self.project.tz,
        )
        if decl.content.standard is not None:
            self._make_standard(decl, decl.content.standard, frame)
            return
        fields = make_fields(self.flattener.entity(name).fields, frame)
        schema = object_schema(visible(fields))
        body = self.budget.within_budget(
            decl.name, arrange({**schema, **_annotations(decl)})
        )
        self._keep(decl, fields, body)

    def _make_standard(self, decl: EntityDecl, root: MapNode, frame: Frame) -> None:
        from brimgen.resolve.entities.embedding import embedded_schema
        from brimgen.resolve.standard.documents import read_object
        from brimgen.resolve.standard.drafts import rewrite_older_draft

        root = rewrite_older_draft(root, self.diagnostics)
        name = decl.name.value
        inherited = tuple(
            flat for flat in self.flattener.entity(name).fields if flat.source != name
        )
        standard = read_object(
            root, frame, inherited=make_fields(inherited, frame), own_name=name
        )
        _check_embeddable(name, root, self.diagnostics)
        schema = self.budget.within_budget(
            decl.name, {**standard.schema, **_annotations(decl)}
        )
        _, own = split_definitions(schema)
        entities = {
            each
            for each in _refs(schema)
            if (each in self.index.objects or each in self._definitions)
            and own.get(each) is self._definitions.get(each)
        }
        body, definitions = embedded_schema(name, schema, entities)
        for each, definition in definitions.items():
            self._define(each, definition)
        self._keep(decl, standard.fields, body)
        self.entities[name] = replace(self.entities[name], extra=standard.extra)

    def _keep(
        self, decl: EntityDecl, fields: tuple[Field, ...], body: JsonObject
    ) -> None:
        name = decl.name.value
        self._fields[name] = fields
        self._define(name, body)
        self.budget.share(name, body)
        self.entities[name] = Entity(
            name=name,
            span=decl.name.span,
            fields=visible(fields),
            schema=body,
            enforced_schema=body,
            recursive=name in self._recursive,
            title=decl.title,
            description=decl.description,
        )


def make_enum(decl: EntityDecl, diagnostics: Diagnostics) -> EnumEntity:
    """Return the closed list of an enum entity: strings by their source text, or numbers."""
    nodes = decl.enum or ()
    texts = any(
        isinstance(node, ScalarNode) and isinstance(node.value, str) for node in nodes
    )
    values: list[str | int | float] = []
    seen: set[Hashable] = set()
    for node in nodes:
        value = _enum_value(node, texts=texts)
        if value is None:
            continue
        if identity(value) in seen:
            diagnostics.add(rules.DUPLICATE_ENUM_VALUE, node.span, value=value)
        else:
            seen.add(identity(value))
            values.append(value)
    kind = "string" if texts else "number"
    if not texts and all(float(value).is_integer() for value in values):
        kind = "integer"
        values[:] = [exact_integer(value) for value in values]
    schema: dict[str, Json] = {"type": kind, "enum": list(values)}
    return EnumEntity(
        name=decl.name.value,
        span=decl.name.span,
        values=tuple(values),
        schema=arrange({**schema, **_annotations(decl)}),
        title=decl.title,
        description=decl.description,
    )


def _enum_value(node: Node, *, texts: bool) -> str | int | float | None:
    if not isinstance(node, ScalarNode) or node.value is None:
        return None
    if texts:
        return node.text
    assert isinstance(node.value, int | float)
    return node.value


def _annotations(decl: EntityDecl) -> dict[str, Json]:
    words: dict[str, Json] = {}
    if decl.description is not None:
        words["description"] = decl.description
    return words | published_extensions(decl.extensions)


def _check_embeddable(name: str, root: MapNode, diagnostics: Diagnostics) -> None:
    for _, node in walk_nodes(root):
        for key in _IDENTIFIERS:
            entry = node.entry(key)
            if entry is not None:
                diagnostics.add(
                    rules.NOT_EMBEDDABLE,
                    entry.key.span,
                    name=name,
                    keyword=key,
                )


def _names_used(fields: Iterable[FlatField]) -> Iterator[str]:
    """The names that fields use as types, and the entities whose properties they are."""
    pending: list[FieldDecl] = []
    for flat in fields:
        if flat.source is not None:
            yield flat.source
        pending.append(flat.decl)
    while pending:
        decl = pending.pop()
        if decl.type is not None and decl.fields is None:
            yield decl.type.name
        pending.extend(decl.fields or ())


def _refs(schema: Json) -> Iterator[str]:
    """The keys of `$defs` that a schema refers to. Reads every mapping: too many do no harm."""
    stack: list[Json] = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            ref = part.get("$ref")
            if isinstance(ref, str) and ref.startswith(_DEFS):
                yield ref.removeprefix(_DEFS)
            stack.extend(part.values())
        elif isinstance(part, list):
            stack.extend(part)
