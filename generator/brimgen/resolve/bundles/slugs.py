"""Check slugs and versions (S2.19-23)."""

from __future__ import annotations

import unicodedata

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.resolve import tools as rules
from brimgen.source.nodes import Node, ScalarNode

_LONGEST = 64


def read_slug(
    node: Node | None, diagnostics: Diagnostics, *, dots: bool = False
) -> str | None:
    """Return a slug (with ``dots`` a version) as it is written; None where there is none.

    Unicode letters, decimal digits and ASCII dashes, 1 to 64 code points, NFC; a version may have
    dots as well, but not only dots. Reports what is not.
    """
    if not isinstance(node, ScalarNode):
        return None
    reason = _fault(node.text, dots=dots)
    if reason is None:
        return node.text
    what, near = "version" if dots else "slug", _intended_slug(node.text, dots=dots)
    diagnostics.add(
        rules.BAD_SLUG,
        node.span,
        suggestions=near,
        what=what,
        text=node.text[:80],
        reason=reason,
    )
    return None


def _intended_slug(text: str, *, dots: bool) -> tuple[str, ...]:
    """The slug with dashes for what it cannot have."""
    kept = unicodedata.normalize("NFC", text)
    wrong = {each for each in kept if _fault(f"a{each}", dots=dots)}
    plain = "".join("-" if each in wrong else each for each in kept).strip("-")
    return (plain,) if _fault(plain, dots=dots) is None else ()


def _fault(text: str, *, dots: bool) -> str | None:
    if not text:
        return "is empty"
    if len(text) > _LONGEST:
        return f"has more than {_LONGEST} characters"
    if unicodedata.normalize("NFC", text) != text:
        return "is not in Unicode normal form NFC"
    for character in text:
        category = unicodedata.category(character)
        if category[0] == "L" or category == "Nd" or character == "-":
            continue
        if character == "." and dots:
            continue
        name = unicodedata.name(character, f"U+{ord(character):04X}")
        return f"has the character {character!a} ({name})"
    if not text.strip("."):
        return "has nothing but dots"
    return None
