"""Parse the hosts that tools may call, and check hosts of URLs against them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from .rule_messages import Mistake

USUAL_PORTS: Final = {"http": 80, "https": 443}
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = re.compile(
    rf"(?P<below>\*\.)?(?P<host>{_LABEL}(?:\.{_LABEL})*|\[[0-9A-Fa-f:.]+\])"
    r"(?::(?P<port>[0-9]{1,5}))?"
)


class Host(NamedTuple):
    """An allowed host: ``api.example.com``, or all subdomains of one (``*.example.com``).

    ``port`` None means the default port of the scheme. ``name`` is in lower case. ``below``:
    its subdomains are allowed, not the host itself.
    """

    name: str
    port: int | None = None
    below: bool = False

    def __str__(self) -> str:
        """Return the host as a spec writes it."""
        name = f"*.{self.name}" if self.below else self.name
        return name if self.port is None else f"{name}:{self.port}"

    def admits(self, name: str, port: int, usual: int) -> bool:
        """Return whether a host and port are allowed; ``usual`` is the port of the scheme."""
        return self._names(name) and port == (self.port or usual)

    def covers(self, other: Host) -> bool:
        """Return whether every host that ``other`` allows is allowed here."""
        if other.port != self.port:
            return False
        if not other.below:
            return self._names(other.name)
        return self.below and (other.name == self.name or self._names(other.name))

    def _names(self, name: str) -> bool:
        if self.below:
            return name.endswith(f".{self.name}") and len(name) > len(self.name) + 1
        return name == self.name


def parse_host(text: str) -> Host | None:
    """Parse a host; return None if ``text`` is none."""
    match = _HOST.fullmatch(text)
    if match is None:
        return None
    port = match["port"]
    number = None if port is None else int(port)
    if number is not None and not 0 < number < 65536:
        return None
    host = match["host"].lower()
    if match["below"] and ("." not in host or host[-1].isdigit()):
        return None
    return Host(host, number, below=bool(match["below"]))


def host_mistake(
    scheme: str, host: str | None, allowed: Sequence[Host]
) -> Mistake | None:
    """Return the mistake in the host of a URL; None if it is allowed.

    ``host`` is None if it has variables: it is then checked at run time.
    """
    if host is None and allowed:
        return None
    pattern = None if host is None else parse_host(host)
    usual = USUAL_PORTS[scheme]
    if pattern is not None and any(
        allowed_host.admits(pattern.name, pattern.port or usual, usual)
        for allowed_host in allowed
    ):
        return None
    return _not_allowed(
        "a host that is an argument" if host is None else f"`{host}`", allowed
    )


def open_host_mistake(scheme: str, end: str, allowed: Sequence[Host]) -> Mistake | None:
    """Return the mistake in a host with variables; ``end`` is its text after the last one.

    The end must fit an allowed host: ``${x}.example.com`` fits ``*.example.com``.
    """
    _, dot, below = end.partition(".")
    pattern = parse_host(f"*.{below}") if dot else None
    usual = USUAL_PORTS[scheme]
    if pattern is not None and any(
        allowed_host.below
        and allowed_host.admits(f"x.{pattern.name}", pattern.port or usual, usual)
        for allowed_host in allowed
    ):
        return None
    return _not_allowed("a host that is an argument", allowed)


def _not_allowed(host: str, allowed: Sequence[Host]) -> Mistake:
    shown = ", ".join(f"`{allowed_host}`" for allowed_host in allowed) or "no host"
    among = f": {shown} {'are' if len(allowed) > 1 else 'is'}"
    return Mistake("host-not-allowed", {"host": host, "among": among})
