"""Parse the arguments of a tool in each of their forms.

The forms (spec-language.md; S0.2-S0.14, S1.15, S3.34): a mapping with ``entity_ref`` and/or
``inline``; fields directly under ``arguments`` (read as inline, with a warning); a list of
mappings. ``inline`` is Standard mode (JSON Schema) by its fingerprint or by ``mode``.
"""

from __future__ import annotations

from functools import lru_cache

from brimgen.diagnostics import did_you_mean
from brimgen.diagnostics.rules import (
    ENTITY_REF_IS_LIST,
    ENTITY_REF_NOT_A_NAME,
    IMPLICIT_INLINE,
    MISPLACED_TOOL_KEY,
    OMIT_WITHOUT_ENTITY,
    SCHEMA_KEYWORD_IN_ENTRY,
    SCHEMA_OR_FIELD,
    STRAY_ARGUMENT,
    UNKNOWN_KEY,
)
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode, Text
from brimgen.syntax import shapes
from brimgen.syntax.decls import ArgumentsDecl, FieldDecl
from brimgen.syntax.fields import read_fields
from brimgen.syntax.json_schema import KEYWORDS, SCHEMA_WORDS, check_keywords
from brimgen.syntax.keys import CONTENT, ENTRY, MODES
from brimgen.syntax.naming import NAME
from brimgen.syntax.reader import (
    Keys,
    Reader,
    Section,
    described,
    read_section,
    shortened,
)
from brimgen.syntax.type_text import read_type


def read_omit(reader: Reader, section: Section) -> tuple[Text, ...]:
    """Read the inherited fields to drop; report them where nothing is inherited."""
    node = section.node("omit")
    if not isinstance(node, ListNode):
        return ()
    if "entity_ref" not in section.written and node.items:
        reader.report(OMIT_WITHOUT_ENTITY, section.written["omit"].span)
        return ()
    return tuple(
        Text(item.text, item.span)
        for item in node.items
        if isinstance(item, ScalarNode)
    )


def read_descriptions(
    reader: Reader, section: Section
) -> tuple[tuple[Text, Text], ...]:
    """Read the keys of `descriptions` and their texts, in the order of the file."""
    node = section.node("descriptions")
    if not isinstance(node, MapNode):
        return ()
    return tuple(
        (Text(entry.key.text, entry.key.span), Text(entry.value.text, entry.value.span))
        for entry in node.entries
        if shapes.text(reader, entry.key.text, entry.value)
        and isinstance(entry.value, ScalarNode)
    )


def count_written(inline: Node) -> int:
    """Count the fields that an author wrote, refused ones included; those refused before they were
    read count as one.
    """
    match inline:
        case MapNode(entries=entries):
            return len(entries) + inline.is_partial
        case ListNode(items=items):
            return len(items)
        case _:
            return 0


# Keys of a tool that cannot be meant as arguments.
_RETURNS = frozenset({"returns", "return_shape", "outputSchema"})
_OF_THE_TOOL = _RETURNS | frozenset(
    {"sql", "handler", "mcp", "when_to_use", "allowedHosts", "allowed_hosts"}
    | {"displayName"}
)


def read_arguments(
    reader: Reader, entry: Entry, *, infers: bool = False
) -> ArgumentsDecl:
    """Read what stands under ``arguments``; with ``infers``, types may be absent."""
    before = reader.errors
    key, node = entry.key, entry.value
    if isinstance(node, MapNode) and not _is_block(node):
        section = _implicit(reader, key, node)
    elif isinstance(node, MapNode):
        section = read_section(
            reader, node, keys=CONTENT, owner=f"`{key.text}`", refuse=_refuse_stray
        )
    elif isinstance(node, ListNode):
        section = _section_of(key, node)
    else:
        match = NAME.match(node.text)
        reader.refuse(
            key.text,
            node,
            expected="a mapping",
            suggestions=(f"{{entity_ref: {node.text}}}",) if match else (),
        )
        return ArgumentsDecl(span=node.span, sound=False)
    return read_content(reader, section, before=before, infers=infers)


