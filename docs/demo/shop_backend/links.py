"""Links."""

from __future__ import annotations

from urllib.parse import urlsplit

from shop.tools.parse_url import ParseUrlBound


def parse(call: ParseUrlBound) -> list[str]:
    """Take a link apart, in the order in which its components were asked for."""
    parts = urlsplit(call.url)
    known = {
        "scheme": parts.scheme,
        "host": parts.hostname,
        "port": str(parts.port or ""),
        "path": parts.path,
        "query": parts.query,
        "fragment": parts.fragment,
    }
    found = [known.get(each.value) or "" for each in call.components]
    return found if call.maxResults is None else found[: call.maxResults]
