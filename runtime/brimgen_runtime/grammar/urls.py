"""Parse templates of URLs into parts, and find their mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from .hosts import parse_host
from .rule_messages import Mistake

V = TypeVar("V")

MARK = "\0"
"""Marks a variable in the text of a URL; a URL that has this character itself is refused."""

TO_ENCODE = "it has characters that a URL must encode"
NO_SCHEME = "it does not start with `http://` or `https://`"
_SCHEME = re.compile(
    r"(?P<scheme>https?)://(?P<authority>[^/?#]*)(?P<rest>.*)", re.DOTALL
)
_PLAIN = re.compile(r"(?:[!$&-;=?-\[\]_a-z~]|%[0-9A-Fa-f]{2}|\0)*", re.ASCII)
_HOST_PART = re.compile(r"[A-Za-z0-9.:\-\0]+", re.ASCII)


class UrlParts(NamedTuple, Generic[V]):
    """The parts of a URL, each a sequence of texts and variables.

    ``path`` holds the segments, ``query`` the pairs; a fragment is left out.
    """

    scheme: str
    authority: tuple[str | V, ...]
    path: tuple[tuple[str | V, ...], ...]
    query: tuple[tuple[str, tuple[str | V, ...]], ...]

    @property
    def host(self) -> str | None:
        """Host and port as they are written; None if they have variables."""
        texts = [piece for piece in self.authority if isinstance(piece, str)]
        return "".join(texts) if len(texts) == len(self.authority) else None


class UrlRead(NamedTuple, Generic[V]):
    """The parts of a URL (None if it cannot be split), and why it is not well formed.

    ``is_host_bad``: one reason is its host.
    """

    parts: UrlParts[V] | None
    reasons: tuple[str, ...]
    is_host_bad: bool = False

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """The mistakes in the URL."""
        return tuple(Mistake("bad-url", {"reason": reason}) for reason in self.reasons)


def read_url(pieces: Sequence[str | V]) -> UrlRead[V]:
    """Return the parts of a URL; ``pieces`` are its texts, and what stands for variables."""
    if any(MARK in piece for piece in pieces if isinstance(piece, str)):
        return UrlRead(None, (TO_ENCODE,))
    shape = "".join(piece if isinstance(piece, str) else MARK for piece in pieces)
    match = _SCHEME.fullmatch(shape)
    if match is None:
        return UrlRead(None, (NO_SCHEME,))
    of_host = _fault_of_host(match["authority"])
    reasons = [] if of_host is None else [of_host]
    reasons += _faults_behind(match["rest"])
    variables = [piece for piece in pieces if not isinstance(piece, str)]
    return UrlRead(_url_parts(match, variables), tuple(reasons), of_host is not None)


def _fault_of_host(authority: str) -> str | None:
    if not authority:
        return "it has no host"
    if "@" in authority:
        return "it has a name or password before its host"
    if MARK in authority:
        if _HOST_PART.fullmatch(authority) is None:
            return "its host has characters that no host has"
    elif (host := parse_host(authority)) is None or host.below:
        return f"`{authority}` is not a host"
    return None


def _faults_behind(rest: str) -> Iterator[str]:
    """Yield the mistakes after the host."""
    if "#" in rest:
        yield "it has a `#`, which is never sent"
    path, _, query = rest.partition("#")[0].partition("?")
    if _PLAIN.fullmatch(path) is None or _PLAIN.fullmatch(query) is None:
        yield TO_ENCODE
    if any(part in (".", "..") for part in path.split("/")):
        yield "a segment of its path is `.` or `..`"
    if any(MARK in pair.partition("=")[0] for pair in query.split("&")):
        yield "a variable stands outside of the value of a query pair"


def _url_parts(match: re.Match[str], variables: Iterable[V]) -> UrlParts[V]:
    order = iter(variables)
    path, mark, query = match["rest"].partition("#")[0].partition("?")
    pairs = query.split("&") if mark and query else ()
    return UrlParts(
        match["scheme"],
        _template(match["authority"], order),
        tuple(_template(part, order) for part in path.split("/")[1:]),
        tuple(_pair(pair, order) for pair in pairs),
    )


def _template(shape: str, order: Iterator[V]) -> tuple[str | V, ...]:
    pieces: list[str | V] = []
    for index, text in enumerate(shape.split(MARK)):
        if index:
            pieces.append(next(order))
        if text:
            pieces.append(text)
    return tuple(pieces)


def _pair(shape: str, order: Iterator[V]) -> tuple[str, tuple[str | V, ...]]:
    name, _, value = shape.partition("=")
    for _ in range(name.count(MARK)):
        next(order)
    return name, _template(value, order)
