"""Convert names of specs to Python identifiers that are safe where they stand."""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import cache

from brimgen.emit.code import Code
from brimgen.model.catalog import EnumEntity
from brimgen.model.types import Field

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

# What the body of a generated class says itself: a field of that name would take its place
# there, in annotations above all.
_CLASS_BODY = frozenset(
    [
        "str",
        "int",
        "float",
        "bool",
        "bytes",
        "list",
        "dict",
        "tuple",
        "object",
        "Any",
        "Literal",
        "Decimal",
        "Mapping",
        "Self",
        "dt",
        "UUID",
        "field",
        "json_default",
        "dataclass",
        "classmethod",
        "staticmethod",
        "property",
        "self",
        "cls",
    ]
)
_METHODS = frozenset(
    [
        "bind",
        "from_accepted",
        "from_call",
        "from_dict",
        "mro",
        "to_dict",
        "to_json",
    ]
)
_MODULE = frozenset(
    [
        "Any",
        "Decimal",
        "Enum",
        "Literal",
        "Mapping",
        "IntEnum",
        "Sequence",
        "Self",
        "OpenChoices",
        "StrEnum",
        "Tool",
        "Tools",
        "Validator",
        "ContextError",
        "KIND",
        "PARAMS",
        "SOURCE",
        "InputError",
        "Violation",
        "Context",
        "Json",
        "JsonCall",
        "JsonEntity",
        "JsonObject",
        "JsonPlainCall",
        "TypeAlias",
        "TYPE_CHECKING",
        "INPUT_SCHEMA",
        "BOUND_SCHEMA",
        "TOOL",
        "TOOLS",
    ]
)
_SIGNED = re.compile(r"[+-][0-9]")
_SIGNS = {"+": "plus", "-": "minus"}
_DEVICES = re.compile(r"(?i)\A(?:con|prn|aux|nul|com\d|lpt\d)\Z")


@cache
def module_name(name: str) -> Code:
    """The module of a tool or entity: its name, with ``_`` for ``-`` (``get-user`` → ``get_user``).

    Keywords and Windows device names get a trailing ``_``.
    """
    plain = _ascii(name)
    return _avoid_taken(plain, keyword.iskeyword(plain) or bool(_DEVICES.match(plain)))


@cache
def class_name(name: str) -> Code:
    """The class of a tool or entity: ``geo_search`` → ``GeoSearch``; ``HTTPServer`` stays.

    Names of builtins, and those that every generated module imports, get a trailing ``_``.
    """
    words = _ascii(name).split("_")
    plain = "".join([word[:1].upper() + word[1:] for word in words])
    if not plain[:1].isalpha():
        plain = f"Class{plain}"
    return _avoid_taken(plain, plain in _MODULE or hasattr(builtins, plain))


@cache
def classes_of(name: str) -> tuple[Code, Code]:
    """The classes of the tool ``name``: its input, and what its handler receives.

    What stands behind it makes a good name of any: ``tool`` → ``ToolInput``.
    """
    base = class_name(name).removesuffix("_")
    return Code(f"{base}Input"), Code(f"{base}Bound")


def method_names(tools: Iterable[str], taken: Collection[str]) -> dict[str, Code]:
    """The method of each tool in a class that has the names ``taken``: like its module, and never
    private. Where another has that name, ``_`` stands behind it.
    """
    names: dict[str, Code] = {}
    for tool in tools:
        name = module_name(tool)
        name = Code(f"tool{name}") if name.startswith("_") else name
        while name in taken or name in names.values():
            name = Code(f"{name}_")
        names[tool] = name
    return names


def bound_class(name: str, *, hides: bool) -> Code:
    """The class that the bound input of the tool ``name`` has, which ``hides`` arguments or not:
    then its input is bound already, and is known by both names.
    """
    input_class, bound = classes_of(name)
    return bound if hides else input_class


@cache
def attribute_name(wire: str) -> Code:
    """The attribute of a field: a wire name that is a good identifier stays (``radiusKm``).

    Keywords, our own methods and what a class body needs itself get a trailing ``_``
    (``from`` → ``from_``); other characters become ``_``, letters without an ASCII form the
    code point (``u57ce``), the sign of a number its word (``-1`` → ``minus_1``). No attribute
    begins with ``_``, which says that it is not for others (``_id`` → ``field_id``). Of two names
    with one attribute, `emit.attribute_names` gives another to the second.
    """
    if _SIGNED.match(wire):
        wire = f"{_SIGNS[wire[0]]}_{wire[1:]}"
    plain = _ascii(wire)
    if not plain[:1].isalpha():
        plain = f"field{plain}" if plain[:1] == "_" else f"field_{plain}"
    taken = plain in _CLASS_BODY or plain in _METHODS or keyword.iskeyword(plain)
    return _avoid_taken(plain, taken)


def field_attribute(field: Field) -> Code:
    """The attribute of a field among its siblings."""
    return Code(field.attribute) if field.attribute else attribute_name(field.name)


def _avoid_taken(plain: str, taken: bool) -> Code:
    return Code(f"{plain}_" if taken else plain)


def _ascii(text: str) -> str:
    """``text`` in letters, digits and ``_`` of ASCII."""
    if text.isascii():
        if text.isidentifier():
            return text
        return re.sub(r"[^A-Za-z0-9_]", "_", text)
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(map(_ascii_character, decomposed))


def _ascii_character(character: str) -> str:
    if unicodedata.combining(character):
        return ""
    if character.isascii():
        return character if character.isalnum() else "_"
    return f"u{ord(character):x}" if character.isalnum() else "_"


def constant_name(name: str) -> str:
    """A class name as a constant: ``GeoPoint`` → ``GEO_POINT``."""
    return _WORD_START.sub("_", name).upper()


def member_names(enum: EnumEntity) -> tuple[Code, ...]:
    """The members of an enum, in order: ``in progress`` → ``IN_PROGRESS``, 1 → ``VALUE_1``."""
    names: list[Code] = []
    for value in enum.values:
        text = value if isinstance(value, str) else f"{value}".replace("-", "minus_")
        plain = constant_name(attribute_name(text)).strip("_")
        if plain.startswith("FIELD_") and not text.upper().startswith("FIELD"):
            plain = f"VALUE_{plain.removeprefix('FIELD_')}".strip("_")
        base, number = plain, 2
        while plain in names:
            plain, number = f"{base}_{number}", number + 1
        names.append(Code(plain))
    return tuple(names)
