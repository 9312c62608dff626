"""Make the JSON Schema of the catalog view from `view_types`."""

from __future__ import annotations

import json
import types
from collections.abc import Iterator
from inspect import cleandoc
from typing import (
    Annotated,
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from brimgen.emit.catalog_view.view_types import VIEW_VERSION, CatalogView

_SIMPLE: dict[object, dict[str, Any]] = {
    Any: {},
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    types.NoneType: {"type": "null"},
}


def view_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the view; it states the version of the view."""
    shapes = {shape.__name__: _object(shape) for shape in _shapes(CatalogView, set())}
    root = shapes.pop(CatalogView.__name__)
    root["properties"]["view_version"]["const"] = VIEW_VERSION
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The catalog view of brimgen, version {VIEW_VERSION}",
        **root,
        "$defs": dict(sorted(shapes.items())),
    }


def view_schema_text() -> str:
    """`view_schema` as the text of a file."""
    return json.dumps(view_schema(), indent=2, ensure_ascii=False) + "\n"


def _shapes(shape: type, seen: set[type]) -> Iterator[type]:
    """``shape`` and all shapes that its keys lead to."""
    if shape in seen:
        return
    seen.add(shape)
    yield shape
    for hint in get_type_hints(shape).values():
        for part in _parts(hint):
            if is_typeddict(part):
                yield from _shapes(part, seen)


def _parts(hint: Any) -> Iterator[Any]:
    yield hint
    for part in get_args(hint):
        yield from _parts(part)


def _object(shape: type) -> dict[str, Any]:
    hints = get_type_hints(shape, include_extras=True)
    return {
        "description": cleandoc(shape.__doc__ or ""),
        "type": "object",
        "properties": {key: _schema(hint) for key, hint in hints.items()},
        "required": list(hints),
        "additionalProperties": False,
    }


def _schema(hint: Any) -> dict[str, Any]:
    if hint in _SIMPLE:
        return dict(_SIMPLE[hint])
    if is_typeddict(hint):
        return {"$ref": f"#/$defs/{hint.__name__}"}
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return {"description": parts[1], **_schema(parts[0])}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin is list:
        return {"type": "array", "items": _schema(parts[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(parts[1])}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(part) for part in parts]}
    raise TypeError(f"the view has no such type: {hint}")
