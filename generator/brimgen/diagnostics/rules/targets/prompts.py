"""T48x: what a compiled prompt cannot do."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error

NOT_COMPILED = error(
    "T480",
    "not-in-prompts",
    "{what} cannot be compiled",
    help=(
        "Templates of prompts become Python when they are built. They have variables, fields, "
        "conditions, loops and `set`; the filters abs, capitalize, count, default, first, float, "
        "indent, int, items, join, last, length, list, lower, replace, reverse, round, sort, "
        "string, sum, title, tojson, trim, truncate, unique, upper and wordcount; the tests "
        "defined, divisibleby, eq, even, false, in, mapping, none, number, odd, string, true and "
        "undefined. Say it with these, or compute the value before it is an argument."
    ),
    wrong="type: template_function\nname: greet\narguments:\n  inline: {name: string}\n"
    'template: "{{ args.name | pprint }}"\n',
    right="type: template_function\nname: greet\narguments:\n  inline: {name: string}\n"
    'template: "{{ args.name | title }}"\n',
)

RULES: tuple[Rule, ...] = (NOT_COMPILED,)
