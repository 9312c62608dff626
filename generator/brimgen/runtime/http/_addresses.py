"""Check the address that a host name resolves to before connecting to it.

Whoever runs the name server of an allowed name can change its address at any time. So the address
that the connection is made to is checked, and no name is looked up twice.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

_TRANSLATED: Final = IPv6Network("64:ff9b::/96")


def is_open(host: str, address: str) -> bool:
    """Return whether a host of a URL, in lower case, may be spoken to at an address.

    A host that is itself an address is allowed as such, and ``localhost`` is this machine
    (RFC 6761); any other name leads to a public address.
    """
    found = ip_address(address)
    if _is_address(host):
        return True
    if host == "localhost" or host.endswith(".localhost"):
        return found.is_loopback
    return _is_public(found)


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address, and any IPv4 address inside of it, is one of the Internet."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _TRANSLATED:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return _is_public(inner)
        if address.is_site_local:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved)
