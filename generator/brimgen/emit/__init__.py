"""Targets' wing: a Catalog in, artifacts out; the one line per target."""

from __future__ import annotations

from brimgen.emit.artifact import Emitter

EMITTERS: tuple[Emitter, ...] = ()
"""All targets, in the order in which they are listed and run."""

__all__ = ["EMITTERS"]
