"""Scope: the names of one generated module; a name is imported by being taken."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager

from brimgen.emit.code import Code, bracketed, fits

_STANDARD = {
    "Any": "typing",
    "Decimal": "decimal",
    "Enum": "enum",
    "IntEnum": "enum",
    "Literal": "typing",
    "Mapping": "collections.abc",
    "Self": "typing",
    "StrEnum": "enum",
    "TypeAlias": "typing",
    "UUID": "uuid",
    "dataclass": "dataclasses",
    "field": "dataclasses",
    "get_args": "typing",
    "inf": "math",
    "isfinite": "math",
}


_LONGEST_NAME = 60


class Scope:
    """What one module imports and defines, gathered while its classes are lowered.

    ``dots`` lead from the module to its package; they are empty in ``entities`` itself, which
    does not import what it defines. ``taken`` are names that the module has already.
    """

    def __init__(self, dots: str, taken: Iterable[str] = ()) -> None:
        self._dots = dots
        self._imports: dict[str, set[str]] = {}
        self._names = set(taken)
        self._before: dict[str, tuple[Code, Code]] = {}
        self._functions: dict[str, tuple[Code, Code]] = {}
        self._after: dict[str, tuple[Code, Code]] = {}

    def standard(self, name: str) -> Code:
        """A name of the standard library; ``dt`` is the module ``datetime``."""
        return self._take("" if name == "dt" else _STANDARD[name], name)

    def runtime(self, name: str) -> Code:
        """A name of the package's runtime."""
        return self._take(f"{self._dots or '.'}_runtime", name)

    def leaves(self) -> Code:
        """The module of the project's leaves."""
        return self._take(self._dots or ".", "_leaves")

    def entity(self, name: Code) -> Code:
        """A class or table of the package's entities."""
        return self._take(f"{self._dots}entities", name) if self._dots else name

    def _take(self, module: str, name: str) -> Code:
        self._imports.setdefault(module, set()).add(name)
        return Code(name)

    @contextmanager
    def attempt(self) -> Generator[None]:
        """What is taken or defined inside is forgotten where the inside raises."""
        imports = {module: set(names) for module, names in self._imports.items()}
        names = set(self._names)
        defined = [dict(each) for each in self._sections]
        try:
            yield
        except BaseException:
            self._imports, self._names = imports, names
            for section, before in zip(self._sections, defined, strict=True):
                section.clear()
                section.update(before)
            raise

    @property
    def _sections(self) -> tuple[dict[str, tuple[Code, Code]], ...]:
        return self._before, self._functions, self._after

    def unique(self, wanted: str) -> Code:
        """``wanted``, or with the first number that makes it a new name of this module."""
        name, number = wanted, 2
        while name in self._names:
            name, number = f"{wanted}{number}", number + 1
        self._names.add(name)
        return Code(name)

    def define_before(
        self, wanted: str, key: str, statement: Callable[[Code], Code]
    ) -> Code:
        """The name of a statement ahead of the classes; the same ``key`` gets the same name."""
        return self._define(self._before, wanted, key, statement)

    def defined_before(self, key: str) -> Code | None:
        """The name of the statement that `define_before` has for a key, None without one."""
        known = self._before.get(key)
        return None if known is None else known[0]

    def define_function(
        self, wanted: str, key: str, statement: Callable[[Code], Code]
    ) -> Code:
        """As `define_before`, for a function."""
        return self._define(self._functions, wanted, key, statement)

    def define_after(
        self, wanted: str, key: str, statement: Callable[[Code], Code]
    ) -> Code:
        """As `define_before`, behind the classes."""
        return self._define(self._after, wanted, key, statement)

    def _define(
        self,
        where: dict[str, tuple[Code, Code]],
        wanted: str,
        key: str,
        statement: Callable[[Code], Code],
    ) -> Code:
        if key not in where:
            name = self.unique(_shortened(wanted))
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
    def imports(self) -> tuple[tuple[Code, ...], ...]:
        """The import statements, in groups: the standard library, then the package itself."""
        standard = [
            import_from(module, self._imports[module])
            for module in sorted(self._imports)
            if module and not module.startswith(".")
        ]
        if "" in self._imports:
            standard.insert(0, Code("import datetime as dt"))
        own = [
            import_from(module, self._imports[module])
            for module in sorted(self._imports)
            if module.startswith(".")
        ]
        groups = [[Code("from __future__ import annotations")], standard, own]
        return tuple(tuple(group) for group in groups if group)


def _shortened(name: str) -> str:
    """``name``, of bearable length: its last word says what it is, and stays."""
    if len(name) <= _LONGEST_NAME:
        return name
    start, _, last = name.rpartition("_")
    kept = start[: max(_LONGEST_NAME - len(last) - 1, 0)].rstrip("_")
    return f"{kept}_{last}"[:_LONGEST_NAME].rstrip("_")


def import_from(module: str, names: Iterable[str], *, indent: int = 0) -> Code:
    """``from module import names``: constants, classes, functions."""
    ordered = in_order(names)
    flat = f"from {module} import {', '.join(ordered)}"
    if fits(flat, indent):
        return Code(flat)
    before = f"from {module} import ("
    return bracketed(ordered, before=before, after=")", indent=indent)


def in_order(names: Iterable[str]) -> list[str]:
    """Names in the order of imports and ``__all__``: constants, classes, functions."""
    return sorted(names, key=lambda name: (_kind(name), name))


def _kind(name: str) -> int:
    if name.isupper():
        return 0
    return 1 if name[0].isupper() else 2
