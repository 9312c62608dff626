"""How the modules of HTTP tools annotate the values of a type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brimgen.emit.code import Code
from brimgen.emit.codecs.annotations import Records
from brimgen.emit.codecs.python import MODULES, PYTHON
from brimgen.emit.http.module_imports import NAMES, Imports
from brimgen.emit.names import class_name
from brimgen.emit.python_text import (
    attribute,
    subscript,
)
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.leaves import Leaf
from brimgen.model.types import (
    JsonType,
    NullableType,
    ScalarType,
    Type,
)

TAKEN = NAMES | {"InputError"}
"""Names that mean something else in a module: no entity and no record gets one of them."""


@dataclass(frozen=True, slots=True)
class Types:
    """The types of the ``catalog``, and what the module imports.

    ``records`` are the classes of objects without a name; where there are none, these are ``Any``.
    """

    catalog: Catalog
    imports: Imports
    records: Records | None = None

    @property
    def leaves(self) -> Mapping[str, Leaf]:
        """The leaves of the catalog."""
        return self.catalog.leaves

    def standard(self, name: str) -> Code:
        """Return a name of the standard library; dates are qualified by their module."""
        if MODULES.get(name) == "datetime":
            return Code(f"{self.imports.datetime()}.{name}")
        return self.imports.name(name)

    def entity(self, name: str) -> Code:
        """Return the class of an entity, qualified by its module if the name is taken."""
        class_ = class_name(name)
        if class_ in TAKEN:
            return attribute(self.imports.of("..", "entities"), class_)
        return self.imports.of("..entities", class_)

    def own_leaf(self, name: str) -> Code:
        """Return the project's class for a leaf."""
        return attribute(self.imports.of("..", "_leaves"), class_name(name))

    def literal(self, choices: Sequence[Code], plain: str) -> Code:
        """Return a ``Literal`` of ``choices``."""
        self.standard("Literal")
        return subscript(Code("Literal"), *choices)


def may_be_none(type: Type) -> bool:
    """Whether the annotation of a type includes None."""
    match type:
        case NullableType() | JsonType():
            return True
        case ScalarType(scalar):
            codec = PYTHON[scalar]
            return codec.is_open and not codec.container
        case _:
            return False
