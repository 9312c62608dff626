"""The descriptor that a template makes of a tool which a target has lowered."""

from __future__ import annotations

from typing import Any

from brimgen.emit.render import render_object


def described(template: str, lowered: object) -> Any:
    """The descriptor."""
    return render_object(template, lowered)
