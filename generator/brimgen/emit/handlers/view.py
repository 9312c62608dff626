"""The view that the template of the handlers target prints."""

from __future__ import annotations

from brimgen.emit.code import Code
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Handler:
    """One handler: its protocol, and how it is registered."""

    head: Code
    text: Code
    call: Code
    variable: Code
    method: Code
    method_text: Code
    registered: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A function for type checkers: the module that it imports, and what it passes on."""

    name: Code
    module: Code
    arguments: tuple[Code, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlersModule:
    """``<package>/handlers.py``; ``checks`` hold the handlers of the specs to their protocols."""

    header: Code
    imports: tuple[Code, ...]
    typing_imports: tuple[Code, ...]
    exported: Code
    records: tuple[Code, ...]
    handlers: tuple[Handler, ...]
    slots: Code
    given: tuple[Code, ...]
    passed: tuple[Code, ...]
    leaves: Code
    checks: tuple[Check, ...]
