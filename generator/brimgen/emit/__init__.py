"""Targets' wing: a Catalog in, artifacts out; the one line per target."""

from __future__ import annotations

from brimgen.emit import (
    anthropic,
    bundles,
    commands,
    dispatch,
    docs,
    gemini,
    handlers,
    http,
    json_schema,
    mcp,
    models,
    openai,
    openapi,
    prompts,
    python,
    resources,
    server,
    sql,
    store,
)
from brimgen.emit.artifact import Emitter

EMITTERS: tuple[Emitter, ...] = (
    python.EMITTER,
    json_schema.EMITTER,
    sql.EMITTER,
    http.EMITTER,
    openai.EMITTER,
    mcp.EMITTER,
    anthropic.EMITTER,
    gemini.EMITTER,
    models.EMITTER,
    docs.EMITTER,
    commands.EMITTER,
    bundles.EMITTER,
    server.EMITTER,
    dispatch.EMITTER,
    handlers.EMITTER,
    resources.EMITTER,
    prompts.EMITTER,
    openapi.EMITTER,
    store.EMITTER,
)
"""All targets, in the order in which they are listed and run."""

__all__ = ["EMITTERS"]
