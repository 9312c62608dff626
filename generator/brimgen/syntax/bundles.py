"""Read a ``bundle`` document: tools that are switched on and off together."""

from __future__ import annotations

from brimgen.source.document import Document
from brimgen.source.nodes import Entry
from brimgen.syntax import shapes
from brimgen.syntax.decls import BundleDecl, Text
from brimgen.syntax.reader import Keys, Reader, read_section, refuse_unknown, shortened

BUNDLE = Keys(
    {
        "type": shapes.word,
        "name": shapes.word,
        "id": shapes.word,
        "slug": shapes.word,
        "displayName": shapes.text,
        "description": shapes.text,
        "isEnabled": shapes.flag,
        "createdAt": shapes.text,
        "modifiedAt": shapes.text,
    },
    {"title": "displayName", "enabled": "isEnabled"},
)


def _refuse_key(
    reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
) -> str | None:
    """A bundle does not list its tools: they name it."""
    if entry.key.text not in ("tools", "functions", "members"):
        return refuse_unknown(reader, entry, owner=owner, keys=keys)
    from brimgen.diagnostics.helps import bundle_of_tools

    rule = bundle_of_tools()
    reader.report(rule, entry.key.span, key=shortened(entry.key.text), owner=owner)
    return None


def read_bundle(reader: Reader, document: Document, name: Text) -> BundleDecl:
    """The declaration of one bundle document, whose name was read."""
    before = reader.errors
    owner = f"bundle `{shortened(name.value)}`"
    section = read_section(
        reader, document.root, keys=BUNDLE, owner=owner, refuse=_refuse_key
    )
    return BundleDecl(
        file=document.file,
        name=name,
        id=section.scalar("id"),
        slug=section.scalar("slug"),
        display_name=section.text("displayName"),
        description=section.text("description"),
        enabled=section.scalar("isEnabled"),
        created_at=section.scalar("createdAt"),
        modified_at=section.scalar("modifiedAt"),
        extensions=section.extensions,
        sound=reader.errors == before,
    )
