"""Bind the arguments of a call for a driver, as the rows of a statement's module say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ..records.bound_class import check_bound
from . import _expand

BoundT = TypeVar("BoundT")
Encode: TypeAlias = Callable[[Any, str], object]


class Param(NamedTuple):
    """A parameter of a statement: its name and type in the spec, and what encodes its values.

    ``origin`` is where a value is from, ``attribute`` its name in Python, where that is another.
    None is NULL, or no items where it is ``empty``.
    """

    name: str
    type: str
    encode: Encode
    nullable: bool = False
    origin: str = "caller"
    attribute: str = ""
    empty: bool = False


class Slot(NamedTuple):
    """A value that is bound under another ``key`` than its name, or otherwise encoded.

    The items of a list that ``expands`` are bound one by one.
    """

    name: str
    key: str = ""
    encode: Encode | None = None
    expands: bool = False


class Lists(NamedTuple):
    """The text of a statement around lists on the right of IN, as `_expand.expanded` takes it.

    ``keys`` are those of the lists, in the order of their places.
    """

    pieces: tuple[str, ...]
    keys: tuple[str, ...]
    mark: str
    empty: str
    row: str = ""


class _Value(NamedTuple):
    """A value that is bound; for None the encoder is asked where it ``refuses_none``."""

    key: str
    name: str
    attribute: str
    encode: Encode
    refuses_none: bool
    has_items: bool
    expands: bool

    def of(self, bound: object) -> Any:
        """Return what is bound. Raises BindError."""
        value = getattr(bound, self.attribute)
        if value is not None or self.refuses_none:
            return self.encode(value, self.name)
        return [] if self.has_items else None


def _values(params: Iterable[Param], order: Sequence[str | Slot]) -> list[_Value]:
    """Return the values of ``order``, which is that of the parameters where it is empty."""
    by_name = {param.name: param for param in params}
    slots = [Slot(each) if isinstance(each, str) else each for each in order or by_name]
    values: list[_Value] = []
    for slot in slots:
        param = by_name[slot.name]
        has_items = slot.expands or (param.empty and slot.encode is None)
        values.append(
            _Value(
                slot.key or slot.name,
                slot.name,
                param.attribute or slot.name,
                slot.encode or param.encode,
                not (has_items or param.nullable),
                has_items,
                slot.expands,
            )
        )
    return values


def nothing(kind: type[BoundT]) -> Callable[[BoundT], None]:
    """Return what binds nothing: ``execute`` takes no arguments, so that ``%`` is itself."""

    def bind(bound: BoundT) -> None:
        check_bound(bound, kind.__name__)

    return bind


def named(
    kind: type[BoundT], params: Iterable[Param], *order: str | Slot
) -> Callable[[BoundT], dict[str, object]]:
    """Return what makes the dict that ``execute`` takes. It raises BindError."""
    values = _values(params, order)

    def bind(bound: BoundT) -> dict[str, object]:
        check_bound(bound, kind.__name__)
        return {each.key: each.of(bound) for each in values}

    return bind


def positional(
    kind: type[BoundT], params: Iterable[Param], *order: str | Slot
) -> Callable[[BoundT], tuple[object, ...]]:
    """Return what makes the tuple that ``execute`` takes. It raises BindError."""
    values = _values(params, order)

    def bind(bound: BoundT) -> tuple[object, ...]:
        check_bound(bound, kind.__name__)
        return tuple([each.of(bound) for each in values])

    return bind


def named_lists(
    kind: type[BoundT], params: Iterable[Param], lists: Lists, *order: str | Slot
) -> Callable[[BoundT], tuple[str, dict[str, object]]]:
    """Return what makes the text and the dict that ``execute`` takes. It raises BindError."""
    values = _values(params, order)

    def render(bound: BoundT) -> tuple[str, dict[str, object]]:
        check_bound(bound, kind.__name__)
        found = [(each, each.of(bound)) for each in values]
        arguments: dict[str, object] = {}
        for each, value in found:
            arguments |= (
                _expand.spread(each.key, value) if each.expands else {each.key: value}
            )
        return _text(lists, found), arguments

    return render


def positional_lists(
    kind: type[BoundT], params: Iterable[Param], lists: Lists, *order: str | Slot
) -> Callable[[BoundT], tuple[str, tuple[object, ...]]]:
    """Return what makes the text and the tuple that ``execute`` takes. It raises BindError."""
    values = _values(params, order)

    def render(bound: BoundT) -> tuple[str, tuple[object, ...]]:
        check_bound(bound, kind.__name__)
        found = [(each, each.of(bound)) for each in values]
        arguments: list[object] = []
        for each, value in found:
            arguments += value if each.expands else [value]
        return _text(lists, found), tuple(arguments)

    return render


def _text(lists: Lists, found: Iterable[tuple[_Value, Any]]) -> str:
    items = {each.key: value for each, value in found if each.expands}
    places = [(key, items[key]) for key in lists.keys]
    return _expand.expanded(lists.pieces, places, lists.mark, lists.empty, lists.row)


def chosen(
    kind: type[BoundT],
    chosen_by: Sequence[str],
    given: Sequence[str],
    variants: Mapping[tuple[object, ...], tuple[str | None, Callable[[BoundT], Any]]],
) -> Callable[[BoundT], tuple[str, Any]]:
    """Return what makes the text and the arguments of the variant that a call chooses.

    Its key are the values of the attributes ``chosen_by``, and whether those ``given`` are there.
    A variant has a text and what binds its arguments, or None and what gives both. It raises
    BindError.
    """

    def render(bound: BoundT) -> tuple[str, Any]:
        check_bound(bound, kind.__name__)
        values = [getattr(bound, name) for name in chosen_by]
        labels = [each.value if isinstance(each, Enum) else each for each in values]
        presence = [getattr(bound, name) is not None for name in given]
        text, bind = _expand.chosen(variants, (*labels, *presence))
        return bind(bound) if text is None else (text, bind(bound))

    return render
