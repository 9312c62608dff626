"""Defaults, examples and enums: what a spec gives as a value must be one (language.md 3)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping

from brimgen.diagnostics import Diagnostics, Note, did_you_mean
from brimgen.diagnostics.rules import resolve as names_rules
from brimgen.diagnostics.rules import resolve_fields as rules
from brimgen.frozen import dataclass, field
from brimgen.model.fields import Default, Zone
from brimgen.model.json import Json
from brimgen.model.types import EnumType, LeafType, Scalar, ScalarType
from brimgen.resolve.constraints import Constraints
from brimgen.resolve.digits import check_digits
from brimgen.resolve.limits import broken, broken_count
from brimgen.resolve.types import PLAIN, Named
from brimgen.resolve.values import (
    EXPECTED,
    exact,
    fits,
    identity,
    is_datetime,
    is_null,
    is_number,
    is_replaced,
    show,
    to_json,
    whole,
)
from brimgen.source.nodes import ListNode, Node, ScalarNode
from brimgen.syntax.shapes import as_list

_TEXTS = frozenset({Scalar.STRING, Scalar.SPLAT})
_STRUCTURED = frozenset({Scalar.OBJECT, Scalar.ARRAY})
_DECIMAL = PLAIN[Scalar.DECIMAL]
_ASSUME_UTC = Zone.ASSUME_UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What a value of one field must be.

    ``named`` is None for nested fields. ``choices`` is the enum of the value or of an item, each
    value by the `identity` of what the spec may say for it. ``reject`` says what is wrong with an
    object, by the schema of the whole field. ``notes`` say where an inherited field comes from.
    """

    name: str
    named: Named | None
    is_list: bool
    nullable: bool
    constraints: Constraints = field(default_factory=Constraints)
    choices: Mapping[Hashable, Json] | None = None
    reject: Callable[[Json], str | None] = lambda value: None
    notes: tuple[Note, ...] = ()


def read_default(node: Node, probe: Probe, found: Diagnostics) -> Default | None:
    """Return the default that ``node`` says; None where it was reported."""
    sound, value = read_value(node, "the default", probe, found)
    if not sound:
        return None
    if isinstance(node, ScalarNode) and is_number(node.value) and is_number(value):
        return Default(value, str(exact(node)))
    return Default(value)


def read_enum(
    node: Node, probe: Probe, found: Diagnostics
) -> tuple[dict[Hashable, Json] | None, bool]:
    """Return the values of an `enum`, by their `identity`, and whether null is one of them.

    Items of a string enum keep their source text (``1.10`` is "1.10"). Every item must be a value
    of the field's type and within its bounds, one that ``probe.reject`` says nothing of, and stand
    once.
    """
    if not isinstance(node, ListNode):
        return None, False
    values: dict[Hashable, Json] = {}
    has_null = False
    for item in node.items:
        if is_null(item) and probe.nullable:
            has_null = True
            continue
        sound, value = _read_item(item, "an enum item", probe, found)
        if not sound or _is_rejected(item, value, "an enum item", probe, found):
            continue
        if probe.named is _DECIMAL and isinstance(item, ScalarNode):
            check_digits(item, value, "an enum item", probe.name, found)
        key = identity(value)
        if key in values:
            found.add(
                names_rules.DUPLICATE_ENUM_VALUE, item.span, value=_unquoted(item)
            )
            continue
        values[key] = value
    return values or None, has_null


def read_value(
    node: Node, what: str, probe: Probe, found: Diagnostics
) -> tuple[bool, Json]:
    """Return whether ``node`` is a value of the field, and the value; report where it is not."""
    if is_null(node) and probe.nullable:
        return True, None
    if not probe.is_list:
        return _read_item(node, what, probe, found)
    if not isinstance(node, ListNode):
        return _wrong(node, what, probe, "a list", found, as_list(node)), None
    items = [
        _read_item(each, f"an item of {what}", probe, found) for each in node.items
    ]
    value = [item for _, item in items]
    if not all(sound for sound, _ in items):
        return False, None
    return _check_counts(node, value, what, probe, found), value


def _read_item(
    node: Node, what: str, probe: Probe, found: Diagnostics
) -> tuple[bool, Json]:
    named = probe.named
    if isinstance(named, EnumType):
        return _read_choice(node, what, probe, found)
    if not isinstance(named, ScalarType) or named.scalar in _STRUCTURED:
        return _read_object(node, what, probe, found)
    value = _scalar_value(node, named.scalar, what, probe)
    scalar, constraints = named.scalar, probe.constraints
    if constraints.zone is _ASSUME_UTC and scalar is Scalar.DATETIME:
        fitting = isinstance(value, str) and is_datetime(value, needs_offset=False)
    else:
        fitting = fits(scalar, value, wire_string=constraints.wire_string)
    if not fitting or not isinstance(node, ScalarNode):
        expected = EXPECTED[scalar]
        if constraints.wire_string:
            expected = "a string of digits"
        from brimgen.resolve.meant import meant

        near = meant(node, Scalar.STRING if constraints.wire_string else scalar)
        return _wrong(node, what, probe, expected, found, near), None
    if isinstance(value, float) and scalar is Scalar.INT:
        value = whole(value)
    if probe.choices is not None and what != "an enum item":
        return _read_choice(node, what, probe, found)
    return _within(node, value, what, probe, found), value


