"""Pages: the bundles and tools of a store, filtered, ranked and cut to size (S2.33, S2.39-46)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ._package import Bundles, Page
from .errors import StoreError


@dataclass(frozen=True, slots=True)
class StorePage:
    """Some bundles or tools as JSON, and what to ask for the next ones with."""

    items: tuple[dict[str, Any], ...]
    next_page_token: str | None
    what: Literal["bundles", "tools"]

    def to_dict(self) -> dict[str, Any]:
        """Return the answer of the route: ``bundles`` or ``tools``, and ``nextPageToken``."""
        token = self.next_page_token
        more = {} if token is None else {"nextPageToken": token}
        return {self.what: list(self.items), **more}


def bundle_page(
    rows: Sequence[Mapping[str, Any]],
    *,
    bundle_ids: Collection[str],
    include_disabled: bool,
    page_size: int,
    page_token: str | None,
) -> StorePage:
    """Return a page of bundles. Raises StoreError for a page that there cannot be."""
    found = [
        without_tools(row)
        for row in rows
        if (include_disabled or row["isEnabled"])
        and (not bundle_ids or row["id"] in bundle_ids)
    ]
    token = "0" if page_token is None else page_token
    if page_size < 1 or not (token.isascii() and token.isdecimal()):
        raise StoreError("invalid", "no such page")
    end = int(token) + page_size
    page = tuple(found[int(token) : end])
    return StorePage(page, str(end) if end < len(found) else None, "bundles")


def tool_page(
    rows: Sequence[Mapping[str, Any]], ask: Callable[[Bundles], Page]
) -> StorePage:
    """Return the tools that ``ask`` picks of these bundles. Raises StoreError as `bundle_page`."""
    tools = {
        (row["id"], each["slug"], each["version"]): {"bundleID": row["id"], **each}
        for row in rows
        for each in row["tools"]
    }
    named = [
        {
            **row,
            "tools": [
                {**each, "name": each.get("name", each["slug"])}
                for each in row["tools"]
            ],
        }
        for row in rows
    ]
    try:
        page = ask(Bundles(named))
    except ValueError:
        raise StoreError("invalid", "no such page") from None
    found = (tools[each.bundle_id, each.slug, each.version] for each in page.tools)
    return StorePage(tuple(found), page.next_page_token, "tools")


def without_tools(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a bundle as it is listed."""
    return {key: value for key, value in row.items() if key != "tools"}
