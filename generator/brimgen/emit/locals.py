"""Name the arguments of tools inside of methods, and as parameters of ``bind``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brimgen.emit.code import Code
from brimgen.emit.names import field_attribute
from brimgen.model.fields import Host
from brimgen.model.types import Field

# What the bodies of generated methods say themselves.
_BODY = frozenset(
    {
        "Exception",
        "all",
        "call",
        "cls",
        "context",
        "dict",
        "dt",
        "each",
        "encoded",
        "format",
        "decoded",
        "found",
        "given",
        "inf",
        "isfinite",
        "isinstance",
        "item",
        "key",
        "len",
        "levels",
        "list",
        "made",
        "new_instance",
        "map",
        "object",
        "raw",
        "self",
        "sent",
        "set",
        "type",
        "value",
        "part",
    }
)


# Classes, and functions of the runtime and of the entities.
_FUNCTIONS = r"(to|read)_\w*[a-z0-9]\Z|(check_call|exact_float|given_nulls|left_out)\Z"
_MADE = re.compile(rf"[A-Z]|{_FUNCTIONS}")
_LONGEST_LOCAL = 28
_LONGEST_PARAMETER = 40
# Of `_BODY`, what `bind` has no use for.
_FREE_IN_BIND = frozenset(
    {"decoded", "each", "encoded", "format", "found", "given", "item", "key"}
    | {"levels", "made", "new_instance", "part", "raw", "sent", "type", "value"}
)
_MADE_IN_BIND = re.compile(rf"(context|host)_value\Z|{_FUNCTIONS}")


def local_name(name: str, taken: set[str]) -> Code:
    """A name for use inside a method, short enough that what is done with it fits on a line."""
    if _MADE.match(name):
        name = f"{name.lower() if name.isupper() else name[0].lower() + name[1:]}_"
    name = name if len(name) <= _LONGEST_LOCAL else name[:_LONGEST_LOCAL].rstrip("_")
    while name in taken or name in _BODY:
        name = f"{name}_"
    taken.add(name)
    return Code(name)


def host_name(attribute: Code) -> Code:
    """The parameter of ``bind`` that the host program gives: the attribute, as far as possible."""
    name = str(attribute)
    name = (
        name[:_LONGEST_PARAMETER].rstrip("_")
        if len(name) > _LONGEST_PARAMETER
        else name
    )
    taken = name in _BODY - _FREE_IN_BIND or _MADE_IN_BIND.match(name)
    return Code(f"{name}_" if taken else name)


def local_names(fields: Iterable[Field]) -> list[Code]:
    """The name of each field inside of ``bind``; those that the host program gives come first."""
    listed = [(field, field_attribute(field)) for field in fields]
    taken: set[str] = set()
    hosts: dict[int, Code] = {}
    for number, (field, name) in enumerate(listed):
        if isinstance(field.origin, Host):
            hosts[number] = _unique_name(host_name(name), taken)
    return [
        hosts.get(number) or local_name(name, taken)
        for number, (_, name) in enumerate(listed)
    ]


def _unique_name(name: Code, taken: set[str]) -> Code:
    while name in taken:
        name = Code(f"{name}_")
    taken.add(name)
    return name


def free_name(name: str, fields: Iterable[Field]) -> Code:
    """Append ``_`` to ``name`` while an attribute of ``fields`` is called so."""
    names = {field_attribute(field) for field in fields}
    while name in names:
        name += "_"
    return Code(name)
