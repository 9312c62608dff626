"""Check the bodies of requests to the store, and complete them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..grammar.headers import METHODS
from ..grammar.hidden_characters import described, hidden_characters
from ..grammar.hosts import Host, host_mistake, parse_host
from ..grammar.rule_messages import Mistake, suggestion
from ..grammar.urls import read_url
from .arguments import Arguments
from .disk import json_bytes
from .errors import Fault, StoreError, refused
from .names import checked_id, checked_slug
from .request_shapes import shape_mistakes
from .requests import request_faults
from .schemas import schema_faults

_BUNDLE = ("slug", "displayName", "isEnabled", "description")
_OURS = frozenset(
    {"createdAt", "modifiedAt", "isBuiltIn", "bundleID", "callCount", "lastCalledAt"}
)
_TYPES = ("go", "http")


@dataclass(frozen=True, slots=True)
class Limits:
    """The hosts that tools may call, and the names of the secrets that they may send."""

    hosts: tuple[Host, ...] = ()
    secrets: tuple[str, ...] = ()

    @classmethod
    def of(cls, hosts: Iterable[str], secrets: Iterable[str]) -> Limits:
        """Return the limits that a host program states. Raises ValueError for an invalid host."""
        patterns: list[Host] = []
        for text in hosts:
            pattern = parse_host(text)
            if pattern is None:
                raise ValueError(f"{text!r} is not a host")
            patterns.append(pattern)
        return cls(tuple(patterns), tuple(secrets))

    def allow(self, url: str) -> bool:
        """Return whether a URL without variables is well formed and leads to one of the hosts."""
        pieces: list[str | None] = [url]
        read = read_url(pieces)
        if read.parts is None or read.reasons:
            return False
        return host_mistake(read.parts.scheme, read.parts.host, self.hosts) is None


def bundle_body(body: object) -> dict[str, Any]:
    """Return the complete bundle in the body of a ``PUT``. Raises StoreError."""
    body = _checked(body)
    for key in body:
        if key not in _BUNDLE:
            values = {"key": key, "owner": "a bundle"}
            unknown = Mistake("unknown-key", values, suggestion(key, _BUNDLE))
            raise StoreError("invalid", unknown.message)
    slug = checked_slug(body.get("slug"))
    bundle: dict[str, Any] = {
        "slug": slug,
        "displayName": _text(body, "displayName", slug),
        "isEnabled": _flag(body, True),
    }
    if "description" in body:
        bundle["description"] = _text(body, "description")
    return bundle


def tool_body(body: object, slug: str, version: str, limits: Limits) -> dict[str, Any]:
    """Return the tool in the body of a ``PUT``, complete except for times; unknown keys are kept.

    Raises StoreError for an invalid tool, and for one that breaks a rule of specs.
    """
    body = _checked(body)
    for key, value in (("slug", slug), ("version", version)):
        if body.get(key, value) != value:
            raise StoreError("invalid", f"{key} is {value!r} in the path")
    if body.get("type") not in _TYPES:
        refusal = "type must be 'go' or 'http'"
        if body.get("type") == "sdk":
            refusal += "; a provider runs tools of the type 'sdk' itself"
        raise StoreError("invalid", refusal)
    check_tool(body, limits)
    tool: dict[str, Any] = {
        "slug": slug,
        "version": version,
        "displayName": _text(body, "displayName", slug),
        "isEnabled": _flag(body, True),
        "tags": _tags(body),
    }
    if "id" in body:
        tool["id"] = checked_id(body["id"], "toolID")
    for key in ("description", "name"):
        if key in body:
            tool[key] = _text(body, key)
    rest = {key: body[key] for key in body if key not in tool and key not in _OURS}
    return {**tool, **rest}


def check_tool(body: Mapping[str, Any], limits: Limits) -> None:
    """Raise StoreError where a tool of a known type breaks a rule of specs."""
    _objects(body)
    faults = _faults(body, limits)
    if faults:
        raise refused(faults)


def switch(body: object, *, is_built_in: bool = False) -> bool:
    """Return ``isEnabled`` of the body of a ``PATCH``, its only key. Raises StoreError."""
    body = _checked(body)
    if list(body) != ["isEnabled"]:
        if is_built_in:
            refusal = "of a built-in only isEnabled can be changed"
            raise StoreError("built_in", refusal)
        raise StoreError("invalid", "only isEnabled can be patched")
    return _flag(body, True)


def _checked(body: object) -> Mapping[str, Any]:
    """Return the body as a JSON object without hidden characters. Raises StoreError."""
    if not isinstance(body, Mapping):
        raise StoreError("invalid", "the body must be an object")
    json_bytes(cast(object, body))
    for key in _keys(cast(object, body)):
        if not isinstance(key, str):
            raise StoreError("invalid", f"the key {key!r} is not a string")
    checked = cast(Mapping[str, Any], body)
    for key, value in checked.items():
        for text in _texts({key: value}):
            for at in hidden_characters(text):
                refusal = f"{key!r} must not hold {described(text[at])}"
                raise StoreError("invalid", refusal)
    return checked


def _keys(value: object) -> Iterator[object]:
    """Yield the keys of every mapping in a value."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            entries = cast(Mapping[object, object], part)
            yield from entries
            waiting += entries.values()
        elif isinstance(part, list | tuple):
            waiting += cast(Sequence[object], part)


