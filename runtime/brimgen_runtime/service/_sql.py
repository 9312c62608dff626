"""The bridge to the package's SQL: the names that the modules about statements use."""

from __future__ import annotations

from ..sql import _run_async as run_async
from ..sql._drivers import (
    AlchemyCursor,
    begun,
    cursor_of,
    driver_of,
    driver_of_engine,
    interrupter,
    is_alchemy,
    text_for,
)
from ..sql._json import keep_digits
from ..sql._refusals import refusal_of
from ..sql._run import (
    Statement,
    changed,
    execute,
    names_of,
    plain,
    single,
)

__all__ = [
    "AlchemyCursor",
    "Statement",
    "begun",
    "changed",
    "cursor_of",
    "driver_of",
    "driver_of_engine",
    "execute",
    "interrupter",
    "is_alchemy",
    "keep_digits",
    "names_of",
    "plain",
    "refusal_of",
    "run_async",
    "single",
    "text_for",
]
