"""Read a URL template: its parts, its variables, and whether its host is allowed (S2.16-18)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules.resolve import http as rules
from brimgen.frozen import replace
from brimgen.model.http import HostPattern, Literal, Template, Url, Variable
from brimgen.resolve.http.variables import Variables
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.places import span_within
from brimgen_runtime.store.hosts import host_mistake
from brimgen_runtime.store.urls import NO_SCHEME, TO_ENCODE, UrlParts
from brimgen_runtime.store.urls import read_url as read_parts
from brimgen_runtime.store.variables import TemplatePosition, bare_variables, with_marks

_BEGINS_WITH_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::[0-9]+)?(?:/|\Z)")


def read_url(
    node: ScalarNode,
    variables: Variables,
    allowed: Sequence[HostPattern] | None,
    diagnostics: Diagnostics,
) -> Url | None:
    """The URL, taken apart; None where it is not well formed or not allowed: all is reported.

    A literal host must be among ``allowed`` (None: they are not known for certain); a templated
    one is checked at run time.
    """
    split = variables.split(node)
    if split is None:
        return None
    pieces, sound = split
    if _report_bare_braces(node, variables, diagnostics):
        pieces, sound = list(_as_intended(pieces, variables, node.span)), False
    base, pieces = _base(pieces)
    reading = read_parts(
        [piece.text if isinstance(piece, Literal) else piece for piece in pieces]
    )
    for mistake in reading.mistakes:
        near = _suggested_urls(node.text, variables, mistake.values["reason"])
        diagnostics.add(rules.BAD_URL, node.span, suggestions=near, **mistake.values)
    if reading.parts is None:
        return None
    url = _url(reading.parts)
    if base is not None:
        url = replace(url, scheme="", authority=(base,))
    sound = _check_places(url, variables) and sound and not reading.reasons
    _check_secrets(pieces, diagnostics)
    if allowed is not None and not reading.is_host_bad and base is None:
        sound = _is_allowed(node, reading.parts, allowed, diagnostics) and sound
    return url if sound else None


def _base(
    pieces: list[Literal | Variable],
) -> tuple[Variable | None, list[Literal | Variable]]:
    """Return the secret that a URL begins with, and the pieces with a URL in its place.

    Such a secret holds scheme, host and the beginning of the path: the base URL of a service.
    """
    first = pieces[0] if pieces else None
    rest = pieces[1:]
    is_path = not rest or (isinstance(rest[0], Literal) and rest[0].text[:1] in "/?")
    if not (isinstance(first, Variable) and first.is_secret and is_path):
        return None, pieces
    return first, [Literal("https://base.invalid"), *rest]


def _report_bare_braces(
    node: ScalarNode, variables: Variables, diagnostics: Diagnostics
) -> bool:
    """Report arguments in braces that have no `$`; whether there are some."""
    reported = False
    for unmarked in bare_variables(node.text, variables.fields, variables.secrets):
        variables.named(unmarked.reference, node.span)
        span = span_within(node, unmarked.start, unmarked.end) or node.span
        near = (with_marks(unmarked.text),)
        values = unmarked.mistake.values
        diagnostics.add(rules.BAD_URL, span, suggestions=near, **values)
        reported = True
    return reported


def _as_intended(
    pieces: Iterable[Literal | Variable], variables: Variables, span: Span
) -> Iterator[Literal | Variable]:
    """Yield the pieces, with names in bare braces as variables, to find other mistakes too."""
    for piece in pieces:
        if isinstance(piece, Variable):
            yield piece
            continue
        at = 0
        for unmarked in bare_variables(piece.text, variables.fields, variables.secrets):
            if at < unmarked.start:
                yield Literal(piece.text[at : unmarked.start])
            yield variables.named(unmarked.reference, span)
            at = unmarked.end
        if at < len(piece.text):
            yield Literal(piece.text[at:])


def _suggested_urls(url: str, variables: Variables, reason: str) -> tuple[str, ...]:
    """What the URL was probably meant to be: with a scheme, or with a `$` before its braces."""
    marked = with_marks(url)
    if reason == NO_SCHEME:
        return (f"https://{marked}",) if _BEGINS_WITH_HOST.match(url) else ()
    is_why = reason == TO_ENCODE and variables.fields is None
    return (marked,) if is_why and marked != url else ()


def host_of(text: str) -> tuple[str, ...]:
    """The host of a URL, if it has one."""
    host = (text.partition("://")[2] or text).partition("/")[0]
    return (host,) if HostPattern.parse(host) else ()


def _url(parts: UrlParts[Variable]) -> Url:
    return Url(
        parts.scheme,
        _template(parts.authority),
        tuple(map(_template, parts.path)),
        tuple((name, _template(value)) for name, value in parts.query),
    )


def _template(pieces: Iterable[str | Variable]) -> Template:
    return tuple(
        Literal(piece) if isinstance(piece, str) else piece for piece in pieces
    )


def _check_places(url: Url, variables: Variables) -> bool:
    checked = [variables.check([*url.authority], TemplatePosition.HOST)]
    checked += [
        variables.check([*segment], TemplatePosition.PATH) for segment in url.segments
    ]
    checked += [
        variables.check([*template], TemplatePosition.QUERY)
        for _, template in url.query
    ]
    return all(checked)


def _check_secrets(
    pieces: Iterable[Literal | Variable], diagnostics: Diagnostics
) -> None:
    for piece in pieces:
        if isinstance(piece, Variable) and piece.is_secret:
            diagnostics.add(rules.SECRET_IN_URL, piece.span, name=piece.name)


def _is_allowed(
    node: ScalarNode,
    parts: UrlParts[Variable],
    allowed: Sequence[HostPattern],
    diagnostics: Diagnostics,
) -> bool:
    mistake = host_mistake(
        parts.scheme, parts.host, [pattern.plain for pattern in allowed]
    )
    if mistake is None:
        return True
    lacks_list = parts.host is not None and not allowed
    near = (f"allowedHosts: [{parts.host}]",) if lacks_list else ()
    diagnostics.add(
        rules.HOST_NOT_ALLOWED, node.span, suggestions=near, **mistake.values
    )
    return False