def read_schema(reader: Reader, node: MapNode) -> ArgumentsDecl:
    """Read the arguments of a tool that are written as JSON Schema only (``argSchema``, S2.50)."""
    before = reader.errors
    check_keywords(reader, node)
    return ArgumentsDecl(span=node.span, standard=node, sound=reader.errors == before)


def _is_block(node: MapNode) -> bool:
    """Whether the mapping is a block, with ``inline`` or ``entity_ref``, and not the fields.

    A block may be misspelt: ``entityRef: Customer`` is no argument of type Customer.
    """
    for entry in node.entries:
        word, value = entry.key.text, entry.value
        if word in ("entity_ref", "inline"):
            return True
        if isinstance(value, ScalarNode) and _intended_key(word) == "entity_ref":
            return True
        if _intended_key(word) == "inline" and isinstance(value, MapNode):
            field_keys = (ENTRY.standard(nested.key.text) for nested in value.entries)
            return not any(field_keys)
    return False


@lru_cache(maxsize=1024)
def _intended_key(word: str) -> str | None:
    if word in ENTRY.shapes:
        return None
    plain = word.lower().replace("-", "_")
    plain = {"entityref": "entity_ref", "$ref": "entity_ref"}.get(plain, plain)
    close = did_you_mean(plain, ("entity_ref", "inline"))
    return close[0] if close else None


def _refuse_stray(
    reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
) -> str | None:
    """Report a key beside ``inline``: a misspelt key of the block, or an argument to indent."""
    word = entry.key.text
    intended = _intended_key(word)
    if word in ("fields", "properties"):
        intended = "inline"
    elif word in ("extends", "inherits") and _is_class_name(entry.value):
        intended = "entity_ref"
    if intended is not None:
        reader.report(
            UNKNOWN_KEY, entry.key.span, suggestions=(intended,), key=word, owner=owner
        )
        return intended
    if word in _OF_THE_TOOL or (word == "description" and _is_prose(entry.value)):
        reader.report(MISPLACED_TOOL_KEY, entry.key.span, key=word, owner=owner)
        return None
    if word in SCHEMA_WORDS or (
        word == "required" and isinstance(entry.value, ListNode)
    ):
        reader.report(SCHEMA_KEYWORD_IN_ENTRY, entry.key.span, key=word, owner=owner)
        return None
    reader.report(
        STRAY_ARGUMENT,
        entry.key.span,
        suggestions=did_you_mean(word, ("descriptions", "omit")),
        key=shortened(word),
        sibling="inline",
    )
    return None


