"""Convert outcomes of a service to results of the protocol."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from ..calls.call_context import Attachment
from ..schema.json_text import write_json
from ..schema.json_values import is_unicode
from ..service.errors import Unfit
from ..service.outcome import Outcome
from ..service.parts import Content

Result: TypeAlias = dict[str, Any]
"""The result of a request, as it is sent."""


class Message(Protocol):
    """One message of a rendered prompt."""

    @property
    def role(self) -> str:
        """``system``, ``user`` or ``assistant``."""
        ...

    @property
    def text(self) -> str:
        """The text of the message."""
        ...


def call_result(outcome: Outcome, *, wraps: bool) -> Result:
    """Return the result of a call: its value as structured content and as JSON text.

    The text has every digit of a decimal; the structured content has the nearest float, as any
    reader of the text does. With ``wraps`` the value is sent as the ``result`` of an object.
    Raises `Unfit` for a value that cannot be sent.
    """
    if outcome.is_error:
        return error_result(outcome.text)
    content = [] if outcome.note is None else [_part(outcome.note)]
    if not outcome.returns:
        return {"content": [_part("done"), *content], "isError": False}
    if "\\ud" in outcome.json:
        _sendable(write_json(outcome.value, halves=False))
    text = f'{{"result": {outcome.json}}}' if wraps else outcome.json
    return {
        "content": [_part(text), *content],
        "structuredContent": {"result": outcome.value} if wraps else outcome.value,
        "isError": False,
    }


def error_result(text: str) -> Result:
    """Return the result of a failed call: a text from which a model can correct itself."""
    encodable = text.encode("utf-8", "replace").decode("utf-8")
    return {"content": [_part(encodable)], "isError": True}


def with_files(outcome: Outcome, result: Result, files: Sequence[Attachment]) -> Result:
    """Return a result with the files that a handler attached."""
    if not files or outcome.is_error:
        return result
    content = list(result["content"]) if outcome.returns else []
    return {**result, "content": [*content, *map(_file, files)]}


def contents(held: Content) -> Result:
    """Return the contents of a resource. Raises `Unfit` for a text that cannot be sent."""
    content = {"uri": held.uri, "mimeType": held.mime_type, **_data(held.data)}
    return {"contents": [content]}


def messages(description: str | None, rendered: Sequence[Message]) -> Result:
    """Return the messages of a prompt. System messages become user messages: the protocol has no
    role for them. Raises `Unfit` for a text that cannot be sent.
    """
    result: Result = {"description": description} if description else {}
    result["messages"] = [
        {
            "role": "assistant" if message.role == "assistant" else "user",
            "content": _part(_sendable(message.text)),
        }
        for message in rendered
    ]
    return result


def _file(file: Attachment) -> dict[str, Any]:
    kind = file.mime_type.partition("/")[0]
    content = _data(file.data)
    if kind in ("image", "audio") and "blob" in content:
        return {"type": kind, "data": content["blob"], "mimeType": file.mime_type}
    resource = {"uri": file.uri, "mimeType": file.mime_type, **content}
    return {"type": "resource", "resource": resource}


def _data(data: str | bytes) -> dict[str, str]:
    if isinstance(data, bytes):
        return {"blob": b64encode(data).decode("ascii")}
    return {"text": _sendable(data)}


def _sendable(text: str) -> str:
    """Return the text. Raises `Unfit` for a lone surrogate, which UTF-8 cannot encode."""
    if not is_unicode(text):
        raise Unfit("text that is no Unicode")
    return text


def _part(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}
