"""Read defaults, examples and choices of a field, and check them by its type."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping

from brimgen.diagnostics import Diagnostics, Note, Rule, Span, did_you_mean, rules
from brimgen.diagnostics.rules import DEFAULT_NOT_DECIDED
from brimgen.frozen import dataclass, field
from brimgen.model.fields import Default, Zone
from brimgen.model.json import Json, JsonObject
from brimgen.model.leaves import Shipped
from brimgen.model.scalar_texts import is_datetime
from brimgen.model.scalars import SCALARS
from brimgen.model.types import EnumType, LeafType, Scalar, ScalarType
from brimgen.resolve.fields.canonical_schema import arrange
from brimgen.resolve.fields.constraints import (
    Constraints,
    broken_count,
    broken_keyword,
    check_digits,
)
from brimgen.resolve.fields.frame import FlatField, Frame
from brimgen.resolve.fields.types import Named
from brimgen.resolve.values import (
    exact,
    exact_integer,
    fits,
    identity,
    intended_values,
    is_number,
    is_replaced,
    show,
)
from brimgen.source.nodes import ListNode, Node, ScalarNode, plain
from brimgen.syntax.decls import FieldDecl
from brimgen.syntax.reader import is_null
from brimgen.syntax.shapes import as_list
from brimgen_runtime.grammar.schema_parts import subschemas


def respelled(
    choices: Mapping[Hashable, Json],
    constraints: Constraints,
    named: Named | None,
    flat: FlatField,
    frame: Frame,
) -> Mapping[Hashable, Json]:
    """Return the choices of a moment or a UUID as generated code writes them, by their texts.

    Generated code reads many spellings and writes one. An enum accepts only its own texts, and
    would refuse a value that was decoded and encoded again. So an item in another spelling is
    replaced, and reported, unless the enum has both spellings.
    """
    leaf = frame.index.leaves[named.name] if isinstance(named, LeafType) else None
    shipped = None if leaf is None else leaf.shipped
    if leaf is not None and shipped not in (Shipped.UUID, Shipped.TIMESTAMP):
        return choices
    node = constraints.enum and constraints.enum.value
    items = node.items if isinstance(node, ListNode) else ()
    texts = {item.text: item for item in items if isinstance(item, ScalarNode)}
    changed = dict(choices)
    for text, item in texts.items():
        written = _encoded(text, shipped, constraints.zone)
        if written is not None and written not in texts:
            changed[text] = written
            frame.diagnostics.add(
                rules.UNUSUAL_SPELLING,
                item.span,
                name=flat.name,
                value=text,
                written=written,
            )
    return changed


def _encoded(text: str, shipped: Shipped | None, zone: Zone) -> str | None:
    """Return how generated code writes the value of a text; None if it is invalid (reported)."""
    from brimgen_runtime.records.encode import to_json_value
    from brimgen_runtime.schema.formats import to_uuid
    from brimgen_runtime.schema.times import to_datetime

    try:
        if shipped is Shipped.UUID:
            return str(to_uuid(text))
        moment = to_datetime(text, assume_utc=zone is Zone.ASSUME_UTC)
    except ValueError:
        return None
    return str(to_json_value(moment))


_ASSUME_UTC = Zone.ASSUME_UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What a value of one field must be.

    ``named`` is None for nested fields. ``choices`` is the enum of the value or of an item: each
    value, by the `identity` of its texts in specs. ``reject`` returns what is wrong with an object,
    by the schema of the whole field; ``why_undecided`` returns why it is not known whether the
    schema accepts a value. ``notes`` point at the declarations of an inherited field.
    """

    name: str
    named: Named | None
    is_list: bool
    nullable: bool
    constraints: Constraints = field(default_factory=Constraints)
    choices: Mapping[Hashable, Json] | None = None
    reject: Callable[[Json], str | None] = lambda value: None
    why_undecided: Callable[[Json], str | None] = lambda value: None
    notes: tuple[Note, ...] = ()


def read_default(node: Node, probe: Probe, diagnostics: Diagnostics) -> Default | None:
    """Return the default that ``node`` says; None where it was reported."""
    sound, value = read_value(node, "the default", probe, diagnostics)
    if not sound:
        return None
    if isinstance(node, ScalarNode) and is_number(node.value) and is_number(value):
        return Default(value, str(exact(node)))
    return Default(value)


