"""T48x: what a compiled prompt does not have."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error

NOT_COMPILED = error(
    "T480",
    "not-in-prompts",
    "{what} cannot be compiled",
    help=(
        "Templates of prompts become Python when they are built: variables, fields, conditions, "
        "loops, `set`, and the filters and tests of docs/resources-and-prompts.md. Say it with "
        "these, or compute the value before it is an argument."
    ),
    wrong="type: template_function\nname: greet\narguments:\n  inline: {name: string}\n"
    'template: "{{ args.name | pprint }}"\n',
    right="type: template_function\nname: greet\narguments:\n  inline: {name: string}\n"
    'template: "{{ args.name | title }}"\n',
)

RULES: tuple[Rule, ...] = (NOT_COMPILED,)
