"""The descriptor that a template makes of a tool which a target has lowered."""

from __future__ import annotations

import json
from typing import Any

from brimgen.emit.projection.descriptor_files import descriptor_text


def described(template: str, lowered: object) -> Any:
    """The descriptor, parsed."""
    return json.loads(descriptor_text(template, lowered))
