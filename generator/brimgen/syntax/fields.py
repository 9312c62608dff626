"""Parse the entries of fields, in mappings and in lists.

Value constraints on a list type are about its items (spec-language.md), so ``{type: array, items:
{type: string, enum: [a]}}`` and ``{type: "string[]", enum: [a]}`` are one declaration.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from brimgen.diagnostics import Note, did_you_mean
from brimgen.diagnostics.rules import (
    ARGUMENT_WITHOUT_TYPE,
    BAD_ARGUMENT_NAME,
    CONSTRAINT_TWICE,
    DUPLICATE_ARGUMENT,
    FIELD_NOT_A_TYPE,
    FIELDS_BESIDE_TYPE,
    ITEM_KEY,
    ITEMS_BESIDE_TYPE,
    LIST_OF_LISTS,
    OPTIONAL_ITEM,
)
from brimgen.frozen import replace
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode, Text
from brimgen.syntax import shapes
from brimgen.syntax.decls import FieldDecl, TypeText
from brimgen.syntax.json_schema import SCHEMA_WORDS
from brimgen.syntax.keys import ENTRY, LISTED
from brimgen.syntax.reader import (
    Keys,
    Reader,
    Section,
    described,
    head,
    is_null,
    read_section,
    shortened,
)
from brimgen.syntax.type_text import LIST_WORDS, read_type

OF_THE_ITEM = frozenset({"description", "title", "examples", "deprecated"})
OF_THE_LIST = frozenset(
    {
        "default",
        "required",
        "from_context",
        "llm",
        "bind",
        "embed",
        "minItems",
        "maxItems",
        "uniqueItems",
    }
)


def fold_items(
    reader: Reader, field: FieldDecl, item: FieldDecl, *, at: ScalarNode
) -> FieldDecl:
    """Return ``field`` with the attributes of ``item``; report what the two cannot say together."""
    unfolded: dict[str, Entry] = {}
    folded: dict[str, Entry] = {}
    for key, entry in item.attributes.items():
        if key in OF_THE_LIST:
            reader.report(ITEM_KEY, entry.key.span, key=key)
        elif key in OF_THE_ITEM or key.startswith("x-"):
            unfolded[key] = entry
        elif not _report_duplicate(reader, field, entry):
            folded[key] = entry
    return replace(
        field,
        type=_list_type(reader, field, item, at=at),
        attributes={**field.attributes, **folded},
        fields=field.fields if item.fields is None else item.fields,
        items=_remainder(item, unfolded),
    )


def _remainder(item: FieldDecl, unfolded: Mapping[str, Entry]) -> FieldDecl | None:
    return (
        FieldDecl(name=item.name, type=None, attributes=unfolded) if unfolded else None
    )


def _report_duplicate(reader: Reader, field: FieldDecl, entry: Entry) -> bool:
    list_entry = field.attributes.get(entry.key.text)
    if list_entry is None:
        return False
    reader.report(
        CONSTRAINT_TWICE,
        entry.key.span,
        notes=[Note(list_entry.key.span, "also said of the list")],
        key=entry.key.text,
        name=shortened(field.name.value),
    )
    return True


def _list_type(
    reader: Reader, field: FieldDecl, item: FieldDecl, *, at: ScalarNode
) -> TypeText | None:
    """The type of the list: the item's type, as a list, optional as the list is."""
    outer, inner = field.type, item.type
    if outer is not None and (outer.is_list or outer.name not in LIST_WORDS):
        reader.report(
            ITEMS_BESIDE_TYPE,
            at.span,
            notes=[Note(outer.span, "the type")],
            name=shortened(field.name.value),
            type=outer.name + "[]" * outer.is_list,
        )
        return outer
    if inner is None:
        return outer
    if inner.is_list or inner.name in LIST_WORDS:
        reader.report(LIST_OF_LISTS, inner.span, type=shortened(inner.name))
    elif inner.is_optional:
        reader.report(OPTIONAL_ITEM, inner.span, type=f"{inner.name}?")
    optional = outer is not None and outer.is_optional
    return replace(inner, is_list=True, is_optional=optional)


