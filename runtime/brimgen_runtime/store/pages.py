"""Filter, rank and page the bundles and tools of a store."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from ..calls.bundles import Bundles, Page
from .errors import StoreError

_TOKEN = re.compile("[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class StorePage:
    """A page of bundles or tools as JSON, and the token of the next page.

    ``damaged`` are the files of the store that are left out because they cannot be read.
    """

    items: tuple[dict[str, Any], ...]
    next_page_token: str | None
    what: Literal["bundles", "tools"]
    damaged: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the response of the route: ``bundles`` or ``tools``, and ``nextPageToken``.

        Where files are left out, ``damaged`` names them.
        """
        answer: dict[str, Any] = {self.what: list(self.items)}
        if self.next_page_token is not None:
            answer["nextPageToken"] = self.next_page_token
        if self.damaged:
            answer["damaged"] = list(self.damaged)
        return answer


def check_page(size: object, token: object, **names: object) -> None:
    """Raise StoreError for an invalid page, and for ``names`` that are no lists of strings."""
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise StoreError("invalid", "the page size must be a positive integer")
    if token is not None and not (isinstance(token, str) and _TOKEN.fullmatch(token)):
        raise StoreError("invalid", "no such page")
    for key, texts in names.items():
        if not _are_strings(texts):
            raise StoreError("invalid", f"{key} must be of strings")


def _are_strings(names: object) -> bool:
    if not isinstance(names, Collection) or isinstance(names, str | bytes):
        return False
    return all(isinstance(name, str) for name in cast(Collection[object], names))


def bundle_page(
    rows: Sequence[Mapping[str, Any]],
    *,
    bundle_ids: Collection[str],
    include_disabled: bool,
    page_size: int,
    page_token: str | None,
) -> StorePage:
    """Return a page of bundles; `check_page` has checked the arguments."""
    bundles = [
        without_tools(row)
        for row in rows
        if (include_disabled or row["isEnabled"])
        and (not bundle_ids or row["id"] in bundle_ids)
    ]
    start = int(page_token or 0)
    end = start + page_size
    page = tuple(bundles[start:end])
    return StorePage(page, str(end) if end < len(bundles) else None, "bundles")


def tool_page(
    rows: Sequence[Mapping[str, Any]],
    ask: Callable[[Bundles], Page],
    index_file: Path | None = None,
) -> StorePage:
    """Return the tools that ``ask`` picks of these bundles; searches use ``index_file``.

    Raises StoreError if that file is no index. `check_page` has checked the arguments of ``ask``.
    """
    tools = {
        (row["id"], tool["slug"], tool["version"]): {"bundleID": row["id"], **tool}
        for row in rows
        for tool in row["tools"]
    }
    named = [
        {
            **row,
            "tools": [{**tool, "name": _name(tool)} for tool in row["tools"]],
        }
        for row in rows
    ]
    try:
        page = ask(Bundles(named, index_file))
    except ValueError as error:
        raise StoreError("unreadable", str(error)) from error
    picked = (tools[tool.bundle_id, tool.slug, tool.version] for tool in page.tools)
    return StorePage(tuple(picked), page.next_page_token, "tools")


def without_tools(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a bundle without its tools, as lists show it."""
    return {key: value for key, value in row.items() if key != "tools"}


def _name(tool: Mapping[str, Any]) -> str:
    """Return the name of a tool; its slug if the file has no name, or one that is no string."""
    name = tool.get("name")
    return name if isinstance(name, str) else str(tool["slug"])
