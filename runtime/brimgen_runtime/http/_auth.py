"""Access tokens of OAuth 2 (RFC 6749), kept and renewed; and signed requests."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final, TypeAlias, cast
from urllib.parse import quote_plus, urlencode, urlsplit

from ..schema.json_values import is_object
from ._outcome import HttpError
from ._request import Request
from ._transport import Answer

_AHEAD = 30.0
"""Seconds before its end at which a token is renewed."""
_MOST_KEPT = 1000
_PART: Final = re.compile(r"\{([a-z0-9_]+)\}", re.ASCII)


@dataclass(frozen=True, slots=True, repr=False)
class Grant:
    """What a client shows at ``token_url`` to get an access token: itself, or a refresh token.

    The client's id and secret stand in the header ``Authorization``, or with ``in_body`` in the
    body (RFC 6749, 2.3.1).
    """

    token_url: str
    client_id: str
    client_secret: str
    refresh_token: str = ""
    scope: str = ""
    in_body: bool = False

    def request(self, refresh_token: str) -> Request:
        """Return the request for a token."""
        form = {"grant_type": "client_credentials"}
        if refresh_token:
            form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        if self.scope:
            form["scope"] = self.scope
        headers = [("Accept", "application/json")]
        headers.append(("Content-Type", "application/x-www-form-urlencoded"))
        if self.in_body:
            form |= {"client_id": self.client_id, "client_secret": self.client_secret}
        else:
            pair = f"{quote_plus(self.client_id)}:{quote_plus(self.client_secret)}"
            word = b64encode(pair.encode()).decode("ascii")
            headers.append(("Authorization", f"Basic {word}"))
        body = urlencode(form).encode("ascii")
        return Request("POST", self.token_url, tuple(headers), body, self.token_url)


Flight: TypeAlias = "Future[str | HttpError | None]"
"""A token that one call is getting and others wait for; None if that call has gone."""


class _Kept:
    """The access token of one grant."""

    def __init__(self, refresh_token: str) -> None:
        self.refresh_token = refresh_token
        self.token: str | None = None
        self.ends = 0.0
        self.flight: Flight | None = None


class Tokens:
    """Access tokens by their grants, for calls in any thread and any event loop."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[Grant, _Kept] = {}

    def take(
        self, grant: Grant, refused: str | None, now: float
    ) -> str | Flight | None:
        """Return the token, or one that is on its way; None for who must get it, and ``land`` it.

        ``refused`` is a token that the other side no longer takes.
        """
        with self._lock:
            kept = self._kept.get(grant)
            if kept is None:
                if len(self._kept) >= _MOST_KEPT:
                    self._kept = {k: v for k, v in self._kept.items() if v.flight}
                kept = self._kept[grant] = _Kept(grant.refresh_token)
            if kept.token not in (None, refused) and now < kept.ends:
                return kept.token
            if kept.flight is not None:
                return kept.flight
            kept.flight = Future()
            return None

    def refresh_token(self, grant: Grant) -> str:
        """Return the newest refresh token of a grant; an answer may have replaced the first."""
        with self._lock:
            kept = self._kept.get(grant)
            return grant.refresh_token if kept is None else kept.refresh_token

    def land(
        self, grant: Grant, landed: str | HttpError | None, answer: Any, now: float
    ) -> None:
        """Tell all who wait what came of getting a token: it, why there is none, or nothing.

        ``answer`` is what the other side said of the token.
        """
        with self._lock:
            kept = self._kept.get(grant)
            if kept is None or kept.flight is None:
                return
            flight, kept.flight = kept.flight, None
            if isinstance(landed, str):
                seconds = answer.get("expires_in")
                is_number = isinstance(seconds, int | float) and seconds == seconds
                kept.token = landed
                kept.ends = now + seconds - _AHEAD if is_number else float("inf")
                renewed = answer.get("refresh_token")
                if kept.refresh_token and isinstance(renewed, str) and renewed:
                    kept.refresh_token = renewed
        flight.set_result(landed)


TOKENS: Final = Tokens()


def read_token(answer: Answer) -> tuple[str | None, Any, str]:
    """Return the token of an answer, the whole answer, and why there is no token.

    The reason quotes no more than the ``error`` code of the standard.
    """
    try:
        said: Any = json.loads(answer.body)
    except (ValueError, RecursionError):
        said = {}
    if not is_object(said):
        said = {}
    token, kind = said.get("access_token"), str(said.get("token_type", "bearer"))
    is_token = isinstance(token, str) and re.fullmatch(r"[\x21-\x7e]+", token)
    if answer.status == 200 and is_token and kind.casefold() == "bearer":
        return cast("str", token), said, ""
    error = said.get("error")
    is_code = isinstance(error, str) and re.fullmatch(r"[a-z_]{1,40}", error)
    code = f" ({error})" if is_code else ""
    return None, said, f"the token server answered with {answer.status}{code}"


def authorized(request: Request, token: str) -> Request:
    """Return a request with an access token (RFC 6750)."""
    return with_headers(request, [("Authorization", f"Bearer {token}")])


def with_headers(request: Request, headers: Sequence[tuple[str, str]]) -> Request:
    """Return a request with headers that no other host may see."""
    names = {name.casefold() for name, _ in headers}
    kept = [each for each in request.headers if each[0].casefold() not in names]
    private = tuple(sorted({*request.private, *names}))
    return replace(request, headers=(*kept, *headers), private=private)


def filled(text: str, parts: Mapping[str, str]) -> str:
    """Return a text with the parts of a request in their places, as ``{path}``."""
    return _PART.sub(lambda place: parts.get(place[1], place[0]), text)


def parts_of(request: Request, seconds: int) -> dict[str, str]:
    """Return what a signature can be of; a body that is no UTF-8 only by its digest."""
    url, body = urlsplit(request.url), request.body or b""
    return {
        "method": request.method,
        "url": request.url,
        "host": url.netloc,
        "path": url.path or "/",
        "query": url.query,
        "timestamp": str(seconds),
        "body": body.decode("utf-8", "surrogateescape"),
        "body_sha256": hashlib.sha256(body).hexdigest(),
    }


def signature(message: str, key: str, algorithm: str, encoding: str) -> str:
    """Return the HMAC of a message, in hexadecimal or base64."""
    signed = message.encode("utf-8", "surrogateescape")
    made = hmac.new(key.encode(), signed, algorithm)
    if encoding == "base64":
        return b64encode(made.digest()).decode("ascii")
    return made.hexdigest()
