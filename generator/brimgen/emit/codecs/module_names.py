"""What a generated module calls the types of values, and what it imports for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from brimgen.emit.code import Code
from brimgen.emit.codecs.annotations import Records
from brimgen.emit.imports import Imports, import_sections
from brimgen.emit.names import class_name
from brimgen.emit.python_text import attribute, subscript
from brimgen.model.leaves import Leaf
from brimgen.model.types import RecordType

_LONGEST_LITERAL = 40


class ModuleNames(Imports):
    """The names of a module that has no classes of tools or entities itself.

    ``taken`` mean something else in it: an entity of that name is qualified by its module. No
    record gets one of these names or of ``own``. ``dots`` lead to the package. ``for_types`` is
    what type checkers alone need of it, where annotations are not evaluated.
    """

    def __init__(
        self,
        leaves: Mapping[str, Leaf],
        taken: Collection[str],
        own: Iterable[str] = (),
        *,
        dots: str = "..",
        longest_literal: int = _LONGEST_LITERAL,
    ) -> None:
        super().__init__()
        self.leaves = leaves
        self.for_types: set[tuple[str, str]] = set()
        self.records = Records([*taken, *own])
        self._names = taken
        self._dots = dots
        self._longest_literal = longest_literal

    def date(self, name: str) -> Code:
        """A class of dates, qualified by its module."""
        return attribute(self.standard("dt"), name)

    def entity(self, name: str) -> Code:
        """The class of an entity, qualified by its module if the name is taken."""
        class_ = class_name(name)
        if class_ in self._names:
            self.for_types.add((self._dots, "entities"))
            return attribute(Code("entities"), class_)
        self.for_types.add((f"{self._dots}entities", class_))
        return class_

    def leaf_module(self) -> Code:
        """The module of the project's leaves."""
        return self.take(self._dots, "_leaves")

    def own_leaf(self, name: str) -> Code:
        """The project's class for a leaf."""
        return attribute(self.leaf_module(), class_name(name))

    def record(self, type: RecordType) -> Code:
        """The class of an object without a name."""
        return self.records.annotation(type, self)

    def literal(self, choices: Sequence[Code], plain: str) -> Code:
        """A ``Literal`` of ``choices``; the ``plain`` type if there are many."""
        shown = subscript(Code("Literal"), *choices)
        if len(shown) > self._longest_literal:
            return Code(plain)
        self.standard("Literal")
        return shown

    def lines(self) -> tuple[Code, ...]:
        """The import statements of a module whose annotations are evaluated."""
        return import_sections(self.taken | self.for_types)