LONGEST_NAME = 128
_WORDS = frozenset(ENTRY)
_OBJECT_WORDS = frozenset({"object", "dict"})


def read_fields(
    reader: Reader, node: Node, *, key: str, inherits: bool
) -> tuple[FieldDecl, ...]:
    """The fields of a mapping (name to entry), or of a list of mappings with ``name`` each.

    ``inherits`` says whether an entry may leave out its type because it refines an inherited
    field.
    """
    match node:
        case MapNode():
            reader.count_partial(node)
            return tuple(
                [
                    read_field(
                        reader,
                        Text(name.text, name.span),
                        field_node,
                        inherits=inherits,
                    )
                    for name, field_node in node.entries
                    if _is_argument_name(reader, name)
                ]
            )
        case ListNode():
            return _listed(reader, node, key=key, inherits=inherits)
        case ScalarNode(value=None):
            return ()
        case ScalarNode():
            shapes.mapping(reader, key, node)
            return ()


def _is_argument_name(reader: Reader, key: ScalarNode) -> bool:
    """Return whether an argument or field can have this name (spec-language.md); report it if not.

    A field with a name that it cannot have is not handed on.
    """
    name = key.text
    if len(name) > LONGEST_NAME:
        fault = f"has at most {LONGEST_NAME} characters; this one has {len(name)}"
    elif name.isprintable():
        return True
    elif any(unicodedata.category(character) == "Cc" for character in name):
        fault = f"has no control characters; this one is {name!a}"
    else:
        return True
    reader.report(BAD_ARGUMENT_NAME, key.span, fault=fault)
    return False


def _listed(
    reader: Reader, node: ListNode, *, key: str, inherits: bool
) -> tuple[FieldDecl, ...]:
    """The list form: ``{name, type, description, required, enum_values}`` (S1.15, S3.34)."""
    fields: dict[str, FieldDecl] = {}
    for item in node.items:
        pair = _lone_pair(item)
        if pair or not isinstance(item, MapNode):
            reader.refuse(
                f"an item of {key}",
                item,
                expected="a mapping with `name` and `type`",
                suggestions=pair,
                actual="one with keys of its own" if pair else "",
            )
            continue
        before = reader.errors
        owner = _listed_owner(item)
        section = read_section(
            reader, item, keys=LISTED, owner=owner, refuse=_refuse_key
        )
        name = section.scalar("name")
        if name is None:
            section.require(reader, "name", head(item))
            continue
        if not _is_argument_name(reader, name):
            continue
        del section.entries["name"]
        text = Text(name.text, name.span)
        field = _read_entry(reader, text, section, inherits=inherits, before=before)
        first = fields.setdefault(name.text, field)
        if first is not field:
            reader.report(
                DUPLICATE_ARGUMENT,
                name.span,
                notes=[Note(first.name.span, "first listed here")],
                name=shortened(name.text),
            )
    return tuple(fields.values())


# What people write in other languages is looked into only where something was refused.
def _refuse_key(
    reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
) -> str | None:
    from brimgen.syntax.foreign import refuse_key

    return refuse_key(reader, entry, owner=owner, keys=keys)


def _lone_pair(item: Node) -> tuple[str, ...]:
    if not isinstance(item, MapNode):
        return ()
    if any(LISTED.standard(entry.key.text) for entry in item.entries):
        return ()
    from brimgen.syntax.foreign import pair_as_item

    return pair_as_item(item, LISTED)


def _listed_owner(item: MapNode) -> str:
    name = item.get("name")
    if isinstance(name, ScalarNode) and name.value is not None:
        return f"`{shortened(name.text)}`"
    return "an argument"