def read_enum(
    node: Node, probe: Probe, diagnostics: Diagnostics
) -> tuple[dict[Hashable, Json] | None, bool]:
    """Return the values of an `enum`, by their `identity`, and whether null is one of them.

    Items of a string enum keep their source text (``1.10`` is "1.10"). Every item must be a value
    of the field's type and within its bounds, one that ``probe.reject`` says nothing of, and stand
    once.
    """
    if not isinstance(node, ListNode):
        return None, False
    reader = _Reader("an enum item", probe, diagnostics, is_choice=True)
    values: dict[Hashable, Json] = {}
    has_null = False
    for item in node.items:
        if is_null(item) and probe.nullable:
            has_null = True
            continue
        sound, value = reader.item(item)
        if not sound or reader.is_rejected(item, value):
            continue
        if _keeps_digits(probe.named) and isinstance(item, ScalarNode):
            check_digits(item, value, reader.label, probe.name, diagnostics)
        key = identity(value)
        if key in values:
            diagnostics.add(
                rules.DUPLICATE_ENUM_VALUE, item.span, value=_unquoted(item)
            )
            continue
        values[key] = value
    return values or None, has_null


def read_value(
    node: Node, label: str, probe: Probe, diagnostics: Diagnostics
) -> tuple[bool, Json]:
    """Return whether ``node`` is a value of the field, and the value; report where it is not.

    Messages call it ``label``.
    """
    reader = _Reader(label, probe, diagnostics)
    if is_null(node) and probe.nullable:
        return True, None
    if not probe.is_list:
        return reader.item(node)
    if not isinstance(node, ListNode):
        return reader.refuse(node, "a list", as_list(node)), None
    of_items = _Reader(f"an item of {label}", probe, diagnostics)
    items = [of_items.item(item) for item in node.items]
    value = [item for _, item in items]
    if not all(sound for sound, _ in items):
        return False, None
    return reader.check_counts(node, value), value


class _Reader:
    """Reads values for ``probe``; messages call them ``label``.

    A choice is an item of the very enum that says what other values may be.
    """

    __slots__ = ("_diagnostics", "_is_choice", "_probe", "label")

    def __init__(
        self,
        label: str,
        probe: Probe,
        diagnostics: Diagnostics,
        *,
        is_choice: bool = False,
    ) -> None:
        self.label = label
        self._probe = probe
        self._diagnostics = diagnostics
        self._is_choice = is_choice

    def item(self, node: Node) -> tuple[bool, Json]:
        """Whether ``node`` is a value, or an item where values are lists; and the value."""
        named, constraints = self._probe.named, self._probe.constraints
        if isinstance(named, EnumType):
            return self._choice(node)
        if not isinstance(named, ScalarType) or SCALARS[named.scalar].is_structured:
            return self._object(node)
        scalar, row = named.scalar, SCALARS[named.scalar]
        value = self._scalar_value(node, scalar)
        if constraints.zone is _ASSUME_UTC and row.has_zone:
            fitting = isinstance(value, str) and is_datetime(value, needs_offset=False)
        else:
            fitting = fits(scalar, value, wire_string=constraints.wire_string)
        if not fitting or not isinstance(node, ScalarNode):
            expected = row.expected
            if constraints.wire_string:
                expected = "a string of digits"
            near = intended_values(
                node, Scalar.STRING if constraints.wire_string else scalar
            )
            return self.refuse(node, expected, near), None
        if isinstance(value, float) and row.is_integer:
            value = exact_integer(value)
        if self._probe.choices is not None and not self._is_choice:
            return self._choice(node)
        return self._is_within_limits(node, value), value

    def _scalar_value(self, node: Node, scalar: Scalar) -> Json:
        """Return the value; for a string enum, the source text, which may look like a number."""
        if not isinstance(node, ScalarNode):
            return plain(node)
        if SCALARS[scalar].is_text and node.value is not None:
            by_text = self._is_choice or node.text in (self._probe.choices or ())
            return node.text if by_text else node.value
        return node.value

    def _choice(self, node: Node) -> tuple[bool, Json]:
        probe = self._probe
        if probe.choices is None:
            return False, None
        for key in _keys_of(node, probe.named):
            if key in probe.choices:
                return True, probe.choices[key]
        texts = [str(choice) for choice in probe.choices.values()]
        text = node.text if isinstance(node, ScalarNode) else ""
        is_unquoted = text in probe.choices  # a text of a primitive, like a number
        near = (f'"{text}"',) if is_unquoted else did_you_mean(text, texts)
        self._report(rules.NOT_IN_ENUM, node, suggestions=near, value=show(node))
        return False, None

    def _object(self, node: Node) -> tuple[bool, Json]:
        value, probe = plain(node), self._probe
        if isinstance(probe.named, ScalarType):
            if not fits(probe.named.scalar, value):
                return (
                    self.refuse(node, SCALARS[probe.named.scalar].expected),
                    None,
                )
            if isinstance(node, ListNode):
                items = list(value) if isinstance(value, list) else []
                return self.check_counts(node, items), value
            return True, value
        if isinstance(probe.named, LeafType) and probe.choices is not None:
            return self._choice(node)
        field_value = [value] if probe.is_list else value
        return not self.is_rejected(node, field_value), value

    def is_rejected(self, node: Node, value: Json) -> bool:
        """Return whether the schema of the field refuses a value; report it if so."""
        reason = self._probe.reject(value)
        if reason is not None:
            self._report(rules.REJECTED_VALUE, node, reason=reason)
        return reason is not None

    def _is_within_limits(self, node: ScalarNode, value: Json) -> bool:
        if is_replaced(node):
            return True
        limit_broken = broken_keyword(node, value, self._probe.constraints)
        if limit_broken is not None:
            self._report_broken_limit(node, limit_broken, show(node))
        return limit_broken is None

    def check_counts(self, node: ListNode, value: list[Json]) -> bool:
        """Return whether a list has an allowed number of items; report it if not."""
        limit_broken = broken_count(value, self._probe.constraints)
        if limit_broken is not None:
            self._report_broken_limit(node, limit_broken, f"{len(value)} items")
        return limit_broken is None

    def _report_broken_limit(
        self, node: Node, limit_broken: tuple[str, object], shown: str
    ) -> None:
        keyword, limit = limit_broken
        self._report(
            rules.OUT_OF_BOUNDS, node, keyword=keyword, limit=limit, value=shown
        )

    def refuse(self, node: Node, expected: str, near: tuple[str, ...] = ()) -> bool:
        """Report that a value is not what is ``expected``, and return False."""
        if is_null(node):
            expected += " (write the type with `?` to admit null)"
        self._report(
            rules.WRONG_VALUE,
            node,
            suggestions=near,
            expected=expected,
            actual=show(node),
        )
        return False

    def _report(
        self,
        rule: Rule,
        node: Node,
        suggestions: tuple[str, ...] = (),
        **values: object,
    ) -> None:
        probe = self._probe
        self._diagnostics.add(
            rule,
            node.span,
            notes=_other_notes(probe.notes, node.span),
            suggestions=suggestions,
            what=self.label,
            name=probe.name,
            **values,
        )


