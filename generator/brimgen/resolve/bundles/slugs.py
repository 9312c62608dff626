"""Check slugs and versions (S2.19-23)."""

from __future__ import annotations

import unicodedata

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.resolve import tools as rules
from brimgen.source.nodes import Node, ScalarNode
from brimgen_runtime.store.names import slug_mistake


def read_slug(
    node: Node | None, diagnostics: Diagnostics, *, dots: bool = False
) -> str | None:
    """Return a slug (with ``dots`` a version) as it is written, or None; report an invalid one."""
    if not isinstance(node, ScalarNode):
        return None
    kind = "version" if dots else "slug"
    mistake = slug_mistake(node.text, kind)
    if mistake is None:
        return node.text
    near = _intended_slug(node.text, kind)
    diagnostics.add(rules.BAD_SLUG, node.span, suggestions=near, **mistake.values)
    return None


def _intended_slug(text: str, kind: str) -> tuple[str, ...]:
    """Suggest the text with dashes for invalid characters, if that makes it valid."""
    normalized = unicodedata.normalize("NFC", text)
    invalid = {
        character for character in normalized if slug_mistake(f"a{character}", kind)
    }
    plain = "".join(
        "-" if character in invalid else character for character in normalized
    ).strip("-")
    return () if slug_mistake(plain, kind) else (plain,)
