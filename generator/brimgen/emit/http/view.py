"""The views that the templates of the HTTP target print."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code
from brimgen.frozen import dataclass
from brimgen.model.json import Json


@dataclass(frozen=True, slots=True)
class Alias:
    """A name for a type that is too long for the head of a function."""

    annotation: Code
    type: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestParts:
    """What a request is made of: the parts of its URL, its headers, and what `Request` takes.

    ``query`` are pairs that are only known when the request is made. Its body is a ``form``, or
    else ``body``; None where there is no such thing.
    """

    url: Sequence[Code]
    query: Code | None
    headers: Code
    form: Code | None
    body: Code | None
    arguments: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDecoder:
    """How an answer becomes the value that a tool returns.

    ``is_any``: the type of ``value`` is not known to type checkers.
    """

    result: Code
    keeps_digits: bool
    value: Code
    is_any: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpModule:
    """``<package>/http/<tool>.py``.

    ``hosts`` are the parameters of values from the host program, ``passed`` and ``taken`` how they
    are handed on and received, and ``bound_with`` how they are bound.
    """

    header: Code
    tool: Code
    imports: Sequence[Code]
    records: Sequence[Code]
    begins_with_class: bool
    alias: Alias | None
    shown: Code
    plan: Code
    call_class: Code
    bound: Code
    is_checked: bool
    bound_name: Code
    request: RequestParts
    hosts: Sequence[Code]
    passed: Code
    taken: Code
    bound_with: Code | None
    result: Code
    decode: AnswerDecoder | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpPackage:
    """``<package>/http/__init__.py``: the modules of tools, by name."""

    header: Code
    homes: Json
