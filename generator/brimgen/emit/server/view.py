"""The views that the templates of the server target print."""

from __future__ import annotations

from brimgen.emit.code import Code
from brimgen.frozen import dataclass
from brimgen.model.json import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerModule:
    """``mcp_server.py`` and ``_server/_package.py``, which are the same for every catalog."""

    header: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """``_server/lists/entries.json``: how each tool runs."""

    value: JsonObject
