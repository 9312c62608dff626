"""Call the ``http`` tools of users: their request, made of templates, and what is answered.

A tool is read when it is called, and judged again: its file may have been changed by hand, and the
hosts and secrets of the program may be others than when it was put in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote_plus, unquote_plus

from ..grammar.headers import MULTIPART
from ..grammar.schema_parts import close
from ..grammar.urls import read_url
from ..grammar.variables import Reference, read_hole, split
from ..http._place import percent
from ..http._plan import Plan
from ..http._request import Request, Secrets
from ..http._run import Options, run, run_async
from ..http._stdlib import StdlibTransport, ThreadedTransport
from ..http._template import (
    Arg,
    Basic,
    Bearer,
    Body,
    FormBody,
    JsonBody,
    Key,
    MultipartBody,
    Secret,
    Template,
    Text,
    TextBody,
)
from ..http._transport import Transport
from ..schema.decode import to_plain
from ..schema.errors import InputError
from ..schema.json_values import is_list, is_object
from ..schema.validator import Validator
from .arguments import Arguments
from .bodies import Limits, check_tool
from .errors import StoreError
from .request_shapes import mapping_at
from .requests import RequestBody, basic_pair, read_body, texts_of

_SECONDS = 10.0
"""How long an attempt may take where a tool does not say: as in FlexiGPT."""
_READS: Mapping[str, Literal["json", "text", "base64"]] = {
    "json": "json",
    "text": "text",
    "base64": "base64",
    "auto": "json",
    "file": "base64",
    "image": "base64",
}
_CONTENT_TYPES = {
    "json": "application/json",
    "form": "application/x-www-form-urlencoded",
    "parts": MULTIPART,
    "text": "text/plain; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class UserTools:
    """What the host program gives to the tools of users."""

    limits: Limits
    secrets: Secrets
    transport: Transport | None
    options: Options

    def invoke(self, row: Mapping[str, Any], args: object) -> dict[str, Any]:
        """Call a tool; return ``{ok, value}`` or ``{ok, error}``.

        Raises StoreError for a tool that the store cannot call.
        """
        plan, make = self._prepared(row, args)
        result = run(
            plan,
            make,
            _same,
            secrets=self.secrets,
            transport=self.transport,
            options=self.options,
        )
        return result.to_dict()

    async def invoke_async(self, row: Mapping[str, Any], args: object) -> Any:
        """Call a tool as `invoke` does, each of its requests in a thread."""
        plan, make = self._prepared(row, args)
        result = await run_async(
            plan,
            make,
            _same,
            secrets=self.secrets,
            transport=ThreadedTransport(self.transport or StdlibTransport()),
            options=self.options,
        )
        return result.to_dict()

    def _prepared(
        self, row: Mapping[str, Any], args: object
    ) -> tuple[Plan, Callable[[], Request]]:
        tool = f"{row['slug']}@{row['version']}"
        if row["type"] != "http":
            refusal = f"the program, not the store, runs {tool}, a {row['type']} tool"
            raise StoreError("unavailable", refusal)
        try:
            check_tool(row, self.limits)
        except StoreError as error:
            refusal = f"{tool} cannot be called: {error}"
            raise StoreError("unavailable", refusal, error.faults) from error
        if mapping_at(row["httpImpl"], "response").get("selector"):
            refusal = f"{tool} has a selector, and the store takes whole answers"
            raise StoreError("unavailable", refusal)
        arguments = Arguments(dict(row["argSchema"]))
        reader = _Reader(row, self.limits, arguments.names)
        plan, template = reader.plan(tool), reader.template()
        schema = close({"properties": {}, **row["argSchema"]})
        validator = Validator(schema, tool=tool)

        def make() -> Request:
            given = {**arguments.defaults, **_checked(args, validator)}
            return template.request(_Values(given), self.secrets, plan.hosts)

        return plan, make


def _same(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True)
class _Values:
    """Checked arguments, as a template takes them."""

    values: Mapping[str, Any]

    def to_dict(self) -> Mapping[str, Any]:
        return self.values


def _checked(args: object, validator: Validator) -> Mapping[str, Any]:
    """Return arguments that a schema accepts. Raises InputError for others."""
    value = validator.read_call({} if args is None else args)
    validator.check(value)
    if not is_object(value):
        finding = (None, "type", "an object", value, "")
        raise InputError(validator.tool, [finding], None)
    given: Mapping[str, Any] = to_plain(value)
    return given


class _Reader:
    """Reads the sound ``httpImpl`` of a tool."""

    def __init__(
        self, row: Mapping[str, Any], limits: Limits, names: Sequence[str]
    ) -> None:
        self._row = row
        self._limits = limits
        self._request = row["httpImpl"]["request"]
        self._names = names

    def plan(self, tool: str) -> Plan:
        """Return how the tool is called, and what its answer must be."""
        response = mapping_at(self._row["httpImpl"], "response")
        timeout = self._request.get("timeoutMs") or self._request.get("timeoutMS")
        output = self._row.get("outputSchema")
        return Plan(
            tool=tool,
            hosts=self._limits.hosts,
            timeout=timeout / 1000 if timeout else _SECONDS,
            success_codes=tuple(response.get("successCodes") or ()),
            reads=self._reads(response),
            on_status="empty" if response.get("errorMode") == "empty" else "fail",
            output=None if output is None else Validator(output, tool=tool),
            is_strict=True,
            secrets=self._limits.secrets,
        )

    def _reads(self, response: Mapping[str, Any]) -> Literal["json", "text", "base64"]:
        named = response.get("encoding") or response.get("bodyOutputMode")
        return _READS[named or "json"]

    def template(self) -> Template:
        """Return what stands where in the request."""
        request = self._request
        pieces: list[str | Reference] = [
            part if isinstance(part, str) else self._reference(part)
            for part in split(request["urlTemplate"])
        ]
        parts = read_url(pieces).parts
        assert parts is not None
        body = read_body(request)
        assert body is None or isinstance(body, RequestBody)
        query = [
            *((key, self._of(value)) for key, value in parts.query),
            *self._pairs(texts_of(request, "query").items()),
        ]
        return Template(
            str(request.get("method") or "GET").upper(),
            self._of((f"{parts.scheme}://", *parts.authority)),
            tuple(self._path(parts.path)),
            request["urlTemplate"],
            query=tuple(query),
            headers=tuple(self._headers(body)),
            auth=self._auth(),
            body=None if body is None else self._body(body),
        )

    def _reference(self, part: Any) -> Reference:
        found = read_hole(part, self._names, self._limits.secrets)
        assert isinstance(found, Reference)
        return found

    def _of(self, pieces: Sequence[str | Reference]) -> Text:
        """Return a text; texts beside each other are one."""
        made: list[str | Arg] = []
        for piece in pieces:
            if isinstance(piece, Reference):
                made.append(_arg(piece))
            elif made and isinstance(made[-1], str):
                made[-1] += piece
            else:
                made.append(piece)
        return tuple(made) if len(made) > 1 else made[0] if made else ""

    def _text(self, text: str, encode: Callable[[str], str] = str) -> Text:
        return self._of(
            [
                encode(part) if isinstance(part, str) else self._reference(part)
                for part in split(text)
            ]
        )

    def _path(self, segments: Sequence[Sequence[str | Reference]]) -> Iterator[Text]:
        text = ""
        for segment in segments:
            text += "/"
            made = self._of(segment)
            if isinstance(made, str):
                text += made
            else:
                yield text
                yield made
                text = ""
        if text:
            yield text

    def _pairs(
        self,
        pairs: Iterable[tuple[str, str]],
        encode: Callable[[str], str] = percent,
    ) -> Iterator[tuple[str, Text]]:
        for key, text in pairs:
            yield encode(key), self._text(text, encode)

    def _headers(self, body: RequestBody | None) -> Iterator[tuple[str, Text]]:
        given = texts_of(self._request, "headers")
        usual: dict[str, str] = {}
        response = mapping_at(self._row["httpImpl"], "response")
        if self._reads(response) == "json":
            usual["Accept"] = "application/json"
        if body is not None:
            usual["Content-Type"] = _CONTENT_TYPES[body.kind]
        names = {key.casefold() for key in given}
        yield from (pair for pair in usual.items() if pair[0].casefold() not in names)
        for key, text in given.items():
            made = self._text(text)
            yield key, made.strip(" \t") if isinstance(made, str) else made

    def _auth(self) -> Bearer | Basic | Key | None:
        auth = mapping_at(self._request, "auth")
        if not auth:
            return None
        value = auth["valueTemplate"]
        match auth["type"].casefold():
            case "bearer":
                return Bearer(self._text(value))
            case "basic":
                pair = basic_pair(value)
                assert pair is not None
                return Basic(*map(self._text, pair))
            case _ if auth.get("in") == "query":
                ((name, text),) = self._pairs([(auth["name"], value)])
                return Key(name, text, in_query=True)
            case _:
                return Key(auth["name"], self._text(value))

    def _body(self, body: RequestBody) -> Body:
        match body.kind:
            case "json":
                return JsonBody(self._json(body.value))
            case "form":
                encode = _again if body.is_encoded else quote_plus
                return FormBody(tuple(self._pairs(body.value, encode)))
            case "parts":
                return MultipartBody(tuple(self._pairs(body.value, str)))
            case _:
                return TextBody(self._text(body.value))

    def _json(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if is_object(value):
            return {key: self._json(each) for key, each in value.items()}
        if is_list(value):
            return [self._json(each) for each in value]
        return value


def _arg(reference: Reference) -> Arg:
    if reference.is_secret:
        return Secret(reference.name)
    style: Any = reference.style
    return Arg(reference.name, path=reference.path, style=style, whole=True)


def _again(text: str) -> str:
    """Return a text of a form that was encoded once, encoded."""
    return quote_plus(unquote_plus(text))
