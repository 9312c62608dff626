"""The views that the templates of the HTTP target print."""

from __future__ import annotations

from brimgen.emit.code import Code
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpModule:
    """``<package>/http/<tool>.py``."""

    header: Code
    title: Code
    imports: tuple[Code, ...]
    records: tuple[Code, ...]
    begins_with_class: bool
    alias: tuple[Code, ...]
    shown: Code
    plan: Code
    build_head: Code
    build_body: tuple[Code, ...]
    invoke_head: Code
    invoke_async_head: Code
    request_head: Code
    request_body: tuple[Code, ...]
    made: Code
    run: Code
    run_async: Code
    decode_head: Code
    decode_body: tuple[Code, ...]
    validator: Code | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpPackage:
    """``<package>/http/__init__.py``."""

    header: Code
    tools: Code
