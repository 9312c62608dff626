"""The names of one generated module; a name that is used is imported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, TypeAlias, TypeVar, TypeVarTuple, Unpack

from brimgen.emit.code import Code
from brimgen.emit.codecs.python import MODULES
from brimgen.emit.imports import Import, ImportGroup, in_order, section_of
from brimgen.emit.runtime_names import home_of

_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")

Imports: TypeAlias = Sequence[str]
"""Names of other modules, as they were taken.

Those of the entities have ``entities.`` before them; where the others are from, they say
themselves: what the standard library does not have is the runtime's.
"""

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
    "get_args": "typing",
    "inf": "math",
    "isfinite": "math",
}
_LEAVES = Code("_leaves")
_SCHEMAS = Code("schemas")
_MAPPING = Code("Mapping[str, Any]")
_OF_MAPPING = ("Any", "Mapping")
_OF_ENTITIES = "entities."

_LONGEST_NAME = 60


class Scope:
    """What one module imports and defines, gathered while its classes are lowered.

    ``dots`` lead from the module to its package; they are empty in ``entities`` itself, which
    does not import what it defines. ``taken`` are names that the module has already, ``around``
    those that all modules of its kind have. ``exempt`` are the rules of strict pyright that the
    module would break for no fault of its own.
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
        self._functions: dict[str, tuple[Code, Code]] = {}
        self._after: dict[str, tuple[Code, Code]] = {}
        self._tables: tuple[dict[Any, Any], ...]
        self._tables = self._names, self._before, self._functions, self._after
        self._is_apart = False
        self.exempt: set[str] = set()

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

    def schemas(self) -> Code:
        """The module of the schemas of entities."""
        self._imports.append(_SCHEMAS)
        return _SCHEMAS

    def entity(self, name: Code) -> Code:
        """A class or table of the package's entities."""
        if self._dots:
            self._imports.append(f"{_OF_ENTITIES}{name}")
        return name

    def watch(
        self, make: Callable[[Unpack[_Arguments]], _Result], *arguments: *_Arguments
    ) -> tuple[_Result, Imports | None]:
        """The result of ``make``, and the names of other modules that it took.

        The names are None if the result depends on what this module alone has (`set_apart`): then
        another module must compute its own.
        """
        start, was_apart = len(self._imports), self._is_apart
        self._is_apart = False
        try:
            value = make(*arguments)
            return value, None if self._is_apart else self._imports[start:]
        finally:
            self._is_apart = self._is_apart or was_apart

    def set_apart(self) -> None:
        """Note that this module alone can use the result that `watch` computes."""
        self._is_apart = True

    def take_all(self, names: Imports) -> None:
        """Take names that `watch` has returned."""
        self._imports += names

    def attempt(
        self, make: Callable[[Unpack[_Arguments]], _Result], *arguments: *_Arguments
    ) -> _Result:
        """The result of ``make``; if it raises, what it took and defined is removed."""
        start, sizes = len(self._imports), [*map(len, self._tables)]
        try:
            return make(*arguments)
        except BaseException:
            del self._imports[start:]
            for table, size in zip(self._tables, sizes, strict=True):
                while len(table) > size:
                    table.popitem()
            raise

    def unique(self, base: str) -> Code:
        """A new name of this module: ``base``, or ``base`` and the first number that is free."""
        self.set_apart()
        name, number = base, 2
        while name in self._names or name in self._around:
            name, number = f"{base}{number}", number + 1
        self._names[name] = None
        return Code(name)

    def define_before(
        self, base: str, key: str, statement: Callable[[Code], Code]
    ) -> Code:
        """The name of a statement ahead of the classes; the same ``key`` gets the same name."""
        return self._define(self._before, base, key, statement)

    def defined_before(self, key: str) -> Code | None:
        """The name of the statement that `define_before` has for a key, None without one."""
        defined = self._before.get(key)
        return None if defined is None else defined[0]

    def define_function(
        self, base: str, key: str, statement: Callable[[Code], Code]
    ) -> Code:
        """As `define_before`, for a function."""
        return self._define(self._functions, base, key, statement)

    def define_after(
        self, base: str, key: str, statement: Callable[[Code], Code]
    ) -> Code:
        """As `define_before`, behind the classes."""
        return self._define(self._after, base, key, statement)

    def _define(
        self,
        where: dict[str, tuple[Code, Code]],
        base: str,
        key: str,
        statement: Callable[[Code], Code],
    ) -> Code:
        self.set_apart()
        if key not in where:
            name = self.unique(_shortened(base))
            where[key] = name, statement(name)
        return where[key][0]

    @property
    def before(self) -> tuple[Code, ...]:
        """The statements ahead of the classes."""
        return tuple(statement for _, statement in self._before.values())

    @property
    def functions(self) -> tuple[Code, ...]:
        """The functions ahead of the classes."""
        return tuple(statement for _, statement in self._functions.values())

    @property
    def after(self) -> tuple[Code, ...]:
        """The statements behind the classes."""
        return tuple(statement for _, statement in self._after.values())

    @property
    def imports(self) -> tuple[ImportGroup, ...]:
        """The import statements, in sections: the library, the runtime, the package itself."""
        return _import_groups(frozenset(self._imports), self._dots or ".")


@cache
def _code(name: str) -> Code:
    """A name as code; all modules take the same few names."""
    return Code(name)


@lru_cache(maxsize=256)
def _import_groups(names: frozenset[str], dots: str) -> tuple[ImportGroup, ...]:
    """The import statements of names; most tools of a package import one of a few sets."""
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
    is_module = name in (_LEAVES, _SCHEMAS)
    return (dots if is_module else home_of(name)), name


def _shortened(name: str) -> str:
    """``name``, of bearable length: its last word says what it is, and stays."""
    if len(name) <= _LONGEST_NAME:
        return name
    start, _, last = name.rpartition("_")
    beginning = start[: max(_LONGEST_NAME - len(last) - 1, 0)].rstrip("_")
    return f"{beginning}_{last}"[:_LONGEST_NAME].rstrip("_")
