"""Render the template of a prompt with Jinja, and compare that with what the package renders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from brimgen.model.catalog import TemplateBody
from brimgen.model.json import is_list, is_object


def misrendered(body: TemplateBody, bound: Any, messages: Any) -> Iterator[str]:
    """Yield the faults of the rendered ``messages``; None if the package refused to render."""
    values = _present(bound.to_dict())
    try:
        wanted: Sequence[tuple[str, str]] | None = [
            (message.role, _template(message.template.text).render(values, args=values))
            for message in body.messages
        ]
    except Exception:  # noqa: BLE001, as what a filter raises is its own affair
        wanted = None
    if messages is None or wanted is None:
        if (messages is None) is not (wanted is None):
            yield "are refused by one of the package and Jinja only"
        return
    found = [(message.role, message.text) for message in messages]
    if [role for role, _ in found] != [role for role, _ in wanted]:
        yield f"have the roles {', '.join(role for role, _ in found)}"
        return
    for (role, text), (_, wanted_text) in zip(found, wanted, strict=True):
        if text != wanted_text:
            yield f"say {text[:60]!r} as {role}; the template gives {wanted_text[:60]!r}"


@lru_cache(maxsize=64)
def _template(text: str) -> Any:
    from jinja2.sandbox import SandboxedEnvironment

    return SandboxedEnvironment(keep_trailing_newline=True).from_string(text)


def _present(value: Any) -> Any:
    """A JSON value without properties that are null."""
    if is_object(value):
        return {
            name: _present(member)
            for name, member in value.items()
            if member is not None
        }
    return [_present(item) for item in value] if is_list(value) else value
