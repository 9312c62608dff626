"""Collect the names that one SQL module imports and defines to read rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from brimgen.emit.code import Code
from brimgen.emit.codecs.annotations import Records
from brimgen.emit.codecs.python import MODULES
from brimgen.emit.names import class_name
from brimgen.emit.python_text import subscript
from brimgen.emit.runtime_names import SQL_RUNTIME
from brimgen.model.leaves import Leaf

_HOMES = {
    **MODULES,
    "Literal": "typing",
    "NotRequired": "typing",
    "TypedDict": "typing",
    "UUID": "uuid",
}
_TAKEN = frozenset({"Final", "Sequence", "TYPE_CHECKING", *_HOMES})
"""What a module calls something of the standard library: no entity and no record is called so."""

_LONGEST_LITERAL = 40


class Names:
    """The names of one module: what is imported (pairs of a source and a name), its records, and
    the functions that read parts of rows.

    ``leaves`` are those of the catalog, ``own`` the classes that the module imports for other
    reasons.
    """

    def __init__(self, leaves: Mapping[str, Leaf], own: Iterable[str] = ()) -> None:
        self.leaves = leaves
        self.imports: set[tuple[str, str]] = set()
        self.records = Records([*_TAKEN, *own])
        self.functions: dict[Code, Code] = {}

    def standard(self, name: str) -> Code:
        """Return a name of the standard library, and import it."""
        self.imports.add((_HOMES[name], name))
        return Code(name)

    def decode(self, function: str) -> Code:
        """Return a function that reads cells, and import its module."""
        self.imports.add((SQL_RUNTIME, "_decode"))
        return Code(f"_decode.{function}")

    def entity(self, name: str) -> Code:
        """Return the class of an entity or enum, qualified by its module if the name is taken."""
        class_ = class_name(name)
        if class_ in _TAKEN:
            self.imports.add(("..", "entities"))
            return Code(f"entities.{class_}")
        self.imports.add(("..entities", class_))
        return class_

    def own_leaf(self, name: str) -> Code:
        """Return the project's class for a leaf."""
        self.imports.add(("..", "_leaves"))
        return Code(f"_leaves.{class_name(name)}")

    def literal(self, choices: Sequence[Code], plain: str) -> Code:
        """Return a ``Literal`` of ``choices``; the ``plain`` type if there are many."""
        shown = subscript(Code("Literal"), *choices)
        if len(shown) > _LONGEST_LITERAL:
            return Code(plain)
        self.standard("Literal")
        return shown
