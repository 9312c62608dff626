"""Names: whether those of arguments pass the providers that descriptors are sent on to."""

from __future__ import annotations

import re

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.descriptors import ARGUMENT_NAME
from brimgen.model.catalog import Tool

_PORTABLE = re.compile(r"\A[a-zA-Z0-9_.-]{1,64}\Z")


def check_argument_names(tool: Tool, target: str, found: Diagnostics) -> None:
    """Warn of names with which some providers refuse the whole request (descriptors.md 3.1)."""
    for field in tool.caller_fields:
        if not _PORTABLE.match(field.name):
            found.add(
                ARGUMENT_NAME,
                field.span,
                target=target,
                tool=tool.name,
                name=field.name,
            )
