"""S125-S128, of the YAML reader: missing colons, indentation, quotes, merge conflicts."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error

_PROBE = "type: python_function\nname: probe\n"

MISSING_COLON = error(
    "S125",
    "missing-colon",
    "no `:` follows `{key}`",
    "A key ends with a colon; its value follows behind a space, or in deeper lines.",
    wrong=f"{_PROBE}arguments\n  inline:\n    a: int\n",
    right=f"{_PROBE}arguments:\n  inline:\n    a: int\n",
)
INDENTATION = error(
    "S126",
    "indentation",
    "{why}",
    "The keys of one mapping are indented alike, with spaces; what belongs to a key stands deeper "
    "than it.",
    wrong=f"{_PROBE}arguments:\n  inline:\n    a: int\n   b: int\n",
    right=f"{_PROBE}arguments:\n  inline:\n    a: int\n    b: int\n",
)

TEXT_AFTER_QUOTES = error(
    "S127",
    "text-after-quotes",
    "the text ends with this quote, and `{rest}` follows",
    "A mark that is meant as text is doubled in single quotes (`'it''s'`) and has a backslash in "
    'double ones (`"a \\"b\\""`); or use the other kind of quotes, or none.',
    wrong=f"{_PROBE}description: 'It's an order'\n",
    right=f"{_PROBE}description: It's an order\n",
)

CONFLICT = error(
    "S128",
    "merge-conflict",
    "a conflict of a merge is not resolved: here stands `{mark}`",
    "Two branches changed these lines. Keep what is right of both, and remove the lines that "
    "begin with `<<<<<<<`, `=======` and `>>>>>>>`.",
    wrong=f"{_PROBE}<<<<<<< HEAD\nversion: a\n=======\nversion: b\n>>>>>>> main\n",
    right=f"{_PROBE}version: b\n",
)

RULES: tuple[Rule, ...] = (MISSING_COLON, INDENTATION, TEXT_AFTER_QUOTES, CONFLICT)
