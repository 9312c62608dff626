"""Write the outcome of a tool as the result of ``tools/call``."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias, cast

from ._package import Attachment, Validator, to_json_value, write_json

Result: TypeAlias = dict[str, Any]
"""The result of a call, as it goes out: ``content``, ``structuredContent``, ``isError``."""


_INFINITE = float("inf")


class Unfit(ValueError):
    """A result that does not fit what its tool declares; the text tells no value of it."""


def failed(text: str) -> Result:
    """Return the result that tells a model what is wrong, so that it can do better."""
    told = text.encode("utf-8", "replace").decode("utf-8")
    return {"content": [part(told)], "isError": True}


def done(text: str = "done") -> Result:
    """Return the result of a tool that gives nothing back."""
    return {"content": [part(text)], "isError": False}


def answered(value: object, validator: Validator | None, *, wraps: bool) -> Result:
    """Return the result for what a tool returned: its JSON as structure, and the same as text.

    The text has every digit of a decimal; a number of the structure is the float nearest to it,
    which is what any reader of the text makes of it, too. Raises `Unfit` for a value that the
    validator refuses, that is no JSON, or that cannot be sent.
    """
    try:
        exact = to_json_value(value)
    except (ValueError, RecursionError) as problem:
        raise Unfit(f"no JSON value: {problem}") from problem
    found = validator.violations(exact) if validator is not None else []
    if found:
        told = (
            f"{each.pointer or '(root)'}: expected {each.expected}" for each in found
        )
        raise Unfit("; ".join(told))
    whole = {"result": exact} if wraps else exact
    return {
        "content": [part(sendable(write_json(whole, halves=False)))],
        "structuredContent": _as_sent(whole),
        "isError": False,
    }


def with_files(result: Result, files: Sequence[Attachment]) -> Result:
    """Return a result with the files that a handler sends beside it."""
    if not files or result["isError"]:
        return result
    content = [] if result == done() else list(result["content"])
    content += [_file(each) for each in files]
    return {**result, "content": content}


def _file(file: Attachment) -> dict[str, Any]:
    kind = file.mime_type.partition("/")[0]
    if isinstance(file.data, bytes):
        data = b64encode(file.data).decode("ascii")
        if kind in ("image", "audio"):
            return {"type": kind, "data": data, "mimeType": file.mime_type}
        content = {"blob": data}
    else:
        content = {"text": sendable(file.data)}
    resource = {"uri": file.uri, "mimeType": file.mime_type, **content}
    return {"type": "resource", "resource": resource}


def sendable(text: str) -> str:
    """Return a text that can be sent. Raises `Unfit` for half a character, which UTF-8 has not."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Unfit("text that is no Unicode") from None
    return text


def part(text: str) -> dict[str, str]:
    """Return a text as a part of what goes out as ``content``."""
    return {"type": "text", "text": text}


def _as_sent(value: Any) -> Any:
    """Return a JSON value whose numbers are those that a reader of its text makes."""
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        whole = isinstance(exponent, int) and exponent == 0
        number = int(value) if whole else float(value)
        if number in (_INFINITE, -_INFINITE):
            raise Unfit("a number beyond what readers of JSON take")
        return number
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return {name: _as_sent(each) for name, each in items}
    if isinstance(value, list | tuple):
        return [_as_sent(each) for each in cast("list[Any]", value)]
    return value
