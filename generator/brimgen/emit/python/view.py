"""Views: what the templates of the Python target print, decided to the last character."""

from __future__ import annotations

from brimgen.emit.code import Code
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PyClass:
    """A dataclass, its methods, and the functions that read its objects, as they are printed.

    A field is its declaration and the text that documents it. The first line of each is not
    indented, all others are.
    """

    head: Code
    documentation: Code
    fields: tuple[Code, ...]
    methods: tuple[Code, ...]
    functions: tuple[Code, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PyEnum:
    """An Enum class in declared order, and the table that finds its members by their values."""

    head: Code
    documentation: Code
    members: tuple[Code, ...]
    table: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PyModule:
    """A module: what it begins with, its classes, and the statements around them."""

    header: Code
    documentation: Code
    imports: Code
    statements_before: tuple[Code, ...]
    functions: tuple[Code, ...]
    enums: tuple[PyEnum, ...] = ()
    classes: tuple[PyClass, ...]
    statements_after: tuple[Code, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PyPackage:
    """The package's ``__init__``: where each tool and each class is found on first use."""

    header: Code
    type_imports: tuple[Code, ...]
    tools: Code
    homes: Code
    exported: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PyLeaf:
    """A leaf of the project: its type, and the functions that read and write its values.

    What a function needs imported stands in it; None for builtins.
    """

    name: Code
    type: Code
    alias: Code
    type_import: Code | None
    parse_head: Code
    parse_text: Code
    parse_import: Code | None
    parse: Code
    dump_head: Code
    dump_text: Code
    dump_import: Code | None
    dump: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PyLeaves:
    """The module of all leaves of the project."""

    header: Code
    imports: tuple[Code, ...]
    leaves: tuple[PyLeaf, ...]
    converters: Code | None
    parsers: Code