def _texts(value: object) -> Iterator[str]:
    """Yield every string in a JSON value, including keys."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, Mapping):
            entries = cast(Mapping[object, object], part)
            waiting += [*entries.keys(), *entries.values()]
        elif isinstance(part, list | tuple):
            waiting += cast(Sequence[object], part)


def _objects(body: Mapping[str, Any]) -> None:
    _object(body, "argSchema")
    if "outputSchema" in body:
        _object(body, "outputSchema")
    if body["type"] == "go":
        _object(body, "goImpl")
        return
    request = _object(_object(body, "httpImpl"), "request")
    if not isinstance(request.get("urlTemplate"), str):
        raise StoreError("invalid", "urlTemplate must be a string")
    method = request.get("method", "GET")
    if not isinstance(method, str) or method.upper() not in METHODS:
        raise StoreError("invalid", f"method must be one of {', '.join(METHODS)}")


def _faults(body: Mapping[str, Any], limits: Limits) -> list[Fault]:
    """Return every rule of specs that a tool breaks."""
    schema = dict(body["argSchema"])
    faults = schema_faults(schema, "argSchema", is_input=True)
    arguments = None if faults else Arguments(schema)
    if "outputSchema" in body:
        output = dict(body["outputSchema"])
        faults += schema_faults(output, "outputSchema", is_input=False)
    if body["type"] == "http":
        implementation = body["httpImpl"]
        shape_faults = [
            Fault.of(mistake, f"httpImpl.{at}")
            for at, mistake in shape_mistakes(implementation)
        ]
        faults += shape_faults or request_faults(
            implementation["request"], arguments, limits.hosts, limits.secrets
        )
    return faults


def _object(body: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = body.get(key)
    if not isinstance(value, Mapping):
        raise StoreError("invalid", f"{key} must be an object")
    return cast(Mapping[str, Any], value)


def _tags(body: Mapping[str, Any]) -> list[str]:
    value = body.get("tags", [])
    if isinstance(value, list):
        tags = cast(list[object], value)
        if all(isinstance(tag, str) for tag in tags):
            return cast(list[str], tags)
    raise StoreError("invalid", "tags must be a list of strings")


def _text(body: Mapping[str, Any], key: str, default: str = "") -> str:
    value = body.get(key, default)
    if not isinstance(value, str):
        raise StoreError("invalid", f"{key} must be a string")
    return value


def _flag(body: Mapping[str, Any], default: bool) -> bool:
    value = body.get("isEnabled", default)
    if not isinstance(value, bool):
        raise StoreError("invalid", "isEnabled must be true or false")
    return value