def _keys_of(node: Node, named: Named | None) -> Iterator[Hashable]:
    """Yield the keys of a choice: the value, and the source text unless types are mixed."""
    yield identity(plain(node))
    is_mixed = isinstance(named, ScalarType) and SCALARS[named.scalar].is_mixed
    if not is_mixed and isinstance(node, ScalarNode) and node.value is not None:
        yield node.text


def _unquoted(node: Node) -> str:
    return node.text if isinstance(node, ScalarNode) else show(node)


def _other_notes(notes: tuple[Note, ...], place: Span) -> list[Note]:
    """Return ``notes`` without that of the declaration around ``place``: the last one before it."""
    before = [
        note.span
        for note in notes
        if note.span.file == place.file and note.span < place
    ]
    return [note for note in notes if note.span != max(before, default=None)]


def _keeps_digits(named: Named | None) -> bool:
    return isinstance(named, ScalarType) and SCALARS[named.scalar].keeps_digits


_UNDECIDABLE = frozenset({"pattern", "patternProperties", "$ref"})
"""Keywords by which the verdict on a value may be unknown at build time."""


def read_default_and_examples(
    decl: FieldDecl, probe: Probe, words: dict[str, Json], diagnostics: Diagnostics
) -> Default | None:
    """Return the default; put it and the sound examples into ``words``.

    A refused default, which is an error, is returned all the same, as the argument has one. A
    default that cannot be judged is reported and left out.
    """
    examples = decl.attribute("examples")
    if isinstance(examples, ListNode):
        checked = [
            read_value(item, "an example", probe, diagnostics)
            for item in examples.items
        ]
        words["examples"] = [value for sound, value in checked if sound]
    node = decl.attribute("default")
    if node is None:
        return None
    default = read_default(node, probe, diagnostics)
    if default is None:
        return Default(plain(node))
    why = probe.why_undecided(default.value)
    if why is not None:
        diagnostics.add(DEFAULT_NOT_DECIDED, node.span, name=probe.name, reason=why)
        return None
    if default.value is not None:
        words["default"] = default.value
        named = probe.named
        is_exact = isinstance(named, ScalarType) and SCALARS[named.scalar].keeps_digits
        if default.is_rounded and is_exact:
            words["x-default"] = default.text
    return default


def why_undecided(schema: JsonObject, frame: Frame, value: Json) -> str | None:
    """Return why it is not known whether a schema accepts a value; None if it is known."""
    if not any(subschema.keys() & _UNDECIDABLE for subschema in subschemas(schema)):
        return None
    from brimgen.judging.rejection import judge

    judgement = judge(frame.shapes.complete(arrange(schema)), value)
    return judgement.why if judgement.accepts is None else None
