"""T470: what the command grammar cannot declare."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, warning

_TOOL = "type: python_function\nname: find\ndescription: Find orders.\n"

NO_COMMAND = warning(
    "T470",
    "no-command",
    "target commands: `{tool}` is left out: {reason}",
    "The grammar has `string`, `int`, `float`, `bool`, `date`, `datetime`, and lists of "
    "these. Use one of them, or leave the target out with the tool's `targets`.",
    wrong=_TOOL + "arguments: {inline: {where: {fields: {row: int}}}}",
    right=_TOOL + "arguments: {inline: {row: 'float[]'}}",
)

RULES: tuple[Rule, ...] = (NO_COMMAND,)
