"""Build the request that follows a redirect, if it is allowed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urljoin

from ..grammar.hosts import Host
from ._hosts import UrlError, checked, parse_url
from ._redact import Forms
from ._request import Request
from ._transport import Answer

_CODES = frozenset({301, 302, 303, 307, 308})
_OF_THE_BODY = frozenset({"content-type", "content-encoding", "content-language"})
# Whole URLs, `//host`, and paths: what parsers read in one way only. A backslash is a slash to
# some of them, and so is a second slash where a host is missing.
_NAME = r"[!-.0-9;->@-\[\]-~]"
_LOCATION = re.compile(
    rf"(?:(?:https?:)?//{_NAME}|/(?!/)|\?|{_NAME}+(?:[/?]|\Z))[!-\[\]-~]*", re.ASCII
)


class RedirectError(ValueError):
    """A redirect that is not followed; the message tells why, and nothing of where it leads."""


def is_redirect(answer: Answer) -> bool:
    """Return whether an answer leads somewhere else."""
    return answer.status in _CODES and answer.header("location") is not None


def followed(
    request: Request,
    answer: Answer,
    hosts: Sequence[Host],
    secrets: Forms | None,
) -> Request:
    """Return the request that follows a redirect. Raises RedirectError.

    It stays among ``hosts`` and never goes from https to http. To another scheme, host or port
    goes no header that is private, and nothing at all whose URL or body has a secret.
    """
    location = (answer.header("location") or "").partition("#")[0]
    if _LOCATION.fullmatch(location) is None:
        raise RedirectError("a redirect leads to what is no plain URL")
    url = urljoin(request.url, location)
    source = parse_url(request.url)
    try:
        target = checked(url, hosts)
    except UrlError as error:
        raise RedirectError(f"a redirect leads where it must not: {error}") from None
    if source.scheme == "https" and target.scheme != "https":
        raise RedirectError("a redirect leads from https to http")
    next_request = _as_get(request) if _becomes_get(request, answer) else request
    if source.origin != target.origin:
        next_request = _without_private(next_request)
        if next_request.is_private or (secrets and secrets.are_in(url)):
            raise RedirectError("a redirect would take a secret to another host")
    return replace(next_request, url=url)


def _becomes_get(request: Request, answer: Answer) -> bool:
    if answer.status == 303:
        return request.method != "HEAD"
    return answer.status in (301, 302) and request.method == "POST"


def _as_get(request: Request) -> Request:
    kept = [
        header for header in request.headers if header[0].lower() not in _OF_THE_BODY
    ]
    return replace(
        request, method="GET", headers=tuple(kept), body=None, is_private=False
    )


def _without_private(request: Request) -> Request:
    kept = [
        header for header in request.headers if header[0].lower() not in request.private
    ]
    return replace(request, headers=tuple(kept))
