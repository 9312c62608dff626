"""The views that the templates of the server target print."""

from __future__ import annotations

from brimgen.emit.code import Code
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerModule:
    """``mcp_server.py``.

    ``wrapped`` are the tools whose results are no objects, ``identity`` is what the settings say
    that the server is.
    """

    header: Code
    wrapped: Code
    identity: Code
