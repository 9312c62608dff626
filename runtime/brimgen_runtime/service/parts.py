"""Find prompts and resources of a package, read their arguments, and encode their content."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from ..records.encode import to_json_value
from ..records.json_object import JsonCall
from ..records.record import sent_of
from ..schema.errors import InputError
from .errors import Unfit, tool_error
from .outcome import sent_value
from .plan import Plan

_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a resource: ``data`` is text (of JSON, too) or bytes."""

    uri: str
    mime_type: str
    data: str | bytes


def content(uri: str, mime_type: str | None, value: object) -> Content:
    """Return the content of a resource: text and bytes unchanged, everything else as JSON.

    Raises Unfit for what is no JSON.
    """
    if isinstance(value, bytes):
        return Content(uri, mime_type or "application/octet-stream", value)
    if isinstance(value, str):
        return Content(uri, mime_type or "text/plain", value)
    text, _ = sent_value(_encoded(value))
    return Content(uri, mime_type or "application/json", text)


def json_content(value: object) -> Any:
    """Return the content of a resource as JSON; bytes become base64 text. Raises Unfit."""
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    return sent_value(_encoded(value))[1]


def _encoded(value: object) -> Any:
    try:
        return to_json_value(value)
    except (ValueError, RecursionError) as problem:
        raise Unfit(f"no JSON value: {problem}") from problem


def find_resource(plan: Plan, uri: str) -> tuple[str, str | None, Any]:
    """Return the name, the MIME type and the arguments of the resource at a URI.

    Raises ToolError (``unknown_resource``) if there is none.
    """
    unknown = f"Resource not found: {uri!s:.{_SHOWN}}"
    if not (plan.resources and isinstance(cast("object", uri), str)):
        raise tool_error(unknown, "unknown_resource")
    resources: Any = import_module(".resources", plan.package).RESOURCES
    try:
        match = resources.match(uri)
    except InputError as error:
        reasons = "; ".join(error.told())
        raise tool_error(f"{unknown} ({reasons})", "unknown_resource", error) from None
    if match is None or match.resource.name not in plan.resources:
        raise tool_error(unknown, "unknown_resource")
    return match.resource.name, match.resource.mime_type, match.input


def find_prompt(plan: Plan, name: str) -> Any:
    """Return a prompt by name. Raises ToolError (``unknown_prompt``)."""
    if name not in plan.prompts:
        raise tool_error(f"there is no prompt {name!r:.{_SHOWN}}", "unknown_prompt")
    prompts: Mapping[str, Any] = import_module(".prompts", plan.package).PROMPTS
    return prompts[name]


def read_prompt_input(prompt: Any, arguments: Any, *, as_texts: bool) -> Any:
    """Return the input of a prompt; with ``as_texts`` the arguments are strings, as MCP sends
    them. Raises InputError.
    """
    if arguments is None:
        arguments = {}
    if as_texts:
        return prompt.read(arguments)
    if isinstance(arguments, JsonCall):
        arguments = sent_of(arguments)
    return prompt.input_type.from_call(arguments)
