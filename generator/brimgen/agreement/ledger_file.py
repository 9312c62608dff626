"""Read losses.json: the rows on what descriptors leave out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeAlias

from brimgen.emit.account import Loss
from brimgen.model.json import is_list, is_object

LEDGER = "losses.json"
_Key: TypeAlias = tuple[str, str, str, str]
"""The tool, profile, path and keyword of a row of the ledger."""


class Ledger:
    """The rows of losses.json; without the file, the losses that the targets report."""

    def __init__(self, text: str | None, losses: Iterable[Loss]) -> None:
        value = parsed(text)
        self.text = text
        self.rows: list[Any] = (
            [row for row in value if is_object(row)]
            if is_list(value)
            else [_as_row(loss) for loss in losses]
        )
        self._known: dict[_Key, list[Any]] = {}
        for row in self.rows:
            keys = ("tool", "profile", "path", "keyword")
            tool, profile, path, keyword = (str(row.get(key)) for key in keys)
            self._known.setdefault((tool, profile, path, keyword), []).append(row)

    def row(self, tool: str, profile: str, path: str, keyword: str) -> Any:
        """A row, or None."""
        rows = self._known.get((tool, profile, path, keyword))
        return rows[0] if rows else None

    def excuses(self, tool: str, profile: str, path: str) -> bool:
        """Whether a row is about a whole part, or about a part that contains it."""
        while path:
            keys = self._known.keys()
            if any((tool, profile, path, word) in keys for word in _WHOLE):
                return True
            path = path.rpartition("/")[0]
        return False


_WHOLE = ("type", "returns", "properties", "items", "$ref", "additionalProperties")


def _as_row(loss: Loss) -> dict[str, Any]:
    return {
        "tool": loss.tool,
        "path": loss.path,
        "keyword": loss.keyword,
        "value": loss.value,
        "profile": loss.profile,
        "recovered_by": str(loss.recovered_by),
    }


def parsed(text: str | None) -> Any:
    """The value of a JSON text; None where it is missing or is none."""
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return None
