"""Split a URL template into scheme, authority, segments and query pairs (S2.16-18)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules.resolve import http as rules
from brimgen.model.http import HostPattern, Literal, Template, Url, Variable
from brimgen.resolve.http.value_styles import TemplatePosition
from brimgen.resolve.http.variables import Variables
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.places import span_within

USUAL_PORTS = {"http": 80, "https": 443}
# Stands for a variable: a URL that has this character itself is refused before.
_MARK = "\0"
_TO_ENCODE = "it has characters that a URL must encode"
_SCHEME = re.compile(
    r"(?P<scheme>https?)://(?P<authority>[^/?#]*)(?P<rest>.*)", re.DOTALL
)
_PLAIN = re.compile(r"(?:[!$&-;=?-\[\]_a-z~]|%[0-9A-Fa-f]{2}|\0)*", re.ASCII)
_BARE = re.compile(r"(?<!\$)\{(?:\{\s*(?P<two>[^{}]+?)\s*\}\}|(?P<one>[^{}]+)\})")
_BEGINS_WITH_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::[0-9]+)?(?:/|\Z)")
_HOST_PART = re.compile(r"[A-Za-z0-9.:\-\0]+", re.ASCII)


def read_url(
    node: ScalarNode,
    variables: Variables,
    allowed: Sequence[HostPattern] | None,
    diagnostics: Diagnostics,
) -> Url | None:
    """The URL, taken apart; None where it is not well formed or not allowed: all is reported.

    A literal host must be among ``allowed`` (None: they are not known for certain); a templated
    one is held against them at run time.
    """
    split = variables.split(node)
    if split is None:
        return None
    pieces, sound = split
    if _report_bare_braces(node, variables, diagnostics):
        pieces, sound = list(_as_intended(pieces, variables, node.span)), False
    if any(isinstance(x, Literal) and _MARK in x.text for x in pieces):
        diagnostics.add(rules.BAD_URL, node.span, reason=_TO_ENCODE)
        return None
    shape = "".join(_MARK if isinstance(x, Variable) else x.text for x in pieces)
    match = _SCHEME.fullmatch(shape)
    if match is None:
        reason = "it does not start with `http://` or `https://`"
        has_host = _BEGINS_WITH_HOST.match(node.text)
        near = (f"https://{_BARE.sub(_marked, node.text)}",) if has_host else ()
        diagnostics.add(rules.BAD_URL, node.span, suggestions=near, reason=reason)
        return None
    of_host = _fault_of_host(match["authority"])
    faults = [of_host] if of_host else []
    faults += _faults_behind(match["rest"])
    for reason in faults:
        marked = _suggested_urls(node.text, variables, reason)
        diagnostics.add(rules.BAD_URL, node.span, suggestions=marked, reason=reason)
    url = _taken_apart(match, [x for x in pieces if isinstance(x, Variable)])
    sound = _check_places(url, variables) and sound and not faults
    _check_secrets(pieces, diagnostics)
    if allowed is not None and of_host is None:
        sound = _is_allowed(node, url, allowed, diagnostics) and sound
    return url if sound else None


def _report_bare_braces(
    node: ScalarNode, variables: Variables, diagnostics: Diagnostics
) -> bool:
    """Report arguments in braces that have no `$`; whether there are some."""
    told = False
    for match in _BARE.finditer(node.text):
        if variables.intended_variable(_inner(match), node.span) is not None:
            span = span_within(node, match.start(), match.end()) or node.span
            reason = f"`{match[0]}` is plain text, of which braces must be encoded"
            near = (_marked(match),)
            diagnostics.add(rules.BAD_URL, span, suggestions=near, reason=reason)
            told = True
    return told


def _as_intended(
    pieces: Iterable[Literal | Variable], variables: Variables, span: Span
) -> Iterator[Literal | Variable]:
    """The pieces with what stands in bare braces read as variables: all else is told as well."""
    for piece in pieces:
        if isinstance(piece, Variable):
            yield piece
            continue
        at = 0
        for match in _BARE.finditer(piece.text):
            meant = variables.intended_variable(_inner(match), span)
            if meant is not None:
                if at < match.start():
                    yield Literal(piece.text[at : match.start()])
                yield meant
                at = match.end()
        if at < len(piece.text):
            yield Literal(piece.text[at:])


def _suggested_urls(url: str, variables: Variables, reason: str) -> tuple[str, ...]:
    """A URL whose braces have no `$`, with them, where they are why it is refused, and what is in
    them may be an argument that was refused.
    """
    marked = _BARE.sub(_marked, url)
    is_why = reason == _TO_ENCODE and variables.fields is None
    return (marked,) if is_why and marked != url else ()


def _inner(bare: re.Match[str]) -> str:
    """What stands in braces, or in two as templates have them."""
    return bare["one"] or bare["two"]


def _marked(bare: re.Match[str]) -> str:
    return f"${{{_inner(bare)}}}"


def host_of(text: str) -> tuple[str, ...]:
    """The host of a URL, if it has one."""
    host = (text.partition("://")[2] or text).partition("/")[0]
    return (host,) if HostPattern.parse(host) else ()


def _fault_of_host(authority: str) -> str | None:
    if not authority:
        return "it has no host"
    if "@" in authority:
        return "it has a name or password before its host"
    if _MARK in authority:
        if _HOST_PART.fullmatch(authority) is None:
            return "its host has characters that no host has"
    elif (host := HostPattern.parse(authority)) is None or host.below:
        return f"`{authority}` is not a host"
    return None


def _faults_behind(rest: str) -> Iterator[str]:
    """What is wrong behind the host."""
    if "#" in rest:
        yield "it has a `#`, which is never sent"
    path, _, query = rest.partition("#")[0].partition("?")
    if _PLAIN.fullmatch(path) is None or _PLAIN.fullmatch(query) is None:
        yield _TO_ENCODE
    if any(part in (".", "..") for part in path.split("/")):
        yield "a segment of its path is `.` or `..`"
    if any(_MARK in pair.partition("=")[0] for pair in query.split("&")):
        yield "a variable stands outside of the value of a query pair"


def _taken_apart(match: re.Match[str], variables: Iterable[Variable]) -> Url:
    """The parts of a URL, as far as it is well formed; a fragment is no part."""
    order = iter(variables)
    path, mark, query = match["rest"].partition("#")[0].partition("?")
    pairs = query.split("&") if mark and query else ()
    return Url(
        match["scheme"],
        _template(match["authority"], order),
        tuple(_template(part, order) for part in path.split("/")[1:]),
        tuple(_pair(pair, order) for pair in pairs),
    )


def _template(shape: str, order: Iterator[Variable]) -> Template:
    pieces: list[Literal | Variable] = []
    for index, text in enumerate(shape.split(_MARK)):
        if index:
            pieces.append(next(order))
        if text:
            pieces.append(Literal(text))
    return tuple(pieces)


def _pair(shape: str, order: Iterator[Variable]) -> tuple[str, Template]:
    name, _, value = shape.partition("=")
    for _ in range(name.count(_MARK)):
        next(order)
    return name, _template(value, order)


def _check_places(url: Url, variables: Variables) -> bool:
    checked = [variables.check([*url.authority], TemplatePosition.HOST)]
    checked += [
        variables.check([*each], TemplatePosition.PATH) for each in url.segments
    ]
    checked += [
        variables.check([*each], TemplatePosition.QUERY) for _, each in url.query
    ]
    return all(checked)


def _check_secrets(
    pieces: Iterable[Literal | Variable], diagnostics: Diagnostics
) -> None:
    for piece in pieces:
        if isinstance(piece, Variable) and piece.is_secret:
            diagnostics.add(rules.SECRET_IN_URL, piece.span, name=piece.name)


def _is_allowed(
    node: ScalarNode, url: Url, allowed: Sequence[HostPattern], diagnostics: Diagnostics
) -> bool:
    text = "".join(each.text for each in url.authority if isinstance(each, Literal))
    is_literal = all(isinstance(each, Literal) for each in url.authority)
    usual = USUAL_PORTS[url.scheme]
    host = HostPattern.parse(text) if is_literal else None
    if not is_literal and allowed:
        return True
    if host is not None and any(
        each.admits(host.host, host.port or usual, usual=usual) for each in allowed
    ):
        return True
    lacks_list = host is not None and not allowed
    shown = ", ".join(f"`{each}`" for each in allowed) or "no host"
    diagnostics.add(
        rules.HOST_NOT_ALLOWED,
        node.span,
        suggestions=(f"allowedHosts: [{text}]",) if lacks_list else (),
        host=f"`{text}`" if is_literal else "a host that is an argument",
        among=f": {shown} {'are' if len(allowed) > 1 else 'is'}",
    )
    return False
