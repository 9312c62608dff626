"""Read a ``leaf`` document: a type that is a primitive in JSON (S4.22)."""

from __future__ import annotations

from brimgen.source.document import Document
from brimgen.source.nodes import MapNode, ScalarNode
from brimgen.syntax import shapes
from brimgen.syntax.decls import LeafDecl, Text
from brimgen.syntax.json_schema import check_keywords
from brimgen.syntax.reader import Keys, Reader, Section, read_section, shortened

_PRIMITIVES = frozenset({"string", "integer", "number", "boolean"})


def _intended_schema(text: str) -> str:
    """Suggest the schema with this type."""
    return f"{{type: {text}}}" if text in _PRIMITIVES else ""


LEAF = Keys(
    {
        "type": shapes.word,
        "name": shapes.word,
        "title": shapes.text,
        "description": shapes.text,
        "schema": shapes.Block(_intended_schema),
        "python": shapes.anything,
        "sql": shapes.word,
        "placeholder": shapes.anything,
    },
    {"displayName": "title"},
)
LEAF_PYTHON = Keys({"type": shapes.text, "parse": shapes.text, "dump": shapes.text})


def read_leaf(reader: Reader, document: Document, name: Text) -> LeafDecl:
    """The declaration of one leaf document, whose name was read."""
    before = reader.errors
    owner = f"leaf `{shortened(name.value)}`"
    section = read_section(reader, document.root, keys=LEAF, owner=owner)
    schema = section.node("schema")
    if section.require(reader, "schema", name.span) and isinstance(schema, MapNode):
        check_keywords(reader, schema)
    python = _python(reader, section)
    return LeafDecl(
        file=document.file,
        name=name,
        title=section.text("title"),
        description=section.text("description"),
        schema=schema if isinstance(schema, MapNode) else None,
        python_type=python.get("type"),
        parse=python.get("parse"),
        dump=python.get("dump"),
        sql=section.text("sql"),
        placeholder=section.node("placeholder"),
        extensions=section.extensions,
        sound=reader.errors == before,
    )


def _python(reader: Reader, section: Section) -> dict[str, Text]:
    """Read ``python``: a mapping, or the type alone."""
    node = section.node("python")
    if isinstance(node, ScalarNode):
        if not shapes.text(reader, "python", node):
            return {}
        return {"type": Text(node.text, node.span)}
    if node is None or not shapes.mapping(reader, "python", node):
        return {}
    assert isinstance(node, MapNode)
    inner = read_section(reader, node, keys=LEAF_PYTHON, owner="`python`")
    inner.require(reader, "type", section.written["python"].span)
    texts = {key: inner.text(key) for key in LEAF_PYTHON.shapes}
    return {key: text for key, text in texts.items() if text is not None}
