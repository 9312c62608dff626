"""Flatten inheritance: which fields an entity or a tool has, and how it refines them.

Inherited fields come first, in entity order; an inline entry *with* a type replaces the inherited
field where it stands, one *without* refines it attribute by attribute; `omit` drops (S0.6, S0.34;
spec-language.md).
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics import Diagnostics, Note, Span, did_you_mean, rules
from brimgen.diagnostics.rules import DEFAULT_NOT_DECIDED
from brimgen.frozen import dataclass, field, replace
from brimgen.model.fields import Default
from brimgen.model.json import Json, JsonObject
from brimgen.model.lint import LINT_IGNORE
from brimgen.model.scalars import ALIASES
from brimgen.model.types import Field, JsonType
from brimgen.resolve.fields.canonical_schema import arrange
from brimgen.resolve.fields.descriptions import apply_descriptions, describe, text_of
from brimgen.resolve.fields.frame import (
    CALLER,
    Flat,
    FlatField,
    Frame,
    is_required,
    origin_of,
)
from brimgen.resolve.fields.patterns import check_pattern, check_speed
from brimgen.resolve.index import Index
from brimgen.source.nodes import MapNode, ScalarNode, Text, plain
from brimgen.syntax.decls import ArgumentsDecl, FieldDecl
from brimgen.syntax.reader import is_true

_PLAIN_ROOT = frozenset(
    {
        "type",
        "properties",
        "required",
        "additionalProperties",
        "$schema",
        "$comment",
        "$defs",
        "definitions",
        "title",
        "description",
        "default",
        "examples",
    }
)


MOST_ANCESTORS = 64


@dataclass(slots=True)
class Flattener:
    """Flattens argument blocks and entities, each entity once."""

    index: Index
    diagnostics: Diagnostics
    _heights: dict[str, int] = field(default_factory=dict[str, int])
    _entities: dict[str, Flat] = field(default_factory=dict[str, Flat])
    _inheritable: dict[str, Mapping[str, FlatField]] = field(
        default_factory=dict[str, Mapping[str, FlatField]]
    )

    def entity(self, name: str) -> Flat:
        """Return the fields of an object entity; what it inherits is flattened before it."""
        chain = [name]
        while chain[-1] not in self._entities:
            content = self.index.objects[chain[-1]].content
            assert content is not None
            parent = self._parent(content)
            if parent is None:
                break
            if parent in chain:
                self._report_cycle(chain[chain.index(parent) :])
                break
            chain.append(parent)
        for ancestor in reversed(chain):
            if ancestor not in self._entities and not self._is_too_high(ancestor):
                content = self.index.objects[ancestor].content
                assert content is not None
                self._entities[ancestor] = self._flatten(content, ancestor)
        return self._entities[name]

    def _is_too_high(self, name: str) -> bool:
        """Refuse an entity that inherits through too many others; only the first is reported."""
        content = self.index.objects[name].content
        parent = None if content is None else self._parent(content)
        height = 0 if parent is None else self._heights.get(parent, 0) + 1
        self._heights[name] = height
        if height <= MOST_ANCESTORS:
            return False
        self._entities[name] = Flat(sound=False, complete=False)
        if height == MOST_ANCESTORS + 1:
            limit, place = MOST_ANCESTORS, self._ref(name)
            self.diagnostics.add(
                rules.TOO_MANY_ANCESTORS, place, name=name, limit=limit
            )
        return True

    def block(self, content: ArgumentsDecl) -> Flat:
        """Return the fields of an `arguments` (or `returns`) block, those of JSON Schema aside."""
        parent = self._parent(content)
        if parent is not None:
            self.entity(parent)
        return self._flatten(content, None)

    def _parent(self, content: ArgumentsDecl) -> str | None:
        ref = content.entity_ref
        return ref.value if ref and ref.value in self.index.objects else None

    def _flatten(self, content: ArgumentsDecl, owner: str | None) -> Flat:
        inherited, sound = self._inherit(content)
        merged, is_base_sound, refused = dict(inherited), sound, set[str]()
        if content.omit:
            self._omit(content, merged, sound=sound)
        for decl in content.fields:
            flat: FlatField | None = FlatField(decl)
            if decl.type is None:
                flat = self._refined(decl, merged, sound=sound and content.sound)
            elif decl.name.value in inherited:
                self._check_shown(decl, inherited[decl.name.value].decl)
            if flat is None:
                sound = False
                refused.add(decl.name.value)
            else:
                merged[decl.name.value] = flat
        if owner is not None and content.standard is not None:
            merged |= _properties(content.standard, owner)
        fields = tuple(merged.values())
        if content.descriptions:
            certain, diagnostics = is_base_sound and content.complete, self.diagnostics
            texts = _without_refused(content.descriptions, refused)
            fields = describe(fields, texts, inherited, diagnostics, certain=certain)
        return Flat(fields, sound and content.sound, sound and content.complete)

    def _check_shown(self, decl: FieldDecl, base: FieldDecl) -> None:
        """Report an entry that replaces a hidden field and does not say who gives its value."""
        is_hidden = origin_of(base, Diagnostics(), inside_value=False) != CALLER
        if is_hidden and {"from_context", "llm"}.isdisjoint(decl.attributes):
            self.diagnostics.add(
                rules.NO_LONGER_HIDDEN,
                decl.name.span,
                notes=[Note(base.name.span, "hidden here")],
                name=decl.name.value,
            )

    def _inherit(self, content: ArgumentsDecl) -> tuple[Mapping[str, FlatField], bool]:
        ref = content.entity_ref
        if ref is None:
            return {}, True
        if ref.value not in self.index.objects:
            self._refuse(ref)
            return {}, False
        parent = self._entities.get(ref.value)
        if parent is None:
            return {}, False
        root = self.index.objects[ref.value].content
        if root is not None and root.standard is not None:
            for entry in root.standard.entries:
                key = entry.key.text
                if key not in _PLAIN_ROOT and not key.startswith("x-"):
                    self.diagnostics.add(
                        rules.NOT_INHERITABLE,
                        ref.span,
                        name=ref.value,
                        keyword=key,
                    )
                    return {}, False
        inheritable = self._inheritable.get(ref.value)
        if inheritable is None:
            inheritable = self._inheritable[ref.value] = _inheritable_fields(
                parent, ref.value
            )
        return inheritable, parent.sound

    def _refuse(self, ref: Text) -> None:
        name = ref.value
        if name in self.index.enums:
            span = self.index.enums[name].name.span
            self.diagnostics.add(
                rules.ENUM_AS_ENTITY_REF,
                ref.span,
                notes=[Note(span, f"`{name}` is declared here")],
                name=name,
            )
        elif name in self.index.leaves:
            self.diagnostics.add(rules.LEAF_AS_ENTITY_REF, ref.span, name=name)
        elif name in ALIASES:
            self.diagnostics.add(rules.PRIMITIVE_AS_ENTITY_REF, ref.span, name=name)
        elif not self.index.doubts(name):
            near = did_you_mean(name, self.index.objects)
            self.diagnostics.add(
                rules.UNKNOWN_ENTITY,
                ref.span,
                suggestions=near,
                name=name,
            )

    def _report_cycle(self, cycle: list[str]) -> None:
        for name in cycle:
            self._entities[name] = Flat(sound=False, complete=False)
        first = min(cycle)
        rotated = cycle[cycle.index(first) :] + cycle[: cycle.index(first)]
        refs = [self._ref(member) for member in rotated]
        self.diagnostics.add(
            rules.INHERITANCE_CYCLE,
            refs[0],
            notes=[
                Note(span, f"`{member}` inherits here")
                for member, span in zip(rotated[1:], refs[1:], strict=True)
            ],
            name=first,
            path=" → ".join([*rotated, first]),
        )

    def _ref(self, name: str) -> Span:
        """Where an object entity says what it inherits."""
        decl = self.index.objects[name]
        ref = None if decl.content is None else decl.content.entity_ref
        return decl.name.span if ref is None else ref.span

    def _omit(
        self, content: ArgumentsDecl, merged: dict[str, FlatField], *, sound: bool
    ) -> None:
        inline = {decl.name.value for decl in content.fields}
        for omitted in content.omit:
            if omitted.value not in merged:
                if sound:
                    near = did_you_mean(omitted.value, merged)
                    self.diagnostics.add(
                        rules.OMIT_OF_NOTHING,
                        omitted.span,
                        suggestions=near,
                        name=omitted.value,
                    )
            elif omitted.value in inline:
                self.diagnostics.add(
                    rules.OMITTED_AND_INLINE,
                    omitted.span,
                    name=omitted.value,
                )
            else:
                del merged[omitted.value]

    def _refined(
        self, decl: FieldDecl, merged: Mapping[str, FlatField], *, sound: bool
    ) -> FlatField | None:
        """The inherited field as ``decl``, which has no type, changes it."""
        base = merged.get(decl.name.value)
        if base is not None:
            note = Note(decl.name.span, f"`{base.name}` is refined here")
            return replace(
                base,
                decl=_refine(base.decl, decl),
                declared=True,
                trail=(*base.trail, note),
            )
        if sound and decl.sound:
            self.diagnostics.add(
                rules.FIELD_WITHOUT_TYPE,
                decl.name.span,
                suggestions=did_you_mean(decl.name.value, merged),
                name=decl.name.value,
            )
        return None


def _without_refused(
    texts: tuple[tuple[Text, Text], ...], refused: set[str]
) -> tuple[tuple[Text, Text], ...]:
    """Return the texts that describe neither ``refused`` fields nor parts of them."""
    return tuple(
        text
        for text in texts
        if text[0].value not in refused
        and text[0].value.partition(".")[0] not in refused
    )


def _inheritable_fields(parent: Flat, owner: str) -> Mapping[str, FlatField]:
    """Return the fields that an entity hands on; all that inherit it share these objects."""
    return {
        flat.name: replace(
            flat,
            declared=False,
            trail=(
                Note(flat.decl.name.span, f"`{flat.name}` comes from `{owner}`"),
                *(note for note in flat.trail if note.span != flat.decl.name.span),
            ),
        )
        for flat in parent.fields
    }


def _refine(base: FieldDecl, decl: FieldDecl) -> FieldDecl:
    stated = set(decl.attributes)
    if "default" in stated:
        stated.add("required")
    if is_true(decl.attribute("required")):
        stated.add("default")
    inherited = {
        key: value for key, value in base.attributes.items() if key not in stated
    }
    return FieldDecl(
        name=decl.name,
        type=base.type,
        attributes={**inherited, **decl.attributes},
        fields=base.fields if decl.fields is None else decl.fields,
        items=decl.items or base.items,
        sound=base.sound and decl.sound,
    )


def _properties(schema: MapNode, owner: str) -> dict[str, FlatField]:
    properties = schema.get("properties")
    if not isinstance(properties, MapNode):
        return {}
    return {
        entry.key.text: FlatField(
            decl=FieldDecl(name=Text(entry.key.text, entry.key.span), type=None),
            source=owner,
        )
        for entry in properties.entries
    }


_NOT_OF_THE_SCHEMA = frozenset(
    {
        "required",
        "from_context",
        "llm",
        "bind",
        "embed",
        "precision",
        "scale",
        "wire",
        "tz",
        LINT_IGNORE,
    }
)


def refine_property(flat: FlatField, base: Field | None, frame: Frame) -> Field:
    """Return ``base`` with the attributes of ``flat``; its keywords are added to the schema.

    Where the entity is unsound there is no ``base``: the field then admits anything. Reports a
    default that the refined schema rejects.
    """
    decl = flat.decl
    if base is None:
        return Field(name=flat.name, type=JsonType(), schema={}, span=decl.name.span)
    schema = _refine_schema(base, decl, frame)
    required = base.required and decl.attribute("default") is None
    default = base.default
    if "default" in schema and schema is not base.schema:
        default = _refine_default(base, flat, schema, frame)
        if default is None:
            schema = {key: value for key, value in schema.items() if key != "default"}
    required_node = decl.attribute("required")
    if isinstance(required_node, ScalarNode) and isinstance(required_node.value, bool):
        required = is_required(decl, frame.diagnostics)
        default = None if required_node.value else default
    refined = replace(
        base,
        schema=schema,
        span=decl.name.span,
        required=required,
        default=default,
        description=text_of(decl, "description") or base.description,
        declared=flat.declared,
        origin=origin_of(decl, frame.diagnostics, inside_value=frame.inside_value),
        bind_json=decl.attribute("bind") is not None,
    )
    return apply_descriptions(refined, flat.described, frame)


def _refine_schema(base: Field, decl: FieldDecl, frame: Frame) -> JsonObject:
    keywords: dict[str, Json] = {}
    for key, (_, node) in decl.attributes.items():
        if key in _NOT_OF_THE_SCHEMA:
            continue
        keywords[key] = plain(node)
    schema = {**base.schema, **keywords}
    pattern = decl.attribute("pattern")
    if isinstance(pattern, ScalarNode) and check_pattern(pattern, frame.diagnostics):
        check_speed(pattern, schema.get("maxLength"), frame.diagnostics)
    return arrange(schema) if keywords else base.schema


def _refine_default(
    base: Field, flat: FlatField, schema: JsonObject, frame: Frame
) -> Default | None:
    """Return the default of the refined schema; None, and a report, if the schema refuses it."""
    from brimgen.judging.rejection import judge

    node, value = flat.decl.attribute("default"), schema["default"]
    judgement = judge(frame.shapes.complete(schema), value)
    if judgement.accepts:
        return base.default if node is None else Default(value)
    span = flat.decl.name.span if node is None else node.span
    if judgement.accepts is None:
        rule, name = DEFAULT_NOT_DECIDED, flat.name
        frame.diagnostics.add(rule, span, name=name, reason=judgement.why)
        return None
    frame.diagnostics.add(
        rules.REJECTED_VALUE,
        span,
        what="the default",
        name=flat.name,
        reason=judgement.why,
    )
    return None
