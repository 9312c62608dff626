"""Check the request of an ``http`` tool against the rules of specs."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

from ..grammar.headers import MULTIPART, WITHOUT_BODY, header_mistake
from ..grammar.hosts import Host, host_mistake, open_host_mistake
from ..grammar.rule_messages import Mistake
from ..grammar.schema_parts import is_object
from ..grammar.urls import UrlParts, read_url
from ..grammar.variables import (
    Hole,
    Reference,
    TemplatePosition,
    bare_variables,
    place_mistake,
    read_hole,
    split,
    unmarked,
    unmarked_mistake,
)
from ..schema.json_values import is_list
from .arguments import Arguments
from .errors import Fault
from .request_shapes import mapping_at

_STRING_OR_PLACE = re.compile(
    r'"(?:[^"\\]|\\(?:.|\Z))*(?:"|\Z)|\$\{[^}]*(?:\}|\Z)', re.DOTALL
)
"""A string, or a variable; one that is not closed reaches to the end."""
_COLON_OR_PLACE = re.compile(r":|\$\{[^}]*(?:\}|\Z)")
_LONE = re.compile(r"\s*\$\{[^{}]*\}\s*")
_FORM = "application/x-www-form-urlencoded"
_POSITIONS = {
    "json": TemplatePosition.BODY,
    "form": TemplatePosition.QUERY,
    "parts": TemplatePosition.PART,
    "text": TemplatePosition.TEXT,
}


def body_of(text: str) -> tuple[Any, bool]:
    """Return the body that a text describes, and whether it is JSON.

    A variable outside of a string stands for a whole value.
    """
    quoted = _STRING_OR_PLACE.sub(
        lambda match: match[0] if match[0][0] == '"' else f'"{match[0]}"', text
    )
    try:
        value: Any = json.loads(quoted)
    except (ValueError, RecursionError):
        return text, False
    is_json = is_object(value) or is_list(value)
    return (value, True) if is_json else (text, False)


class RequestBody(NamedTuple):
    """What a body is: JSON with texts in it, the pairs or parts of a form, or one text.

    With ``is_encoded``, the pairs are written as they are sent.
    """

    kind: Literal["json", "form", "parts", "text"]
    value: Any
    is_encoded: bool = False


def read_body(request: Mapping[str, Any]) -> RequestBody | Mistake | None:
    """Return the body of a request, or why there can be none; None where none is written."""
    body = request.get("body")
    if not isinstance(body, str) or not body.strip():
        return None
    method = str(request.get("method", "GET")).upper()
    if method in WITHOUT_BODY:
        return Mistake("body-not-sent", {"method": method})
    kind = next(
        (
            text.casefold()
            for name, text in texts_of(request, "headers").items()
            if name.casefold() == "content-type"
        ),
        "",
    )
    value, is_json = body_of(body)
    if kind.startswith(_FORM):
        return _form(body, value, is_json=is_json)
    if is_json and kind.startswith(MULTIPART):
        form = _form(body, value, is_json=True)
        return form if isinstance(form, Mistake) else form._replace(kind="parts")
    if is_json:
        return RequestBody("json", value)
    if kind and "json" not in kind:
        return RequestBody("text", body)
    if _LONE.fullmatch(body):
        return RequestBody("json", body.strip())
    fault = _json_fault(body)
    if fault is not None:
        return Mistake("bad-body", {"reason": fault})
    return RequestBody("json", value)


def _form(body: str, value: Any, *, is_json: bool) -> RequestBody | Mistake:
    if not is_json:
        pairs = [pair.partition("=") for pair in body.strip().split("&")]
        named = [(key, text) for key, _, text in pairs]
        return RequestBody("form", named, is_encoded=True)
    if is_list(value) or any(
        is_list(each) or is_object(each) for each in value.values()
    ):
        return Mistake("bad-body", {"reason": "a form has names, each with a text"})
    return RequestBody("form", [*texts_of({"form": value}, "form").items()])


def basic_pair(text: str) -> tuple[str, str] | None:
    """Return the user and the password of a template of both; None where there is no colon."""
    for match in _COLON_OR_PLACE.finditer(text):
        if match[0] == ":":
            return text[: match.start()], text[match.end() :]
    return None


def request_faults(
    request: Mapping[str, Any],
    arguments: Arguments | None,
    hosts: Sequence[Host],
    secrets: Collection[str],
) -> list[Fault]:
    """Return every rule that a request breaks.

    ``arguments`` None means that they are unknown: then none is reported as missing. ``hosts`` are
    those that may be called; ``secrets`` are the names that the host program supplies.
    """
    return list(_Judge(request, arguments, hosts, secrets).faults())


class _Judge:
    """Reads the templates of one request, and remembers which variables they use."""

    def __init__(
        self,
        request: Mapping[str, Any],
        arguments: Arguments | None,
        hosts: Sequence[Host],
        secrets: Collection[str],
    ) -> None:
        self._request = request
        self._arguments = arguments
        self._names = None if arguments is None else arguments.names
        self._hosts = hosts
        self._secrets = secrets
        self._used: set[str] = set()
        self._texts: list[tuple[str, str]] = []

    def faults(self) -> Iterator[Fault]:
        """Yield every broken rule."""
        faults = [
            Fault.of(mistake, f"httpImpl.request.{at}")
            for at, mistake in self._mistakes()
        ]
        yield from faults
        if not faults:
            yield from self._unmarked()

    def _mistakes(self) -> Iterator[tuple[str, Mistake]]:
        for name in sorted({*self._secrets} & {*(self._names or ())}):
            yield "secrets", Mistake("secret-clash", {"name": name})
        yield from self._in_url(self._request["urlTemplate"])
        for name, text in texts_of(self._request, "query").items():
            yield from self._in_text(f"query.{name}", text, TemplatePosition.QUERY)
        yield from self._in_headers()
        yield from self._in_auth(mapping_at(self._request, "auth"))
        yield from self._in_body()

    def _in_url(self, url: str) -> Iterator[tuple[str, Mistake]]:
        at = "urlTemplate"
        self._texts.append((at, url))
        variables = list(bare_variables(url, self._names, self._secrets))
        yield from ((at, variable.mistake) for variable in variables)
        pieces: list[str | Reference | None] = []
        for part in split(url):
            piece = self._piece(part)
            if isinstance(piece, Mistake):
                yield at, piece
                if isinstance(part, Hole) and not part.is_closed:
                    return
                pieces.append(None)
            else:
                pieces.append(piece)
        if variables:
            return
        read = read_url(pieces)
        yield from ((at, mistake) for mistake in read.mistakes)
        if read.parts is None:
            return
        for template, position in (
            (read.parts.authority, TemplatePosition.HOST),
            *((segment, TemplatePosition.PATH) for segment in read.parts.path),
            *((value, TemplatePosition.QUERY) for _, value in read.parts.query),
        ):
            yield from ((at, mistake) for mistake in self._in_place(template, position))
        if not read.is_host_bad:
            mistake = self._host_mistake(read.parts)
            if mistake is not None:
                yield at, mistake

    def _host_mistake(self, parts: UrlParts[Reference | None]) -> Mistake | None:
        if parts.host is not None:
            return host_mistake(parts.scheme, parts.host, self._hosts)
        last = parts.authority[-1]
        end = last if isinstance(last, str) else ""
        return open_host_mistake(parts.scheme, end, self._hosts)

    def _in_text(
        self, at: str, text: str, position: TemplatePosition
    ) -> Iterator[tuple[str, Mistake]]:
        self._texts.append((at, text))
        pieces = [self._piece(part) for part in split(text)]
        mistakes = [piece for piece in pieces if isinstance(piece, Mistake)]
        if not mistakes:
            sound = [piece for piece in pieces if not isinstance(piece, Mistake)]
            mistakes += self._in_place(sound, position)
        yield from ((at, mistake) for mistake in mistakes)

    def _piece(self, part: str | Hole) -> str | Reference | Mistake:
        if isinstance(part, str):
            return part
        variable = read_hole(part, self._names, self._secrets)
        if isinstance(variable, Reference):
            self._used.add(variable.name)
        return variable

    def _in_place(
        self, pieces: Sequence[str | Reference | None], position: TemplatePosition
    ) -> Iterator[Mistake]:
        """Yield a mistake for each variable that is not allowed in its position."""
        if self._arguments is None:
            return
        for piece in pieces:
            if not isinstance(piece, Reference):
                continue
            kind = "plain" if piece.is_secret else self._arguments.kind_of(piece)
            if isinstance(kind, Mistake):
                yield kind
                continue
            mistake = place_mistake(
                piece,
                kind,
                position,
                alone=len(pieces) == 1,
                may_be_absent=not piece.is_secret
                and self._arguments.may_be_absent(piece.name),
            )
            if mistake is not None:
                yield mistake

    def _in_headers(self) -> Iterator[tuple[str, Mistake]]:
        auth = mapping_at(self._request, "auth")
        seen = {"authorization"} if _kind(auth) in ("bearer", "basic") else set[str]()
        for name, text in texts_of(self._request, "headers").items():
            at = f"headers.{name}"
            mistake = header_mistake(name, text, seen)
            if mistake is not None:
                yield at, mistake
            seen.add(name.casefold())
            yield from self._in_text(at, text, TemplatePosition.of_header(name))

    def _in_auth(self, auth: Mapping[str, Any]) -> Iterator[tuple[str, Mistake]]:
        text = auth.get("valueTemplate")
        if isinstance(text, str):
            at = "auth.valueTemplate"
            yield from self._in_text(at, text, TemplatePosition.AUTH)
            if _kind(auth) == "basic" and basic_pair(text) is None:
                what = "`basic` needs `user:password` in `valueTemplate`"
                yield at, Mistake("bad-header", {"what": what})
        name = auth.get("name")
        if isinstance(name, str) and auth.get("in") != "query":
            mistake = header_mistake(name, "", ())
            if mistake is not None:
                yield "auth.name", mistake

    def _in_body(self) -> Iterator[tuple[str, Mistake]]:
        body = read_body(self._request)
        if isinstance(body, Mistake):
            yield "body", body
        elif body is not None:
            value = body.value
            is_form = body.kind in ("form", "parts")
            for text in _strings([each for _, each in value] if is_form else value):
                yield from self._in_text("body", text, _POSITIONS[body.kind])

    def _unmarked(self) -> Iterator[Fault]:
        """Yield unused arguments that stand in the syntax of another language."""
        for name in self._names or ():
            for at, text in () if name in self._used else self._texts:
                match = unmarked(text, name)
                if match is not None:
                    mistake = unmarked_mistake(match[0], name)
                    yield Fault.of(mistake, f"httpImpl.request.{at}")
                    break


def _json_fault(text: str) -> str | None:
    """Return why a text is no JSON; None if it is."""
    try:
        json.loads(text)
    except json.JSONDecodeError as fault:
        return f"{fault.msg[0].lower()}{fault.msg[1:]} at line {fault.lineno}"
    except RecursionError:
        return "it is nested too deeply"
    return None


def _kind(auth: Mapping[str, Any]) -> str:
    return str(auth.get("type", "")).casefold()


def texts_of(owner: Mapping[str, Any], key: str) -> dict[str, str]:
    """Return the values at a key as texts, without nulls; others are written as JSON is."""
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in mapping_at(owner, key).items()
        if value is not None
    }


def _strings(value: object) -> Iterator[str]:
    """Yield every string of a JSON value, without keys."""
    if isinstance(value, str):
        yield value
    elif is_object(value):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in cast("Sequence[object]", value):
            yield from _strings(part)
