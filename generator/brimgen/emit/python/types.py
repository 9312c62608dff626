"""How the modules of a package annotate the values of a type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from brimgen.emit.code import Code
from brimgen.emit.codecs.annotations import annotation as annotation_of
from brimgen.emit.codecs.annotations import class_of as class_of_codec
from brimgen.emit.codecs.python import PythonCodec
from brimgen.emit.names import class_name
from brimgen.emit.python.package import Module
from brimgen.emit.python_text import attribute, subscript
from brimgen.model.leaves import Leaf
from brimgen.model.types import RecordType, Type

_LONGEST_LITERAL = 32


class Names:
    """What a module calls the types of values, and the functions that convert them.

    ``hint`` names the alias of a long ``Literal``.
    """

    __slots__ = ("_hint", "_module")

    def __init__(self, module: Module, hint: Callable[[], str] | None = None) -> None:
        self._module = module
        self._hint = hint

    @property
    def leaves(self) -> Mapping[str, Leaf]:
        """The leaves of the catalog."""
        return self._module.package.leaves

    def standard(self, name: str) -> Code:
        """A name of the standard library."""
        return self._module.scope.standard(name)

    def date(self, name: str) -> Code:
        """A class of dates, which is called by their module."""
        return attribute(self._module.scope.standard("dt"), name)

    def record(self, type: RecordType) -> Code:
        """The class of a record."""
        return self._module.record(type).name

    def entity(self, name: str) -> Code:
        """The class of an entity or enum, imported where needed."""
        return self._module.scope.entity(self._module.package.classes[name])

    def own_leaf(self, name: str) -> Code:
        """The class that the project has for a leaf."""
        return attribute(self._module.scope.leaves(), class_name(name))

    def literal(self, choices: Sequence[Code], plain: str) -> Code:
        """A ``Literal`` of ``choices``; a long one gets an alias."""
        scope = self._module.scope
        shown = subscript(scope.standard("Literal"), *choices)
        if len(shown) <= _LONGEST_LITERAL or self._hint is None:
            return shown
        alias = scope.standard("TypeAlias")
        return scope.define_before(
            self._hint(), shown, lambda name: Code(f"{name}: {alias} = {shown}")
        )


def annotation(type: Type, module: Module, hint: Callable[[], str]) -> Code:
    """The annotation of a value of ``type``; ``hint`` names the alias of a long ``Literal``."""
    return annotation_of(type, Names(module, hint))


def class_of(codec: PythonCodec, module: Module) -> Code:
    """The class of a scalar's values, imported; those of dates are called by their module."""
    return class_of_codec(codec, Names(module))