def _scalar_value(node: Node, scalar: Scalar, what: str, probe: Probe) -> Json:
    """The value; the source text where a string enum is meant by what looks like a number."""
    if not isinstance(node, ScalarNode):
        return to_json(node)
    if scalar in _TEXTS and node.value is not None:
        by_text = what == "an enum item" or node.text in (probe.choices or ())
        return node.text if by_text else node.value
    return node.value


def _read_choice(
    node: Node, what: str, probe: Probe, found: Diagnostics
) -> tuple[bool, Json]:
    if probe.choices is None:
        return False, None
    for key in _keys_of(node, probe.named):
        if key in probe.choices:
            return True, probe.choices[key]
    texts = [str(each) for each in probe.choices.values()]
    text = node.text if isinstance(node, ScalarNode) else ""
    is_unquoted = text in probe.choices  # a text of a primitive, written like a number
    found.add(
        rules.NOT_IN_ENUM,
        node.span,
        notes=probe.notes,
        suggestions=[f'"{text}"'] if is_unquoted else did_you_mean(text, texts),
        what=what,
        name=probe.name,
        value=show(node),
    )
    return False, None


def _keys_of(node: Node, named: Named | None) -> Iterator[Hashable]:
    """What a choice can be found by: the value, or the source text where all choices are texts."""
    yield identity(to_json(node))
    is_mixed = isinstance(named, ScalarType) and named.scalar is Scalar.PRIMITIVE
    if not is_mixed and isinstance(node, ScalarNode) and node.value is not None:
        yield node.text


def _read_object(
    node: Node, what: str, probe: Probe, found: Diagnostics
) -> tuple[bool, Json]:
    value = to_json(node)
    if isinstance(probe.named, ScalarType):
        if not fits(probe.named.scalar, value):
            expected = EXPECTED[probe.named.scalar]
            return _wrong(node, what, probe, expected, found), None
        if isinstance(node, ListNode):
            items = list(value) if isinstance(value, list) else []
            return _check_counts(node, items, what, probe, found), value
        return True, value
    if isinstance(probe.named, LeafType) and probe.choices is not None:
        return _read_choice(node, what, probe, found)
    given = [value] if probe.is_list else value
    return not _is_rejected(node, given, what, probe, found), value


def _is_rejected(
    node: Node, value: Json, what: str, probe: Probe, found: Diagnostics
) -> bool:
    """Whether the schema of the field refuses a value, which is told then."""
    reason = probe.reject(value)
    if reason is None:
        return False
    found.add(
        rules.REJECTED_VALUE,
        node.span,
        notes=probe.notes,
        what=what,
        name=probe.name,
        reason=reason,
    )
    return True


def _within(
    node: ScalarNode, value: Json, what: str, probe: Probe, found: Diagnostics
) -> bool:
    if is_replaced(node):
        return True
    limit_broken = broken(node, value, probe.constraints)
    if limit_broken is not None:
        _tell_out(node, limit_broken, show(node), what, probe, found)
    return limit_broken is None


def _check_counts(
    node: ListNode, value: list[Json], what: str, probe: Probe, found: Diagnostics
) -> bool:
    limit_broken = broken_count(value, probe.constraints)
    if limit_broken is not None:
        _tell_out(node, limit_broken, f"{len(value)} items", what, probe, found)
    return limit_broken is None


def _tell_out(
    node: Node,
    limit_broken: tuple[str, object],
    shown: str,
    what: str,
    probe: Probe,
    found: Diagnostics,
) -> None:
    keyword, limit = limit_broken
    found.add(
        rules.OUT_OF_BOUNDS,
        node.span,
        notes=probe.notes,
        what=what,
        name=probe.name,
        keyword=keyword,
        limit=limit,
        value=shown,
    )


def _wrong(
    node: Node,
    what: str,
    probe: Probe,
    expected: str,
    found: Diagnostics,
    near: tuple[str, ...] = (),
) -> bool:
    if is_null(node):
        expected += " (write the type with `?` to admit null)"
    found.add(
        rules.WRONG_VALUE,
        node.span,
        notes=probe.notes,
        suggestions=near,
        what=what,
        name=probe.name,
        expected=expected,
        actual=show(node),
    )
    return False


def _unquoted(node: Node) -> str:
    return node.text if isinstance(node, ScalarNode) else show(node)
