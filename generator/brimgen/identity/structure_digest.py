"""Digest the structure of tools and bundles: what ``modifiedAt`` depends on (S2.28).

Of a tool: its names, texts, tags, schemas and body; not whether it is enabled, and not where it
stands in its file. Of a bundle: its names and texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import Enum
from hashlib import sha256
from types import MappingProxyType
from typing import Any, TypeGuard

from brimgen.diagnostics import Span, TextBlock
from brimgen.frozen import fields, is_dataclass
from brimgen.model.catalog import Bundle, Limits, Tool
from brimgen_runtime.grammar.hosts import Host

_LATER: Mapping[str, Any] = MappingProxyType(
    {
        "is_strict": False,
        "style": None,
        "last_id": False,
        "keywords": False,
        "query_tables": (),
        "max_rows": 0,
    }
)
"""What the model learnt when lock files knew tools already, and what they were without it.

It is left out where it says just that: an upgrade changes no tool.
"""
_DERIVED = frozenset({"places", "fragments", "handler_span"})
"""What the model says twice (the variants of a statement hold its fragments), and places."""


def structure_of(subject: Bundle | Tool) -> str:
    """The digest of the structure of a bundle or tool."""
    text = json.dumps(
        _plain(_structure(subject)), sort_keys=True, separators=(",", ":")
    )
    return sha256(text.encode()).hexdigest()


def _structure(subject: Bundle | Tool) -> dict[str, Any]:
    structure: dict[str, Any] = {
        "slug": subject.slug,
        "description": subject.description,
        "extensions": subject.extensions,
        **({} if subject.limits == Limits() else {"limits": subject.limits}),
    }
    if isinstance(subject, Bundle):
        return {**structure, "displayName": subject.display_name}
    names = ("version", "bundle", "title", "when_to_use", "tags", "body", "mcp")
    return structure | {
        **{name: getattr(subject, name) for name in names},
        "input": subject.enforced_schema,
        "bound": subject.bound_schema,
        "output": None if subject.returns is None else subject.returns.schema,
        **({} if subject.confirm is None else {"confirm": subject.confirm}),
    }


def _is_map(value: Any) -> TypeGuard[Mapping[Any, Any]]:
    return isinstance(value, Mapping)


def _is_row(value: Any) -> TypeGuard[Iterable[Any]]:
    return isinstance(value, list | tuple)


def _plain(value: Any) -> Any:
    """Write a value of the model as JSON, without places; every dataclass names its type."""
    match value:
        case Span():
            return None
        case TextBlock():
            return value.text
        case Enum():
            return value.value
        case Host(name, port, below):  # under the names that lock files know
            return {"": "HostPattern", "host": name, "port": port, "below": below}
        case _ if _is_map(value):
            return {str(key): _plain(member) for key, member in value.items()}
        case _ if _is_row(value):
            return [_plain(item) for item in value]
        case _ if is_dataclass(value):
            members = {
                field.name: _plain(getattr(value, field.name))
                for field in fields(value)
                if field.name not in _DERIVED
                and (field.name, getattr(value, field.name)) not in _LATER.items()
            }
            return {"": type(value).__name__, **members}
        case _:
            return value
