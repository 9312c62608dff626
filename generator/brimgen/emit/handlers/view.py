"""The views that the templates of the handlers target print."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """The handler of a tool: its protocol, and how it is registered.

    ``variable`` is the type variable of the decorator. ``documentation`` is None where the spec
    says nothing.
    """

    tool: Code
    key: Code
    name: Code
    protocol: Code
    documentation: Code | None
    bound: Code
    result: Code
    variable: Code
    variable_name: Code
    parameter: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A function for type checkers: the module that it imports, and what it passes on."""

    name: Code
    module: Code
    arguments: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlersModule:
    """``<package>/handlers.py``; ``checks`` hold the handlers of the specs to their protocols."""

    header: Code
    imports: Sequence[Code]
    typing_imports: Sequence[Code]
    exported: Code
    records: Sequence[Code]
    handlers: Sequence[Handler]
    checks: Sequence[Check]
