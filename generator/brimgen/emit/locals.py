"""Name the parameters of ``bind``, and attributes that no field has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from brimgen.emit.code import Code
from brimgen.emit.names import field_attribute
from brimgen.model.fields import Host
from brimgen.model.types import Field

_BODY = ("bind_call", "call", "cls", "context")
"""What the method ``bind`` says itself."""

_LONGEST_PARAMETER = 40


def host_parameters(fields: Iterable[Field]) -> Iterator[tuple[Field, Code]]:
    """The fields that the host program gives, and their parameters of ``bind``: the attributes, as
    far as possible.
    """
    taken: set[str] = {*_BODY}
    for field in fields:
        if isinstance(field.origin, Host):
            name = str(field_attribute(field))
            if len(name) > _LONGEST_PARAMETER:
                name = name[:_LONGEST_PARAMETER].rstrip("_")
            while name in taken:
                name = f"{name}_"
            taken.add(name)
            yield field, Code(name)


def free_name(name: str, fields: Iterable[Field]) -> Code:
    """Append ``_`` to ``name`` while an attribute of ``fields`` is called so."""
    names = {field_attribute(field) for field in fields}
    while name in names:
        name += "_"
    return Code(name)