def _is_class_name(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.text[:1].isupper()


def _is_prose(node: Node) -> bool:
    return isinstance(node, ScalarNode) and " " in node.text.strip()


def _section_of(key: ScalarNode, node: Node) -> Section:
    """Return a section with ``node`` as its ``inline``."""
    entry = Entry(key, node)
    return Section(node, f"`{key.text}`", {"inline": entry}, {"inline": key}, ())


def _implicit(reader: Reader, key: ScalarNode, node: MapNode) -> Section:
    """Fields directly under ``arguments``; ``mode`` and ``descriptions`` may stand beside them."""
    directives: dict[str, Entry] = {}
    fields: list[Entry] = []
    for entry in node.entries:
        if _is_directive(entry):
            directives[entry.key.text] = entry
        else:
            fields.append(entry)
    if fields:
        reader.report(IMPLICIT_INLINE, key.span, key=key.text)
    inline = Entry(key, MapNode(node.span, tuple(fields)))
    entries = {"inline": inline, **directives}
    written = {name: entry.key for name, entry in entries.items()}
    return Section(node, f"`{key.text}`", entries, written, ())


def _is_directive(entry: Entry) -> bool:
    """Whether a key among implicit fields is a directive: not where it can be an argument."""
    value = entry.value
    if entry.key.text == "mode":
        return isinstance(value, ScalarNode) and value.text in MODES
    return (
        entry.key.text == "descriptions"
        and isinstance(value, MapNode)
        and not any(ENTRY.standard(nested.key.text) for nested in value.entries)
    )


def read_content(
    reader: Reader,
    section: Section,
    *,
    before: int,
    key: str = "inline",
    infers: bool = False,
) -> ArgumentsDecl:
    """Inherited and inline content: of arguments, of an inline return, of an entity.

    ``before`` counts the errors that were reported before the section was read; ``key`` is the
    one that holds the fields; with ``infers``, these may have no type.
    """
    entity = _entity_ref(reader, section)
    inline = section.node(key)
    of_fields = 0
    standard = None
    fields: tuple[FieldDecl, ...] = ()
    if isinstance(inline, MapNode) and is_standard(section.text("mode"), inline):
        check_keywords(reader, inline)
        standard = inline
    elif inline is not None:
        _warn_of_schema(reader, section, inline)
        before_fields = reader.errors
        fields = read_fields(
            reader,
            inline,
            key=section.written[key].text,
            inherits=infers or entity is not None or "entity_ref" in section.written,
        )
        if len(fields) == count_written(inline):
            of_fields = reader.errors - before_fields
    misplaced = len((_OF_THE_TOOL - _RETURNS).intersection(section.unknown))
    omit, descriptions = read_omit(reader, section), read_descriptions(reader, section)
    return ArgumentsDecl(
        span=section.span,
        entity_ref=entity,
        fields=fields,
        standard=standard,
        omit=omit,
        descriptions=descriptions,
        sound=reader.errors == before,
        complete=reader.errors - of_fields - misplaced == before,
    )


def _warn_of_schema(reader: Reader, section: Section, inline: Node) -> None:
    """Warn where fields are called like the keywords of a schema without ``properties``."""
    if not isinstance(inline, MapNode) or "mode" in section.written:
        return
    kind = inline.get("type")
    if (
        isinstance(kind, ScalarNode)
        and kind.text == "object"
        and all(entry.key.text in KEYWORDS for entry in inline.entries)
    ):
        place = next(entry for entry in inline.entries if entry.value is kind)
        reader.report(SCHEMA_OR_FIELD, place.key.span)


def is_standard(mode: Text | None, inline: MapNode) -> bool:
    """The fingerprint of Standard mode: a ``$schema``, or ``properties`` that hold schemas.

    ``mode`` overrules it. A field merely called ``properties`` is a type or an entry, so some of
    its values are plain scalars. Where mappings and scalars mix, the keys tell: those of an entry
    make it a field.
    """
    if mode is not None:
        return mode.value == "standard"
    dialect = inline.get("$schema")
    if isinstance(dialect, ScalarNode) and "://" in dialect.text:
        return True
    properties = inline.get("properties")
    if not isinstance(properties, MapNode):
        return False
    if all(_is_schema(entry.value) for entry in properties.entries):
        return True
    keys = [entry.key.text for entry in properties.entries]
    schemas = any(isinstance(entry.value, MapNode) for entry in properties.entries)
    return schemas and not any(ENTRY.standard(key) for key in keys)


def _is_schema(node: Node) -> bool:
    return isinstance(node, MapNode) or (
        isinstance(node, ScalarNode) and isinstance(node.value, bool)
    )


def _entity_ref(reader: Reader, section: Section) -> Text | None:
    """The inherited entity: a single name (S0.5, S0.33); null is none (S0.39)."""
    node = section.node("entity_ref")
    if node is None:
        return None
    if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
        reader.report(ENTITY_REF_NOT_A_NAME, node.span, actual=described(node))
        return None
    type_text = read_type(reader, node)
    if type_text is None:
        return None
    if type_text.is_list:
        reader.report(
            ENTITY_REF_IS_LIST,
            node.span,
            suggestions=(type_text.name,),
            type=shortened(node.text),
        )
        return None
    if type_text.is_optional:
        reader.report(
            ENTITY_REF_NOT_A_NAME,
            node.span,
            suggestions=(type_text.name,),
            actual=f"the optional `{shortened(node.text)}`",
        )
        return None
    return Text(type_text.name, type_text.name_span)
