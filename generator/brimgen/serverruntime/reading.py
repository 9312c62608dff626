"""Write resources and prompts as results of ``resources/read`` and ``prompts/get``."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Protocol

from ._package import to_json_value, write_json
from .answers import Result, sendable


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


def contents(uri: str, mime_type: str | None, value: object) -> Result:
    """Return what a resource holds: a text as it is, bytes as such, everything else as JSON."""
    made: dict[str, Any] = {"uri": uri}
    if isinstance(value, bytes):
        made |= {"mimeType": mime_type or "application/octet-stream"}
        made |= {"blob": b64encode(value).decode("ascii")}
    elif isinstance(value, str):
        made |= {"mimeType": mime_type or "text/plain", "text": sendable(value)}
    else:
        text = sendable(write_json(to_json_value(value), halves=False))
        made |= {"mimeType": mime_type or "application/json", "text": text}
    return {"contents": [made]}


def messages(description: str | None, rendered: Sequence[Message]) -> Result:
    """Return the messages of a prompt. What the system says, the user says: the protocol has no
    other role for it.
    """
    result: Result = {"description": description} if description else {}
    result["messages"] = [
        {
            "role": "assistant" if each.role == "assistant" else "user",
            "content": {"type": "text", "text": sendable(each.text)},
        }
        for each in rendered
    ]
    return result
