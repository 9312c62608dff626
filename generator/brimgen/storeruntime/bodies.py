"""Check the bodies of requests: required and allowed keys (S2.2, S2.16, S2.30-35)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from .disk import written
from .errors import StoreError
from .hidden_characters import described, hidden_characters
from .names import checked_id, checked_slug

_BUNDLE = ("slug", "displayName", "isEnabled", "description")
_OURS = frozenset(
    {"createdAt", "modifiedAt", "isBuiltIn", "bundleID", "callCount", "lastCalledAt"}
)
_TYPES = ("go", "http")


def bundle_body(body: object) -> dict[str, Any]:
    """Return what ``PUT`` says of a bundle, complete. Raises StoreError."""
    body = _checked(body)
    for key in body:
        if key not in _BUNDLE:
            raise StoreError("invalid", f"a bundle has no {key!r}")
    slug = checked_slug(body.get("slug"))
    found: dict[str, Any] = {
        "slug": slug,
        "displayName": _text(body, "displayName", slug),
        "isEnabled": _flag(body, True),
    }
    if "description" in body:
        found["description"] = _text(body, "description")
    return found


def tool_body(body: object, slug: str, version: str) -> dict[str, Any]:
    """Return what ``PUT`` says of a tool, complete but for times; keys of others stay as they are.

    Raises StoreError.
    """
    body = _checked(body)
    for key, value in (("slug", slug), ("version", version)):
        if body.get(key, value) != value:
            raise StoreError("invalid", f"{key} is {value!r} in the path")
    if body.get("type") not in _TYPES:
        raise StoreError("invalid", "type must be 'go' or 'http'")
    _objects(body)
    found: dict[str, Any] = {
        "slug": slug,
        "version": version,
        "displayName": _text(body, "displayName", slug),
        "isEnabled": _flag(body, True),
        "tags": _tags(body),
    }
    if "id" in body:
        found["id"] = checked_id(body["id"], "toolID")
    for key in ("description", "name"):
        if key in body:
            found[key] = _text(body, key)
    rest = {key: body[key] for key in body if key not in found and key not in _OURS}
    return {**found, **rest}


def switch(body: object, *, is_built_in: bool = False) -> bool:
    """Return what ``PATCH`` says: ``{isEnabled}``, and nothing else. Raises StoreError."""
    body = _checked(body)
    if list(body) != ["isEnabled"]:
        if is_built_in:
            refusal = "of a built-in only isEnabled can be changed"
            raise StoreError("built_in", refusal)
        raise StoreError("invalid", "only isEnabled can be patched")
    return _flag(body, True)


def _checked(body: object) -> Mapping[str, Any]:
    """Return a body that is an object of JSON without hidden characters. Raises StoreError."""
    if not isinstance(body, Mapping):
        raise StoreError("invalid", "the body must be an object")
    entries = cast(Mapping[object, Any], body)
    for key in entries:
        if not isinstance(key, str):
            raise StoreError("invalid", f"the key {key!r} is not a string")
    found = cast(Mapping[str, Any], body)
    written(found)
    for key, value in found.items():
        for text in _texts({key: value}):
            for at in hidden_characters(text):
                refusal = f"{key!r} must not hold {described(text[at])}"
                raise StoreError("invalid", refusal)
    return found


def _texts(value: object) -> Iterator[str]:
    """Return every string in a value of JSON, names of properties too."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, Mapping):
            entries = cast(Mapping[object, object], each)
            waiting += [*entries.keys(), *entries.values()]
        elif isinstance(each, list | tuple):
            waiting += cast(Sequence[object], each)


def _objects(body: Mapping[str, Any]) -> None:
    _object(body, "argSchema")
    if "outputSchema" in body:
        _object(body, "outputSchema")
    if body["type"] == "go":
        _object(body, "goImpl")
        return
    url = _object(_object(body, "httpImpl"), "request").get("urlTemplate")
    if not isinstance(url, str) or not url.startswith(("http://", "https://")):
        raise StoreError("invalid", "urlTemplate must start with http:// or https://")


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
