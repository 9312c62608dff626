"""The views that the templates of the HTTP target print."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code
from brimgen.frozen import dataclass
from brimgen.model.json import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpModule:
    """``<package>/http/<tool>.py``; ``plan`` and ``call`` are arguments of `Plan`, `HttpCall`.

    ``types`` are those of a call, bound and not, and of its result.
    """

    header: Code
    tool: Code
    imports: Sequence[Code]
    records: Sequence[Code]
    shown: Code
    plan: Code
    template: Code
    call: Code
    types: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpPackage:
    """``<package>/http/__init__.py``: the modules of tools, by name."""

    header: Code
    homes: Json
