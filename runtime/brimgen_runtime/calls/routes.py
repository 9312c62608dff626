"""Parse the URI of a resource into typed arguments, and build it.

Segments are decoded once. A URI that could lead elsewhere is refused, in any spelling: an empty
segment, ``.``, ``..``, a slash or backslash inside of a segment, control characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import quote, unquote_to_bytes

from ..schema.errors import Finding, InputError
from ..schema.json_values import is_list
from ..schema.lexical import Kind, read_text, read_texts, write_text
from .tools import Input

InputT = TypeVar("InputT", bound=Input)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://", re.ASCII)
_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_HOSTILE = re.compile(r"[/\\#\x00-\x1f\x7f]")
_SEGMENT = "a path segment: not empty, not `.` or `..`, no slash, backslash or control character"
_ENCODED = "percent-encoded UTF-8"


class Variable(NamedTuple):
    """An argument in a path; ``rest`` takes one segment or more, as a list if ``is_list``."""

    name: str
    kind: Kind = "string"
    rest: bool = False
    is_list: bool = False


class Query(NamedTuple):
    """An argument in a query; a list takes one JSON array, or an item each time it is named."""

    name: str
    kind: Kind = "string"
    is_list: bool = False


class Resource(Generic[InputT]):
    """One resource: its path, whose literals are plain texts, and its query.

    ``path`` is the template as its spec has it, ``uri_template`` the same for MCP (RFC 6570).
    """

    __slots__ = (
        "_names",
        "_query",
        "_rest",
        "_segments",
        "description",
        "input_type",
        "mime_type",
        "name",
        "path",
        "scheme",
    )

    def __init__(
        self,
        name: str,
        input_type: type[InputT],
        *,
        path: str,
        segments: Sequence[str | Variable],
        query: Sequence[Query] = (),
        scheme: str,
        mime_type: str | None = None,
        description: str | None = None,
    ) -> None:
        self.name = name
        self.input_type = input_type
        self.path = path
        self.scheme = scheme
        self.mime_type = mime_type
        self.description = description
        self._segments = tuple(segments)
        self._query = {argument.name: argument for argument in query}
        self._rest = isinstance(segments[-1], Variable) and segments[-1].rest
        self._names = [
            segment.name for segment in segments if isinstance(segment, Variable)
        ]

    @property
    def specificity(self) -> tuple[bool, int, tuple[bool, ...]]:
        """What orders resources: whole paths before rests, long before short, literals first."""
        variables = tuple(isinstance(segment, Variable) for segment in self._segments)
        return self._rest, -len(variables), variables

    def match(self, uri: str) -> InputT | None:
        """Return the arguments in a URI or path (``shop:///docs/a?page=2``, ``shop://docs/a?page=2``,
        ``/docs/a?page=2``); None if it is another's.

        Raises InputError, with every violation, where the path is this resource's and what it
        says is not what the arguments must be.
        """
        parts = self._split(uri)
        if parts is None:
            return None
        findings: list[Finding] = []
        raw = self._path_values(parts[0], findings)
        raw.update(self._query_values(parts[1], findings))
        if findings:
            raise InputError(self.name, findings, None)
        return self.input_type.from_dict(raw)

    def build(self, call: InputT) -> str:
        """Return the path and query that `match` reads to an equal input. Raises InputError."""
        values = call.to_dict()
        findings: list[Finding] = []
        path = "".join(
            f"/{piece}"
            for segment in self._segments
            for piece in self._written(segment, values, findings)
        )
        query = "&".join(
            f"{quote(name, safe='')}={_quoted(value, name, findings)}"
            for name in self._query
            if values.get(name) is not None
            for value in [write_text(values[name])]
        )
        if findings:
            raise InputError(self.name, findings, None)
        return f"{path}?{query}" if query else path

    def uri(self, call: InputT) -> str:
        """Return what `build` does, as a URI with the scheme of the resource."""
        return f"{self.scheme}://{self.build(call)}"

    def _split(self, uri: str) -> tuple[list[str], str] | None:
        """The segments and the query of a URI whose literals are those of the resource."""
        scheme = _SCHEME.match(uri)
        if scheme is not None:
            if scheme[1].lower() != self.scheme.lower():
                return None
            # Of `docs://a/b` the authority is the first segment: many servers of MCP name it so.
            uri = "/" + uri[scheme.end() :].removeprefix("/")
        path, _, query = uri.partition("?")
        first, *segments = path.split("/")
        if first or not segments:
            return None
        if self._rest:
            last = len(self._segments) - 1
            if len(segments) <= last:
                return None
            segments[last:] = ["/".join(segments[last:])]
        if len(segments) != len(self._segments):
            return None
        for expected, given in zip(self._segments, segments, strict=True):
            if isinstance(expected, str) and expected != (_decoded(given) or given):
                return None
        return segments, query

    def _path_values(
        self, segments: Sequence[str], findings: list[Finding]
    ) -> dict[str, Any]:
        raw: dict[str, Any] = {}
        for variable, segment in zip(self._segments, segments, strict=True):
            if isinstance(variable, str):
                continue
            pieces = segment.split("/") if variable.rest else [segment]
            texts = [_segment(piece, variable.name, findings) for piece in pieces]
            if variable.is_list:
                raw[variable.name] = [read_text(text, variable.kind) for text in texts]
            else:
                raw[variable.name] = read_text("/".join(texts), variable.kind)
        return raw

    def _query_values(self, query: str, findings: list[Finding]) -> dict[str, Any]:
        texts_by_name: dict[str, list[str]] = {}
        for pair in query.split("&") if query else ():
            name, _, value = pair.partition("=")
            key, text = _form(name), _form(value)
            if key is None or text is None or "#" in pair:
                findings.append(((None, key or name), "path", _ENCODED, value, ""))
            elif key in self._names:
                expected = "an argument of the query"
                findings.append(
                    ((None, key), "path", f"{expected}: it is in the path", text, "")
                )
            else:
                texts_by_name.setdefault(key, []).append(text)
        return {
            name: self._query_value(name, texts)
            for name, texts in texts_by_name.items()
        }

    def _query_value(self, name: str, texts: list[str]) -> Any:
        argument = self._query.get(name)
        if argument is not None and argument.is_list:
            return read_texts(texts, argument.kind)
        kind = argument.kind if argument is not None else "string"
        return read_text(texts[0], kind) if len(texts) == 1 else texts

    def _written(
        self,
        segment: str | Variable,
        values: Mapping[str, Any],
        findings: list[Finding],
    ) -> Iterator[str]:
        if isinstance(segment, str):
            yield quote(segment, safe="")
            return
        value = values[segment.name]
        pieces: list[Any]
        if segment.is_list and is_list(value):
            pieces = list(value) or [""]
        else:
            text = write_text(value)
            pieces = text.split("/") if segment.rest else [text]
        for piece in pieces:
            text = write_text(piece)
            if _is_hostile(text):
                findings.append(((None, segment.name), "path", _SEGMENT, text, ""))
            yield _quoted(text, segment.name, findings)


class Match(NamedTuple):
    """A resource, and the arguments that a URI has for it."""

    resource: Resource[Any]
    input: Any


class Resources(Mapping[str, Resource[Any]]):
    """Resources by name, and the search for the one that a URI means."""

    __slots__ = ("_by_name", "_ordered")

    def __init__(self, *resources: Resource[Any]) -> None:
        self._by_name = {resource.name: resource for resource in resources}
        self._ordered = sorted(resources, key=lambda resource: resource.specificity)

    def match(self, uri: str) -> Match | None:
        """Return the resource that a URI or path means, with its arguments; None for no resource.

        Literals go before variables, and variables before rests. Raises InputError where the path
        is that of a resource, but no such resource takes what it says.
        """
        refused: InputError | None = None
        for resource in self._ordered:
            try:
                arguments = resource.match(uri)
            except InputError as error:
                refused = refused or error
                continue
            if arguments is not None:
                return Match(resource, arguments)
        if refused is not None:
            raise refused
        return None

    def __getitem__(self, name: str) -> Resource[Any]:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)


def _decoded(text: str) -> str | None:
    """The text that is percent-encoded once; None where it is not."""
    if "%" not in text:
        return text
    if _ESCAPE.search(text):
        return None
    try:
        return unquote_to_bytes(text).decode("utf-8")
    except UnicodeError:
        return None


def _form(text: str) -> str | None:
    """As `_decoded`, for the name or value of a query, where ``+`` is a space."""
    return _decoded(text.replace("+", " "))


def _is_hostile(segment: str) -> bool:
    return segment in ("", ".", "..") or _HOSTILE.search(segment) is not None


def _segment(segment: str, name: str, findings: list[Finding]) -> str:
    text = _decoded(segment)
    if text is None:
        findings.append(((None, name), "path", _ENCODED, segment, ""))
        return segment
    if _is_hostile(text) or _HOSTILE.search(segment):
        findings.append(((None, name), "path", _SEGMENT, text, ""))
    return text


def _quoted(text: str, name: str, findings: list[Finding]) -> str:
    try:
        return quote(text, safe="")
    except UnicodeError:
        findings.append(((None, name), "path", "text that UTF-8 can carry", text, ""))
        return ""
