"""Tell whether a value of a type can be written at its place in a request."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from brimgen.model.http import Style
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    JsonType,
    ListType,
    MapType,
    RecordType,
    ScalarType,
    Type,
    UnionType,
)
from brimgen.resolve.fields.type_lookup import certain

STYLES: Mapping[str, Style] = MappingProxyType({each.value: each for each in Style})
"""What may stand behind the ``|`` of a variable."""


class TemplatePosition(StrEnum):
    """Where a template stands, in the words of a message."""

    HOST = "in a host"
    PATH = "in a path"
    QUERY = "in a query"
    HEADER = "in a header"
    AUTH = "in the authorization"
    BODY = "in a text"
    TEXT = "in a body of text"

    @property
    def phrase(self) -> str:
        """``a path``."""
        return self.value.removeprefix("in ")


def is_writable(
    style: Style | None, kind: Type, place: TemplatePosition, *, alone: bool
) -> bool:
    """Whether a value of a type can be written in a style where it stands.

    ``alone`` says that nothing stands beside it.
    """
    match style:
        case Style.JSON:
            return place is not TemplatePosition.HOST
        case Style.DEEP:
            return alone and place is TemplatePosition.QUERY
        case Style.COMMA | Style.SPACE | Style.PIPE:
            return place is not TemplatePosition.HOST and _is_list_of_plain(kind)
        case None:
            is_whole_json = alone and place is TemplatePosition.BODY
            is_repeated = alone and place is TemplatePosition.QUERY
            return is_whole_json or _is_plain(kind, is_repeated)


def _is_list_of_plain(kind: Type) -> bool:
    inner = inner_type(kind)
    if isinstance(inner, ListType):
        return _is_plain(inner.item, False)
    is_any_list = isinstance(inner, ScalarType) and SCALARS[inner.scalar].is_array
    return is_any_list or isinstance(inner, JsonType | UnionType)


def _is_plain(kind: Type, admits_list: bool) -> bool:
    inner = inner_type(kind)
    if isinstance(inner, ListType):
        return admits_list and _is_plain(inner.item, False)
    if isinstance(inner, ScalarType):
        return not SCALARS[inner.scalar].is_structured
    return not isinstance(inner, EntityType | RecordType | MapType)


def called(kind: Type) -> str:
    """What a message calls a value of a type."""
    match inner_type(kind):
        case ListType():
            return "a list"
        case ScalarType(scalar) if SCALARS[scalar].is_array:
            return "a list"
        case ScalarType(scalar) if SCALARS[scalar].is_object:
            return "an object"
        case EntityType() | RecordType() | MapType():
            return "an object"
        case _:
            return "a plain value"


def inner_type(kind: Type) -> Type:
    """The type that a value has which is there for certain."""
    return certain(kind) or kind
