"""Collect the names that the types of results need, in a module that names no tool's records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from brimgen.emit.code import Code
from brimgen.emit.codecs.annotations import Records
from brimgen.emit.codecs.python import MODULES
from brimgen.emit.names import class_name
from brimgen.emit.python_text import subscript
from brimgen.model.leaves import Leaf

_LONGEST_LITERAL = 40


class Results:
    """The imports and records that the types of results need.

    ``own`` are names that the module has already, ``classes`` those of entities.
    """

    def __init__(
        self, leaves: Mapping[str, Leaf], own: Iterable[str], classes: Iterable[str]
    ) -> None:
        self.leaves = leaves
        self.entities: set[str] = set()
        self.uses_entities_module = False
        self.uses_leaves = False
        self.words: set[str] = set()
        self._own = frozenset(own)
        self.records = Records([*self._own, *classes])

    def standard(self, name: str) -> Code:
        """Return a name of the standard library; dates are qualified by their module."""
        if MODULES.get(name) == "datetime":
            self.words.add("dt")
            return Code(f"dt.{name}")
        self.words.add(name)
        return Code(name)

    def entity(self, name: str) -> Code:
        """Return the class of an entity, qualified by its module if the name is taken."""
        class_ = class_name(name)
        if class_ in self._own:
            self.uses_entities_module = True
            return Code(f"entities.{class_}")
        self.entities.add(class_)
        return class_

    def own_leaf(self, name: str) -> Code:
        """Return the project's class for a leaf."""
        self.uses_leaves = True
        return Code(f"_leaves.{class_name(name)}")

    def literal(self, choices: Sequence[Code], plain: str) -> Code:
        """Return a ``Literal`` of ``choices``; the ``plain`` type if there are many."""
        shown = subscript(Code("Literal"), *choices)
        if len(shown) > _LONGEST_LITERAL:
            return Code(plain)
        self.standard("Literal")
        return shown
