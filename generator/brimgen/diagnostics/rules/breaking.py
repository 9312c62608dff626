"""Rows about what two builds publish: told by `diff` and `breaking`, which compare them."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, warning

BREAKING_CHANGE = warning(
    "L619",
    "breaking-change",
    "{what}: that breaks {whom}",
    "Programs and models that were told of the tool as it was send calls that are refused now, or "
    "read what no longer comes. Keep what was promised, or publish the change under a new "
    "name beside the old one. Where nobody relies on it, say so at the argument or the tool: "
    "`x-lint-ignore: {breaking-change: nobody calls it yet}`; of a tool that is gone, in the "
    "configuration: `lint: {retired: {its_name: nobody called it}}`. `brimgen diff` compares with "
    "the output folder, `brimgen breaking --against main` with a commit.",
)
RETIRED_TOOL_BACK = warning(
    "L693",
    "retired-tool-back",
    "`{tool}` is retired by the configuration, and there is such a tool",
    "Delete the line under `lint: retired`: it would let the tool go again, and nobody would be "
    "told.",
)

RULES: tuple[Rule, ...] = (BREAKING_CHANGE, RETIRED_TOOL_BACK)
