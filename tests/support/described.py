"""The descriptor that a template makes of a tool which a target has lowered."""

from __future__ import annotations

import json
from typing import Any

from brimgen.emit.render import render_part


def described(template: str, lowered: object) -> Any:
    """The descriptor, parsed."""
    return json.loads(render_part(template, lowered))