def read_field(reader: Reader, name: Text, node: Node, *, inherits: bool) -> FieldDecl:
    """One entry: a string is a type (shorthand), a mapping a field (complex)."""
    before = reader.errors
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        type_text = read_type(reader, node)
        return FieldDecl(name=name, type=type_text, sound=reader.errors == before)
    if not isinstance(node, MapNode):
        from brimgen.syntax.foreign import listed_as_entry

        reader.report(
            FIELD_NOT_A_TYPE,
            name.span if is_null(node) else node.span,
            suggestions=listed_as_entry(node),
            name=shortened(name.value),
            actual=described(node),
        )
        return FieldDecl(name=name, type=None, sound=False)
    if _looks_nested(node):
        from brimgen.syntax.foreign import report_nested

        report_nested(reader, name, node)
        return FieldDecl(name=name, type=None, sound=False)
    section = read_section(
        reader,
        node,
        keys=ENTRY,
        owner=f"`{shortened(name.value)}`",
        refuse=_refuse_key,
    )
    return _read_entry(reader, name, section, inherits=inherits, before=before)


def _looks_nested(node: MapNode) -> bool:
    """Whether no key is one of an entry, or near one: then they are names of fields."""
    for entry in node.entries:
        if entry.key.text in _WORDS:
            return False
    keys = [entry.key.text for entry in node.entries]
    return bool(keys and not node.is_partial) and not any(
        key.startswith("x-") or key in SCHEMA_WORDS or did_you_mean(key, ENTRY)
        for key in keys
    )


def _read_entry(
    reader: Reader, name: Text, section: Section, *, inherits: bool, before: int
) -> FieldDecl:
    """The field of a complex entry whose keys were read; ``before`` counts the errors so far.

    What is left of ``section`` are the attributes.
    """
    entries, fields, type_text = section.entries, None, None
    typed, nested = entries.pop("type", None), entries.pop("fields", None)
    items = entries.pop("items", None)
    if typed is not None:
        type_text = read_type(reader, typed.value)
    if nested is not None:
        fields = read_fields(reader, nested.value, key="fields", inherits=False)
        type_text = _object_type(
            reader, name, type_text, written=section.written["fields"]
        )
    untyped = typed is None and nested is None and items is None
    if untyped and not (inherits or _is_explained(section)):
        from brimgen.syntax.foreign import guessed_type

        guess = guessed_type(section)
        reader.report(
            ARGUMENT_WITHOUT_TYPE,
            name.span,
            suggestions=guess,
            name=shortened(name.value),
        )
    if section.extensions:
        entries |= {extension.key.text: extension for extension in section.extensions}
    field = FieldDecl(name, type_text, entries, fields, None, reader.errors == before)
    if items is None:
        return field
    text = Text("items", items.value.span)
    item = read_field(reader, text, items.value, inherits=True)
    field = fold_items(reader, field, item, at=section.written["items"])
    return replace(field, sound=reader.errors == before)


def _is_explained(section: Section) -> bool:
    """Return whether the type is missing because of something that was reported already."""
    if section.is_partial or not SCHEMA_WORDS.isdisjoint(section.unknown):
        return True
    return "schema" in section.unknown or section.misspells("type", "fields", "items")


def _object_type(
    reader: Reader, name: Text, written_type: TypeText | None, *, written: ScalarNode
) -> TypeText:
    """The type of a field with nested fields: ``object`` (the default) or ``object[]``.

    ``type: array`` beside ``fields`` is a list of such objects.
    """
    if written_type is None:
        return TypeText("object", False, False, written.span)
    if written_type.name in LIST_WORDS and not written_type.is_list:
        return TypeText("object", True, written_type.is_optional, written_type.span)
    if written_type.name not in _OBJECT_WORDS:
        reader.report(
            FIELDS_BESIDE_TYPE,
            written_type.span,
            notes=[Note(written.span, "the nested fields")],
            name=shortened(name.value),
            type=written_type.name,
        )
    return written_type
