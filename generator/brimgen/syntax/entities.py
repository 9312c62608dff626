"""Parse entities, leaves and bundles."""

from __future__ import annotations

from brimgen.diagnostics import Note
from brimgen.diagnostics.rules import (
    BAD_ENUM_VALUE,
    ENTITY_TWO_FORMS,
    ENTITY_WITHOUT_CONTENT,
    OMIT_WITHOUT_ENTITY,
)
from brimgen.source.document import Document
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode, Text
from brimgen.syntax import shapes
from brimgen.syntax.arguments import read_content
from brimgen.syntax.decls import ArgumentsDecl, BundleDecl, EntityDecl, LeafDecl
from brimgen.syntax.json_schema import check_keywords
from brimgen.syntax.keys import (
    BUNDLE,
    ENTITY,
    LEAF,
    LEAF_PYTHON,
    LIMITS_OF_REQUESTS,
    SCHEMA_ONLY,
    WITH_SCHEMA,
)
from brimgen.syntax.reader import (
    Keys,
    Reader,
    Section,
    described,
    read_inner,
    read_section,
    refuse_unknown,
    shortened,
    similar_keys,
)

_OF_ALL = ("type", "name", "title", "description")
_FORMS = ("fields", "properties", "enum")


def read_entity(reader: Reader, document: Document, name: Text) -> EntityDecl:
    """The declaration of one entity document, whose name was read."""
    before = reader.errors
    owner = f"entity `{shortened(name.value)}`"
    if stray := _stray_fields(document.root):
        reader.report(
            ENTITY_WITHOUT_CONTENT,
            name.span,
            suggestions=(f"fields: {{{', '.join(stray)}}}",),
            name=shortened(name.value),
        )
        return EntityDecl(
            file=document.file, name=name, span=document.root.span, sound=False
        )
    section = read_section(
        reader,
        document.root,
        keys=WITH_SCHEMA if "properties" in _keys(document.root) else ENTITY,
        owner=owner,
        refuse=_refuse_key,
    )
    content = None
    enum = None
    form = _form(reader, section, name)
    if form == "enum":
        enum = _enum(reader, section.node("enum"))
    elif form == "properties":
        content = _schema(reader, section, document.root, before=before)
    elif form is not None:
        content = read_content(reader, section, before=before, key="fields")
    return EntityDecl(
        file=document.file,
        name=name,
        span=document.root.span,
        title=section.value("title", None),
        description=section.value("description", None),
        content=content,
        enum=enum,
        extensions=section.extensions,
        sound=reader.errors == before,
    )


def _stray_fields(root: MapNode) -> list[str]:
    """Return the fields beside the name of an entity that has no other content, else nothing."""
    stray: list[str] = []
    for key, value in root.entries:
        word = key.text
        if word.startswith("x-"):
            continue
        standard = ENTITY.standard(word)
        if standard in _OF_ALL:
            continue
        if standard or similar_keys(word, ENTITY) or not isinstance(value, ScalarNode):
            return []
        stray.append(f"{shortened(word)}: {shortened(value.text)}")
    return stray


def _keys(root: MapNode) -> frozenset[str]:
    return frozenset(entry.key.text for entry in root.entries)


def _refuse_key(
    reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
) -> str | None:
    """Keys of JSON Schema count as known only beside ``properties``, so they are not suggested."""
    return refuse_unknown(reader, entry, owner=owner, keys=ENTITY)


def _form(reader: Reader, section: Section, name: Text) -> str | None:
    """Which of the forms the entity has; "entity_ref" where it only inherits."""
    present = [key for key in section.written if key in (*_FORMS, "entity_ref")]
    forms = [key for key in present if key in _FORMS]
    if len(forms) > 1 or (forms == ["enum"] and "entity_ref" in present):
        clash = [section.written[key] for key in (forms if len(forms) > 1 else present)]
        # An unknown key, which was reported, may mean something else than it is taken for.
        known_keys = [key for key in clash if key.text not in section.unknown]
        for extra_key in known_keys[1:]:
            first = known_keys[0]
            reader.report(
                ENTITY_TWO_FORMS,
                extra_key.span,
                notes=[Note(first.span, f"`{first.text}` stands here")],
                first=first.text,
                key=extra_key.text,
            )
    elif not present:
        if "omit" in section.written:
            reader.report(OMIT_WITHOUT_ENTITY, section.written["omit"].span)
        elif not (section.is_partial or section.misspells(*_FORMS, "entity_ref")):
            reader.report(ENTITY_WITHOUT_CONTENT, name.span, name=shortened(name.value))
        return None
    return forms[0] if forms else "entity_ref"


def _enum(reader: Reader, node: Node | None) -> tuple[Node, ...] | None:
    """The values of a closed list: strings and numbers, in their order (S4.28)."""
    if not isinstance(node, ListNode):
        return None
    values: list[Node] = []
    for item in node.items:
        value = item.value if isinstance(item, ScalarNode) else None
        if isinstance(value, bool) or value is None:
            reader.report(BAD_ENUM_VALUE, item.span, actual=described(item))
        else:
            values.append(item)
    return tuple(values)


def _schema(
    reader: Reader, section: Section, root: MapNode, *, before: int
) -> ArgumentsDecl:
    """The content of an entity with ``properties``: its keywords, as one JSON Schema."""
    keywords = tuple(
        entry
        for entry in root.entries
        if entry.key.text == "properties" or entry.key.text in SCHEMA_ONLY
    )
    schema = MapNode(root.span, keywords)
    check_keywords(reader, schema)
    inherited = read_content(reader, section, before=before, key="fields")
    return ArgumentsDecl(
        span=inherited.span,
        entity_ref=inherited.entity_ref,
        standard=None if section.node("properties") is None else schema,
        omit=inherited.omit,
        descriptions=inherited.descriptions,
        sound=reader.errors == before,
    )


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
        section=section,
        python=python if "type" in python else {},
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


def _refuse_key_of_bundles(
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
    owner = f"bundle `{shortened(name.value)}`"
    section = read_section(
        reader, document.root, keys=BUNDLE, owner=owner, refuse=_refuse_key_of_bundles
    )
    limits = read_inner(reader, "limits", section.node("limits"), LIMITS_OF_REQUESTS)
    return BundleDecl(file=document.file, name=name, section=section, limits=limits)
