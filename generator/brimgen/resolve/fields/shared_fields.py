"""Make a field once for all owners that inherit it or declare it in the same words."""

from __future__ import annotations

from collections.abc import Hashable

from brimgen.model.types import Field
from brimgen.resolve.fields.fields import make_field
from brimgen.resolve.fields.flat_field import FlatField
from brimgen.resolve.fields.frame import Frame
from brimgen.resolve.fields.presence import check_name
from brimgen.source.nodes import ListNode, ScalarNode


def make_fields(flats: tuple[FlatField, ...], frame: Frame) -> tuple[Field, ...]:
    """Return the fields of an owner, in their order.

    Specs repeat themselves: a limit, a page, a tenant. What says the same is made once, unless
    anything was reported of it: then each is made, so that it is reported at each.
    """
    return tuple(
        [
            _declared(flat, frame) if flat.declared else _inherited(flat, frame)
            for flat in flats
        ]
    )


def _declared(flat: FlatField, frame: Frame) -> Field:
    key = _cache_key(flat, frame)
    if key is None:
        return make_field(flat, frame)
    name, shared = flat.decl.name, frame.cache.declared.get(key)
    if shared is not None:
        check_name(name, frame.diagnostics)
        return shared.renamed(name.value, name.span)
    reports = frame.diagnostics.reports
    field = make_field(flat, frame)
    if frame.diagnostics.reports == reports:
        frame.cache.declared[key] = field
    return field


def _cache_key(flat: FlatField, frame: Frame) -> Hashable | None:
    """All of a field but its name and places; None where that is more than words and lists."""
    decl, text = flat.decl, flat.decl.type
    if text is None or decl.fields is not None or decl.items is not None:
        return None
    if flat.source is not None or flat.described:
        return None
    place = frame.splat, frame.inside_value
    key_parts: list[Hashable] = [*place, text.name, text.is_list, text.is_optional]
    for key, (_, node) in decl.attributes.items():
        if isinstance(node, ScalarNode):
            key_parts += key, node.text, node.quoted
        elif isinstance(node, ListNode):
            items = [item for item in node.items if isinstance(item, ScalarNode)]
            if len(items) < len(node.items):
                return None
            key_parts += key, tuple([(item.text, item.quoted) for item in items])
        else:
            return None
    return tuple(key_parts)


def _inherited(flat: FlatField, frame: Frame) -> Field:
    """The field that an entity hands on: made for the first of those that inherit it.

    One with nested fields is made for each of them, because their classes are named after it.
    """
    if flat.decl.fields is not None:
        return make_field(flat, frame)
    key = (id(flat), frame.splat, frame.inside_value)
    shared = frame.cache.inherited.get(key)
    if shared is None:
        shared = frame.cache.inherited[key] = (flat, make_field(flat, frame))
    return shared[1]
