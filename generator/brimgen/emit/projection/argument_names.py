"""Check the names of arguments against what providers accept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import ARGUMENT_NAME_NOT_PORTABLE
from brimgen.model.catalog import Tool
from brimgen.model.fields import Caller, name_fault
from brimgen.model.json import JsonObject
from brimgen.schema.walk import is_object, pointer_to, schemas_in

_PYTHONIC = re.compile(r"\A[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
_PORTABLE = re.compile(r"\A[a-zA-Z0-9_.-]{1,64}\Z")


def is_portable(name: str) -> bool:
    """Whether no provider refuses a request for an argument of this name (descriptors.md)."""
    return bool(_PORTABLE.match(name))


def is_plain(name: str) -> bool:
    """Whether Gemini accepts a parameter of this name (descriptors.md)."""
    return bool(_PYTHONIC.match(name))


def all_names(schema: JsonObject) -> Iterator[tuple[str, str]]:
    """Return the names of all properties in a schema, each with its pointer."""
    for pointer, node in schemas_in(schema):
        properties = node.get("properties")
        for name in properties if is_object(properties) else ():
            yield pointer_to(pointer, "properties", name), name


def check_argument_names(tools: Sequence[Tool], diagnostics: Diagnostics) -> None:
    """Warn of names with which some providers refuse the whole request (descriptors.md).

    However many targets ask, a name is reported once; one that is not valid was refused as
    such.
    """
    # Most tools have the names of others, and all of them good ones: each is judged once.
    names = {field.name for tool in tools for field in tool.fields}
    bad = {name for name in names if not (is_portable(name) or name_fault(name))}
    for tool in tools if bad else ():
        for field in tool.fields:
            if field.name in bad and isinstance(field.origin, Caller):
                diagnostics.add(
                    ARGUMENT_NAME_NOT_PORTABLE,
                    field.span,
                    tool=tool.name,
                    name=field.name,
                )
