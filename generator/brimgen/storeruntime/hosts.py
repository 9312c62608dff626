"""Hosts that tools may call: how they are written, and which host of a URL is one of them."""

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
    """A host that may be spoken to: ``api.example.com``, or all below one (``*.example.com``).

    Without ``port`` the usual port of the scheme is meant. ``host`` is in lower case; the apex
    of ``*.example.com`` is not below it.
    """

    host: str
    port: int | None = None
    below: bool = False

    def __str__(self) -> str:
        """Return the host as a spec writes it."""
        host = f"*.{self.host}" if self.below else self.host
        return host if self.port is None else f"{host}:{self.port}"

    def admits(self, host: str, port: int, usual: int) -> bool:
        """Return whether a host is meant; ``usual`` is the port of the scheme."""
        return self.names(host) and port == (self.port or usual)

    def names(self, host: str) -> bool:
        """Return whether a host, in lower case, is meant at some port."""
        if self.below:
            return host.endswith(f".{self.host}") and len(host) > len(self.host) + 1
        return host == self.host


def parse_host(text: str) -> Host | None:
    """Return the host that ``text`` writes, or None where it is none."""
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
    """Return what is wrong with the host of a URL, None for one that may be called.

    ``host`` is None where it has variables: it is then held against ``allowed`` at run time.
    """
    if host is None and allowed:
        return None
    pattern = None if host is None else parse_host(host)
    usual = USUAL_PORTS[scheme]
    if pattern is not None and any(
        allowed_host.admits(pattern.host, pattern.port or usual, usual)
        for allowed_host in allowed
    ):
        return None
    return _not_allowed(
        "a host that is an argument" if host is None else f"`{host}`", allowed
    )


def open_host_mistake(scheme: str, end: str, allowed: Sequence[Host]) -> Mistake | None:
    """Return what is wrong with a host that has variables, and ``end`` behind the last of them.

    Its end must be that of hosts that may be called: ``${x}.example.com`` of ``*.example.com``.
    """
    _, dot, below = end.partition(".")
    pattern = parse_host(f"*.{below}") if dot else None
    usual = USUAL_PORTS[scheme]
    if pattern is not None and any(
        allowed_host.below
        and allowed_host.admits(f"x.{pattern.host}", pattern.port or usual, usual)
        for allowed_host in allowed
    ):
        return None
    return _not_allowed("a host that is an argument", allowed)


def _not_allowed(host: str, allowed: Sequence[Host]) -> Mistake:
    shown = ", ".join(f"`{allowed_host}`" for allowed_host in allowed) or "no host"
    among = f": {shown} {'are' if len(allowed) > 1 else 'is'}"
    return Mistake("R409", {"host": host, "among": among})
