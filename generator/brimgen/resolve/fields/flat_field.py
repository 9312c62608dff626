"""Field declarations after inheritance."""

from __future__ import annotations

from brimgen.diagnostics import Note
from brimgen.frozen import dataclass
from brimgen.syntax.decls import FieldDecl, Text


@dataclass(frozen=True, slots=True)
class FlatField:
    """One field after inheritance.

    ``decl`` has the type of the last declaration that says one, and all attributes merged.
    ``source`` names the entity whose JSON Schema property it is, where it is one; then ``decl``
    only refines. ``described`` are the entries of a `descriptions` map for what lies inside the
    value, their keys without the name of the field itself. ``trail`` are the declarations that an
    inherited field was made of.
    """

    decl: FieldDecl
    declared: bool = True
    source: str | None = None
    trail: tuple[Note, ...] = ()
    described: tuple[tuple[Text, Text], ...] = ()

    @property
    def name(self) -> str:
        """The wire name."""
        return self.decl.name.value


@dataclass(frozen=True, slots=True)
class Flat:
    """All fields of an owner; not ``sound`` where a part was refused.

    ``complete`` says that no field is missing nevertheless.
    """

    fields: tuple[FlatField, ...] = ()
    sound: bool = True
    complete: bool = True
