"""The names of one generated module; a name that is used is imported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from brimgen.emit.code import Code
from brimgen.emit.imports import Imports

_LONGEST_NAME = 60


class Scope(Imports):
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
        super().__init__()
        self._dots = dots
        self._names = dict.fromkeys(taken)
        self._around = around
        self._before: dict[str, tuple[Code, Code]] = {}

    def leaves(self) -> Code:
        """The module of the project's leaves."""
        return self.take(self._dots or ".", "_leaves")

    def entity(self, name: Code) -> Code:
        """A class of the package's entities."""
        return self.take(f"{self._dots}entities", name) if self._dots else name

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


def _shortened(name: str) -> str:
    """``name``, of bearable length: its last word says what it is, and stays."""
    if len(name) <= _LONGEST_NAME:
        return name
    start, _, last = name.rpartition("_")
    beginning = start[: max(_LONGEST_NAME - len(last) - 1, 0)].rstrip("_")
    return f"{beginning}_{last}"[:_LONGEST_NAME].rstrip("_")
