"""List, find and search the tools of a package by bundle."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from .tool_index import ToolIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class BundledTool:
    """One tool of a bundle. ``is_enabled`` is its own switch, ``is_offered`` its bundle's too."""

    bundle_id: str | None
    id: str | None
    slug: str
    version: str
    name: str
    display_name: str
    description: str | None
    tags: tuple[str, ...]
    type: str
    is_enabled: bool
    is_offered: bool
    created_at: str | None
    modified_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """One bundle, with all its tools."""

    id: str | None
    slug: str
    display_name: str
    description: str | None
    is_enabled: bool
    created_at: str | None
    modified_at: str | None
    tools: tuple[BundledTool, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Some tools, and what to ask for the next ones with (None: there are no more)."""

    tools: tuple[BundledTool, ...]
    next_page_token: str | None


class Bundles(Sequence[Bundle]):
    """The bundles of a package, switched-off ones too; ``rows`` are those of ``bundles.json``.

    The index of `search` is made by the first search: in memory, or in ``index_file``.
    """

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], index_file: Path | None = None
    ) -> None:
        self._bundles = tuple(map(_bundle, rows))
        self._tools = tuple(tool for bundle in self._bundles for tool in bundle.tools)
        self._index_file = index_file
        self._tool_index: ToolIndex | None = None

    @overload
    def __getitem__(self, index: int) -> Bundle: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Bundle]: ...
    def __getitem__(self, index: int | slice) -> Bundle | Sequence[Bundle]:
        return self._bundles[index]

    def __len__(self) -> int:
        return len(self._bundles)

    @property
    def tools(self) -> tuple[BundledTool, ...]:
        """All tools of all bundles."""
        return self._tools

    def find(
        self, slug: str, version: str | None = None, *, bundle_id: str | None = None
    ) -> BundledTool:
        """Return the tool that ``slug@version`` means (``slug`` alone where it has one version).

        Raises:
            LookupError: where there is none, or more than one in different bundles.
        """
        if version is None and "@" in slug:
            slug, _, version = slug.partition("@")
        tools = [
            tool
            for tool in self.tools
            if tool.slug == slug
            and version in (None, tool.version)
            and bundle_id in (None, tool.bundle_id)
        ]
        if len(tools) != 1:
            reference = slug if version is None else f"{slug}@{version}"
            raise LookupError(f"{reference}: {len(tools) or 'no'} tools")
        return tools[0]

    def list(
        self,
        *,
        tags: Collection[str] = (),
        bundle_ids: Collection[str] = (),
        include_disabled: bool = False,
        page_size: int = 50,
        page_token: str | None = None,
    ) -> Page:
        """Return the tools that have one of ``tags`` and are in one of ``bundle_ids``, in order.

        Raises ValueError for a token that no page gave, and for a size below 1.
        """
        tools = [
            tool
            for tool in self._shown(include_disabled)
            if (not tags or set(tags) & set(tool.tags))
            and (not bundle_ids or tool.bundle_id in bundle_ids)
        ]
        return _page(tools, page_size, page_token)

    def search(
        self,
        q: str,
        *,
        include_disabled: bool = False,
        page_size: int = 50,
        page_token: str | None = None,
    ) -> Page:
        """Return the tools that ``q`` may mean, the likeliest first.

        Names that begin with ``q`` come first, then tools with all its words, names before
        descriptions, then those with words one letter away; among equals the one that was changed
        last. Raises ValueError as `list`.
        """
        prefix = q.strip().casefold()

        def is_shown(position: int) -> bool:
            return include_disabled or self.tools[position].is_offered

        ranks = self._index().search(q, is_shown)
        for position, tool in enumerate(self.tools):
            if prefix and any(name.startswith(prefix) for name in _names(tool)):
                ranks[position] = -inf
        positions = sorted(
            filter(is_shown, ranks),
            key=lambda position: self.tools[position].modified_at or "",
            reverse=True,
        )
        positions.sort(key=lambda position: ranks[position])
        return _page(
            [self.tools[position] for position in positions], page_size, page_token
        )

    def _index(self) -> ToolIndex:
        if self._tool_index is None:
            from .tool_index import ToolIndex

            texts = [_texts(tool) for tool in self.tools]
            self._tool_index = ToolIndex(texts, self._index_file)
        return self._tool_index

    def _shown(self, include_disabled: bool) -> Iterator[BundledTool]:
        return (tool for tool in self.tools if include_disabled or tool.is_offered)


def bundles_of(package: str) -> Bundles:
    """Return the bundles of a package, by its ``bundles.json``."""
    text = (files(package) / "bundles.json").read_text("utf-8")
    return Bundles(json.loads(text)["bundles"])


def _bundle(row: Mapping[str, Any]) -> Bundle:
    return Bundle(
        id=row["id"],
        slug=row["slug"],
        display_name=row["displayName"],
        description=row.get("description"),
        is_enabled=row["isEnabled"],
        created_at=row["createdAt"],
        modified_at=row["modifiedAt"],
        tools=tuple(_tool(tool, row) for tool in row["tools"]),
    )


def _tool(row: Mapping[str, Any], bundle: Mapping[str, Any]) -> BundledTool:
    return BundledTool(
        bundle_id=bundle["id"],
        id=row["id"],
        slug=row["slug"],
        version=row["version"],
        name=row["name"],
        display_name=row["displayName"],
        description=row.get("description"),
        tags=tuple(row.get("tags", ())),
        type=row["type"],
        is_enabled=row["isEnabled"],
        is_offered=row["isEnabled"] and bundle["isEnabled"],
        created_at=row["createdAt"],
        modified_at=row["modifiedAt"],
    )


def _names(tool: BundledTool) -> list[str]:
    return [name.casefold() for name in (tool.slug, tool.name, tool.display_name)]


def _texts(tool: BundledTool) -> dict[str, str]:
    """Return the texts that a search looks into."""
    return {
        "names": f"{tool.slug} {tool.name}",
        "title": tool.display_name,
        "tags": " ".join(tool.tags),
        "description": tool.description or "",
    }


def _page(tools: Sequence[BundledTool], size: int, token: str | None) -> Page:
    start = 0 if token is None else int(token)
    if size < 1 or start < 0:
        raise ValueError("no such page")
    more = start + size < len(tools)
    return Page(tuple(tools[start : start + size]), str(start + size) if more else None)
