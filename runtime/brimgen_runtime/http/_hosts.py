"""Decide whether a URL may be called.

URLs are parsed strictly: what two parsers could read in two ways is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ..grammar.hosts import USUAL_PORTS, Host

_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"
AUTHORITY: Final = re.compile(
    rf"(?P<host>{_LABEL}(?:\.{_LABEL})*|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{{1,5}}))?",
    re.ASCII,
)
_URL: Final = re.compile(
    r"(?P<scheme>https?)://(?P<authority>[^/?#]*)"
    r"(?P<target>[/?](?:[!$&-;=?-\[\]_a-z~]|%[0-9A-Fa-f]{2})*)?",
    re.ASCII,
)


class Target(NamedTuple):
    """A URL, taken apart: ``path`` is path and query, as they are sent."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port: what credentials belong to."""
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        """Host and port as the header ``Host`` says them."""
        usual = USUAL_PORTS[self.scheme] == self.port
        return self.host if usual else f"{self.host}:{self.port}"


class UrlError(ValueError):
    """A URL that is not spoken to; the message tells why, and nothing of the URL."""


def parse_url(url: str) -> Target:
    """Return the parts of an absolute URL. Raises UrlError where it is in any way unusual."""
    match = _URL.fullmatch(url)
    if match is None:
        raise UrlError("it is not a plain URL of http or https")
    if "@" in match["authority"]:
        raise UrlError("it has a name or password before its host")
    host = AUTHORITY.fullmatch(match["authority"])
    if host is None:
        raise UrlError("its host is not a name or address in ASCII")
    port = int(host["port"]) if host["port"] else USUAL_PORTS[match["scheme"]]
    if not 0 < port < 65536:
        raise UrlError("it has no such port")
    path = match["target"] or "/"
    path = path if path.startswith("/") else f"/{path}"
    return Target(match["scheme"], host["host"].lower(), port, path)


def is_admitted(
    scheme: str, host: str, port: str | int | None, hosts: Sequence[Host]
) -> bool:
    """Return whether one of ``hosts`` admits a host, in lower case."""
    usual = USUAL_PORTS[scheme]
    number = int(port) if port else usual
    return any(allowed.admits(host, number, usual) for allowed in hosts)


def checked(url: str, hosts: Sequence[Host]) -> Target:
    """Return the parts of a URL that may be spoken to. Raises UrlError for any other."""
    target = parse_url(url)
    if not is_admitted(target.scheme, target.host, target.port, hosts):
        raise UrlError("its host is not allowed")
    return target
