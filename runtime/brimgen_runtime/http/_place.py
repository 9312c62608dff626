"""Write values into the parts of a request, so that each stays inside its part.

No value can end its segment, pair, header or JSON value: what can be encoded is encoded (RFC 3986:
everything but the unreserved characters), what cannot is refused by `RequestError`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any, cast
from urllib.parse import quote, unquote

from ..grammar.hosts import Host
from ..records.encode import to_json_value
from ..schema.errors import REDACTED
from ..schema.json_text import write_json
from ._hosts import AUTHORITY, UrlError, is_admitted, parse_url
from ._json import ABSENT
from ._request import RequestError, Secrets, secret

_PLAIN = re.compile(r"[A-Za-z0-9._~-]*", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SPLIT = re.compile(r"[/\\]")
_HEADER = re.compile(r"(?:[!-~](?:[\t -~]*[!-~])?)?", re.ASCII)
_MOST_DIGITS = 4300
_BEYOND = 10**_MOST_DIGITS
_IN_COOKIE = "!#$&'()*+-./:<=>?@[]^_`{|}~"
"""What a cookie may hold (RFC 6265, 4.1.1) besides letters, digits, and the mark of encoding."""
_HOST_PART = re.compile(r"[A-Za-z0-9.:-]+", re.ASCII)


class Delimited(list[str]):
    """A list that is written as one text; no item has the ``separator``.

    Where it is encoded, each item is encoded by itself.
    """

    __slots__ = ("separator",)

    def __init__(self, texts: Iterable[str], separator: str) -> None:
        super().__init__(texts)
        self.separator = separator


def text(value: object, name: str, *, hidden: bool = False) -> str:
    """Return a plain value as text: numbers and booleans as JSON writes them."""
    if isinstance(value, str):
        return value
    if value is None or value is ABSENT:
        raise RequestError(name, "a value", value, hidden=hidden)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal) and value.is_finite():
        if not value or abs(value.adjusted()) <= _MOST_DIGITS:
            return format(value, "f")
        raise _too_long(name, hidden)
    if isinstance(value, int):
        if -_BEYOND < value < _BEYOND:
            return str(value)
        raise _too_long(name, hidden)
    if isinstance(value, float) and value - value == 0:
        return str(value)
    if isinstance(value, Delimited):
        return value.separator.join(value)
    raise RequestError(name, "text, a number or a boolean", value, hidden=hidden)


def _too_long(name: str, hidden: bool) -> RequestError:
    expected = f"a number of at most {_MOST_DIGITS} digits"
    return RequestError(name, expected, REDACTED, hidden=hidden)


def encoded(
    value: object, name: str, hidden: bool, encode: Callable[[str], str]
) -> str:
    """Return a plain value as text that ``encode`` has made safe; a comma between items stays."""
    if isinstance(value, Delimited):
        between = "," if value.separator == "," else encode(value.separator)
        return between.join(encoded(item, name, hidden, encode) for item in value)
    written = text(value, name, hidden=hidden)
    if _PLAIN.fullmatch(written):
        return written
    try:
        return encode(written)
    except UnicodeEncodeError:
        expected = "text of whole characters"
        raise RequestError(name, expected, value, hidden=hidden) from None


def percent(written: str) -> str:
    """Return a text of which nothing but the unreserved characters is left as it is."""
    return quote(written, safe="")


def part(value: object, name: str, *, hidden: bool = False) -> str:
    """Return what stands beside other text in one segment of a path."""
    written = encoded(value, name, hidden, percent)
    if written is not value and _CONTROL.search(text(value, name, hidden=hidden)):
        expected = "a part of a path without control characters"
        raise RequestError(name, expected, value, hidden=hidden)
    return written


def whole(written: str, name: str, *, hidden: bool = False) -> str:
    """Return an encoded segment if every server reads it as one; ``name`` is its last value.

    It is not empty, and has no ``.`` and ``..`` between slashes, however often they are encoded:
    there are servers that decode before they split, and some that decode twice.
    """
    if not written:
        expected = "a part of a path that is not empty"
        raise RequestError(name, expected, written, hidden=hidden)
    if ("." in written or "%25" in written) and _has_dots(written):
        expected = "a part of a path without `.` or `..` between slashes"
        raise RequestError(name, expected, unquote(written), hidden=hidden)
    return written


def _has_dots(written: str) -> bool:
    plain = written
    while "%" in plain:
        plain, before = unquote(plain), plain
        if plain == before:
            break
    return any(piece in (".", "..") for piece in _SPLIT.split(plain))


def authority(
    written: str, name: str, hosts: Sequence[Host], scheme: str, *, hidden: bool = False
) -> str:
    """Return an expanded host (and port) if it is one, and among ``hosts``."""
    match = AUTHORITY.fullmatch(written)
    if match is None:
        raise RequestError(name, "a part of a host in ASCII", written, hidden=hidden)
    if not is_admitted(scheme, match["host"].lower(), match["port"], hosts):
        expected = "a part of a host that is allowed"
        raise RequestError(name, expected, written, hidden=hidden)
    return written


def base_url(secrets: Secrets, name: str) -> str:
    """Return the base URL of a service, without a slash at its end. Raises SecretError.

    Raises RequestError where it is no URL that paths can stand behind.
    """
    written = secret(secrets, name)
    try:
        is_plain = "?" not in parse_url(written).path
    except UrlError:
        is_plain = False
    if not is_plain:
        expected = "the URL of a server, such as https://api.example.com/v1"
        raise RequestError(name, expected, written, hidden=True)
    return written.rstrip("/")


def host_part(value: object, name: str, *, hidden: bool = False) -> str:
    """Return what stands in a host: letters, digits, ``-``, ``.``, and ``:`` before a port."""
    written = text(value, name, hidden=hidden)
    if _HOST_PART.fullmatch(written) is None:
        raise RequestError(name, "a part of a host in ASCII", value, hidden=hidden)
    return written


def is_nothing(value: object) -> bool:
    """Return whether nothing is written for a value: it is absent, or one text of no items."""
    return (
        value is None or value is ABSENT or (isinstance(value, Delimited) and not value)
    )


def pairs(
    key: str, value: object, name: str, hidden: bool, encode: Callable[[str], str]
) -> list[str]:
    """Return pairs of one key, which is encoded: none for nothing, one for each item of a list."""
    if is_nothing(value):
        return []
    items = [value]
    if isinstance(value, list) and not isinstance(value, Delimited):
        items = cast("list[object]", value)
    return [f"{key}={encoded(item, name, hidden, encode)}" for item in items]


def header(value: object, name: str, *, hidden: bool = False) -> str:
    """Return what stands in a header: printable ASCII, no space at its ends."""
    written = text(value, name, hidden=hidden)
    if _HEADER.fullmatch(written) is None:
        expected = "a header in printable ASCII on one line"
        raise RequestError(name, expected, value, hidden=hidden)
    return written


def cookie(value: object, name: str, *, hidden: bool = False) -> str:
    """Return the value of a cookie: what cannot stand in one is encoded."""
    return encoded(value, name, hidden, lambda text: quote(text, safe=_IN_COOKIE))


def bearer(token: str, name: str) -> str:
    """Return what the header ``Authorization`` says of a token (RFC 6750)."""
    return f"Bearer {header(token, name, hidden=True)}"


def basic(username: str, password: str, name: str) -> str:
    """Return what the header ``Authorization`` says of a user (RFC 7617).

    ``name`` is what an error calls the two.
    """
    from base64 import b64encode

    if ":" in username or _CONTROL.search(username + password):
        raise RequestError(name, "a user without `:`", username, hidden=True)
    try:
        pair = b64encode(f"{username}:{password}".encode()).decode("ascii")
    except UnicodeEncodeError:
        raise RequestError(name, "text of whole characters", "", hidden=True) from None
    return f"Basic {pair}"


def json_body(value: Any) -> bytes:
    """Return a JSON value as it is sent. Raises RequestError for what JSON cannot say."""
    try:
        return _written(value).encode("utf-8")
    except (ValueError, RecursionError):
        raise RequestError("", "a body of JSON values", REDACTED) from None


def _written(value: Any) -> str:
    try:
        return json.dumps(
            value, ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
    except TypeError:
        return write_json(to_json_value(value), halves=False)


def text_body(value: str) -> bytes:
    """Return a text as it is sent."""
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError:
        raise RequestError("", "text of whole characters", REDACTED) from None
