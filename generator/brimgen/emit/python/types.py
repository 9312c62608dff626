"""How the modules of a package annotate, decode and encode the values of a type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.annotations import Names as TypeNames
from brimgen.emit.codecs.annotations import annotation as annotation_of
from brimgen.emit.codecs.conversions import Call, Conversion, conversion, expression
from brimgen.emit.codecs.decoders import JsonDecoder
from brimgen.emit.codecs.encoders import ObjectEncoder
from brimgen.emit.codecs.python import MODULES, PythonCodec
from brimgen.emit.names import class_name, field_attribute
from brimgen.emit.python.package import Module
from brimgen.emit.python_text import attribute, subscript, tuple_of
from brimgen.model.leaves import Leaf
from brimgen.model.types import Field, RecordType, ScalarType, Type

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

    @property
    def records(self) -> Names:
        """This object itself names the classes of records."""
        return self

    def annotation(self, type: RecordType, names: TypeNames) -> Code:
        """The class of a record."""
        return self._module.record(type).name

    def standard(self, name: str) -> Code:
        """A name of the standard library; dates are called by their module."""
        if MODULES.get(name) == "datetime":
            return Code(f"{self._module.scope.standard('dt')}.{name}")
        return self._module.scope.standard(name)

    def runtime(self, name: str) -> Code:
        """A function of the package's runtime."""
        return self._module.scope.runtime(name)

    def entity(self, name: str) -> Code:
        """The class of an entity or enum, imported where needed."""
        return self._module.scope.entity(self._module.package.classes[name])

    def own_leaf(self, name: str) -> Code:
        """The class that the project has for a leaf."""
        return self.leaf_function(class_name(name))

    def leaf_function(self, name: str) -> Code:
        """A name of the module of the project's leaves."""
        return attribute(self._module.scope.leaves(), name)

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


class _Decoder(JsonDecoder):
    """Decodes the values of a module, objects by their classes."""

    def __init__(self, module: Module) -> None:
        super().__init__(Names(module))
        self._module = module

    def record(self, type: RecordType) -> Conversion:
        return Call(attribute(self._module.record(type).name, "from_accepted"))

    def choices(self, type: ScalarType, field: Field | None) -> Code:
        shown = tuple_of([py(choice) for choice in type.choices])
        if field is None or len(shown) <= _LONGEST_LITERAL:
            return shown
        constant = field_attribute(field).strip("_").upper()
        return self._module.scope.define_before(
            f"_{self._module.prefix}{constant}_CHOICES",
            f"tuple {shown}",
            lambda name: Code(f"{name} = {shown}"),
        )


def annotation(type: Type, module: Module, hint: Callable[[], str]) -> Code:
    """The annotation of a value of ``type``; ``hint`` names the alias of a long ``Literal``."""
    return annotation_of(type, Names(module, hint))


def class_of(codec: PythonCodec, module: Module) -> Code:
    """The class of a scalar's values, imported; those of dates are called by their module."""
    return Names(module).standard(codec.name) if codec.module else Code(codec.name)


def decoding(type: Type, module: Module, field: Field) -> Conversion:
    """What decodes a value that its schema has accepted."""
    return conversion(type, _Decoder(module), field)


def decoded(type: Type, value: Code, module: Module, field: Field) -> Code:
    """The expression that decodes ``value``, which its schema has accepted."""
    return expression(decoding(type, module, field), value)


def encoded(type: Type, value: Code, module: Module, field: Field) -> Code:
    """The expression that encodes the attribute ``value`` as JSON."""
    return expression(conversion(type, ObjectEncoder(Names(module)), field), value)
