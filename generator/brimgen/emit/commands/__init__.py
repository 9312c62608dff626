"""The commands target: ``available_commands.json``, the typed parameter declarations of seed 003.

SQL and Python functions, and HTTP calls, go out. The grammar has scalars and lists of scalars; a
tool that takes anything else is left out, with a warning, because half a declaration is wrong.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import NO_COMMAND
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.commands.lower import Undeclarable, command
from brimgen.emit.indented import json_file
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

NAME = "commands"


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report the tools that the grammar cannot declare."""
    for tool in target_tools(catalog, NAME, CALLABLE):
        grammar = command(tool)
        if isinstance(grammar, Undeclarable):
            span = tool.span if grammar.field is None else grammar.field.span
            diagnostics.add(NO_COMMAND, span, tool=tool.name, reason=grammar.reason)


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """``commands/available_commands.json``, an array, sorted by name."""
    grammars = [
        command(target_tool) for target_tool in target_tools(catalog, NAME, CALLABLE)
    ]
    declared = [
        grammar for grammar in grammars if not isinstance(grammar, Undeclarable)
    ]
    return (Artifact(f"{NAME}/available_commands.json", json_file(declared)),)


EMITTER = Emitter(target_named(NAME), emit, check)
