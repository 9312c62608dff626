"""The names of one generated module; a name that is used is imported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cache

from brimgen.emit.code import Code
from brimgen.emit.codecs.python import MODULES
from brimgen.emit.imports import Import, ImportGroup, in_order, section_of
from brimgen.emit.runtime_names import home_of

_STANDARD = {
    **MODULES,
    "Enum": "enum",
    "IntEnum": "enum",
    "Literal": "typing",
    "Mapping": "collections.abc",
    "Self": "typing",
    "StrEnum": "enum",
    "TypeAlias": "typing",
    "UUID": "uuid",
    "dataclass": "dataclasses",
    "dt": "datetime",
    "field": "dataclasses",
}
_LEAVES = Code("_leaves")
_MAPPING = Code("Mapping[str, Any]")
_OF_MAPPING = ("Any", "Mapping")
_OF_ENTITIES = "entities."

_LONGEST_NAME = 60


class Scope:
    """What one module imports and defines, gathered while its classes are lowered.

    ``dots`` lead from the module to its package; they are empty in ``entities`` itself, which
    does not import what it defines. ``taken`` are names that the module has already, ``around``
    those that all modules of its kind have.
    """

    def __init__(
        self,
        dots: str,
        taken: Iterable[str] = (),
        around: Collection[str] = frozenset(),
    ) -> None:
        self._dots = dots
        self._imports: list[str] = []
        self._names = dict.fromkeys(taken)
        self._around = around
        self._before: dict[str, tuple[Code, Code]] = {}

    def standard(self, name: str) -> Code:
        """A name of the standard library; ``dt`` is the module ``datetime``."""
        self._imports.append(name)
        return _code(name)

    def mapping(self) -> Code:
        """The type of JSON objects as they are sent, and of schemas."""
        self._imports += _OF_MAPPING
        return _MAPPING

    def runtime(self, name: str) -> Code:
        """A name of the package's runtime."""
        self._imports.append(name)
        return _code(name)

    def leaves(self) -> Code:
        """The module of the project's leaves."""
        self._imports.append(_LEAVES)
        return _LEAVES

    def entity(self, name: Code) -> Code:
        """A class or table of the package's entities."""
        if self._dots:
            self._imports.append(f"{_OF_ENTITIES}{name}")
        return name

    def unique(self, base: str) -> Code:
        """A new name of this module: ``base``, or ``base`` and the first number that is free."""
        name, number = base, 2
        while name in self._names or name in self._around:
            name, number = f"{base}{number}", number + 1
        self._names[name] = None
        return Code(name)

    def define_before(
        self, base: str, key: str, statement: Callable[[Code], Code]
    ) -> Code:
        """The name of a statement ahead of the classes; the same ``key`` gets the same name."""
        if key not in self._before:
            name = self.unique(_shortened(base))
            self._before[key] = name, statement(name)
        return self._before[key][0]

    @property
    def before(self) -> tuple[Code, ...]:
        """The statements ahead of the classes."""
        return tuple(statement for _, statement in self._before.values())

    @property
    def imports(self) -> tuple[ImportGroup, ...]:
        """The import statements, in sections: the library, the runtime, the package itself."""
        return _import_groups(frozenset(self._imports), self._dots or ".")


@cache
def _code(name: str) -> Code:
    """A name as code; all modules take the same few names."""
    return Code(name)


def _import_groups(names: frozenset[str], dots: str) -> tuple[ImportGroup, ...]:
    """The import statements of names."""
    modules: dict[str, list[str]] = {}
    for module, name in sorted(_origin(name, dots) for name in names):
        modules.setdefault(module, []).append(name)
    sections: tuple[list[Import], ...] = ([], [], [])
    for module, taken in modules.items():
        if module == "datetime":
            sections[0].insert(0, Import(Code(module), Code(""), Code("dt")))
        else:
            statement = Import(Code(module), Code(", ".join(in_order(taken))))
            sections[section_of(module)].append(statement)
    return tuple(tuple(group) for group in sections if group)


def _origin(name: str, dots: str) -> tuple[str, str]:
    """The module that a name is imported from, and the name there."""
    if name in _STANDARD:
        return _STANDARD[name], name
    if name.startswith(_OF_ENTITIES):
        return f"{dots}entities", name.removeprefix(_OF_ENTITIES)
    return (dots if name == _LEAVES else home_of(name)), name


def _shortened(name: str) -> str:
    """``name``, of bearable length: its last word says what it is, and stays."""
    if len(name) <= _LONGEST_NAME:
        return name
    start, _, last = name.rpartition("_")
    beginning = start[: max(_LONGEST_NAME - len(last) - 1, 0)].rstrip("_")
    return f"{beginning}_{last}"[:_LONGEST_NAME].rstrip("_")
