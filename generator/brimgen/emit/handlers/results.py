"""Results: the names of the module of handlers of which the types of their results are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from brimgen.emit.annotations import Records
from brimgen.emit.code import Code
from brimgen.emit.codecs.python import MODULES
from brimgen.emit.names import class_name
from brimgen.emit.python_text.pieces import attribute, subscript
from brimgen.model.leaves import Leaf

_LONGEST_LITERAL = 40


class Results:
    """What the types of results need imported, and the records among them.

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
        """A name of the standard library; dates are called by their module."""
        if MODULES.get(name) == "datetime":
            self.words.add("dt")
            return attribute(Code("dt"), name)
        self.words.add(name)
        return Code(name)

    def entity(self, name: str) -> Code:
        """The class of an entity, by its module where the name means something else here."""
        made = class_name(name)
        if made in self._own:
            self.uses_entities_module = True
            return attribute(Code("entities"), made)
        self.entities.add(made)
        return made

    def own_leaf(self, name: str) -> Code:
        """The class that the project has for a leaf."""
        self.uses_leaves = True
        return attribute(Code("_leaves"), class_name(name))

    def literal(self, choices: Sequence[Code], plain: str) -> Code:
        """A ``Literal`` of ``choices``; of many, their ``plain`` type."""
        shown = subscript(Code("Literal"), *choices)
        if len(shown) > _LONGEST_LITERAL:
            return Code(plain)
        self.standard("Literal")
        return shown
