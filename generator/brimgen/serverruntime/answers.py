"""Write outcomes of a service as results of the protocol."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from ._package import Attachment, Content, Outcome, Unfit, write_json

Result: TypeAlias = dict[str, Any]
"""The result of a request, as it goes out."""


class Message(Protocol):
    """One message of a rendered prompt."""

    @property
    def role(self) -> str:
        """``system``, ``user`` or ``assistant``."""
        ...

    @property
    def text(self) -> str:
        """What it says."""
        ...


def call_result(outcome: Outcome, *, wraps: bool) -> Result:
    """Return the result of a call: its JSON as structure, and the same as text.

    The text has every digit of a decimal; a number of the structure is the float nearest to it,
    which is what any reader of the text makes of it, too. With ``wraps`` the value goes out as
    the ``result`` of an object. Raises `Unfit` for a value that cannot be sent.
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
    """Return the result that tells a model what is wrong, so that it can do better."""
    encodable = text.encode("utf-8", "replace").decode("utf-8")
    return {"content": [_part(encodable)], "isError": True}


def with_files(outcome: Outcome, result: Result, files: Sequence[Attachment]) -> Result:
    """Return a result with the files that a handler sends beside it."""
    if not files or outcome.is_error:
        return result
    content = list(result["content"]) if outcome.returns else []
    return {**result, "content": [*content, *map(_file, files)]}


def contents(held: Content) -> Result:
    """Return what a resource holds. Raises `Unfit` for a text that cannot be sent."""
    content = {"uri": held.uri, "mimeType": held.mime_type, **_data(held.data)}
    return {"contents": [content]}


def messages(description: str | None, rendered: Sequence[Message]) -> Result:
    """Return the messages of a prompt. What the system says, the user says: the protocol has no
    other role for it. Raises `Unfit` for a text that cannot be sent.
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
    """Return a text that can be sent. Raises `Unfit` for half a character, which UTF-8 has not."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Unfit("text that is no Unicode") from None
    return text


def _part(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}
