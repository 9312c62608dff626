"""S125-S128, of the YAML reader: missing colons, indentation, quotes, merge conflicts."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error

_PROBE = "type: python_function\nname: probe\n"

MISSING_COLON = error(
    "S125",
    "missing-colon",
    "no `:` follows `{key}`",
    "A key ends with a colon. Its value follows after a space, or on the next lines with "
    "more indentation.",
    wrong=f"{_PROBE}arguments\n  inline:\n    a: int\n",
    right=f"{_PROBE}arguments:\n  inline:\n    a: int\n",
)
INDENTATION = error(
    "S126",
    "indentation",
    "{why}",
    "Indent all keys of one mapping alike, with spaces. Indent what belongs to a key more "
    "than the key.",
    wrong=f"{_PROBE}arguments:\n  inline:\n    a: int\n   b: int\n",
    right=f"{_PROBE}arguments:\n  inline:\n    a: int\n    b: int\n",
)

TEXT_AFTER_QUOTES = error(
    "S127",
    "text-after-quotes",
    "the text ends with this quote, and `{rest}` follows",
    "To use a quote as text, double it in single quotes (`'it''s'`) or put a backslash "
    'before it in double quotes (`"a \\"b\\""`). You can also use the other kind of '
    "quotes, or none.",
    wrong=f"{_PROBE}description: 'It's an order'\n",
    right=f"{_PROBE}description: It's an order\n",
)

CONFLICT = error(
    "S128",
    "merge-conflict",
    "this merge conflict is not resolved: the line begins with `{mark}`",
    "Two branches changed these lines. Keep the right parts of both, and remove the lines "
    "that begin with `<<<<<<<`, `=======` and `>>>>>>>`.",
    wrong=f"{_PROBE}<<<<<<< HEAD\nversion: a\n=======\nversion: b\n>>>>>>> main\n",
    right=f"{_PROBE}version: b\n",
)

RULES: tuple[Rule, ...] = (MISSING_COLON, INDENTATION, TEXT_AFTER_QUOTES, CONFLICT)
