"""What a PostgreSQL server says of its own functions, operators, casts and types.

`generator/brimgen/sql/rules/catalogues/postgres.txt` keeps it; a test compares them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_FUNCTIONS, _OPERATORS, _CASTS, _OUTPUTS, _TYPES = re.split(
    r"^-- \w+\n",
    Path(__file__).with_suffix(".sql").read_text(encoding="utf-8"),
    flags=re.M,
)[1:]


def catalogue(connection: Any) -> str:
    """Return the text of the catalogue of a server."""
    lines = ["# types: name, category, * for the preferred one of its category"]
    for name, category, preferred in connection.execute(_TYPES):
        lines.append(f"type {name} {_text(category)}{'*' * preferred}")
    lines.append("# casts: source, target; i implicit, a at assignment, e explicit")
    by_cast: dict[tuple[str, str], list[str]] = {}
    for source, target, context in connection.execute(_CASTS):
        by_cast.setdefault((source, _text(context)), []).append(target)
    lines += [
        f"cast {source} {context} {' '.join(targets)}"
        for (source, context), targets in by_cast.items()
    ]
    lines.append("# operators: name, then operands and result of each")
    by_name: dict[str, list[str]] = {}
    for name, left, right, result in connection.execute(_OPERATORS):
        by_name.setdefault(name, []).append(f"{left or ''},{right}>{result}")
    lines += [f"operator {name} {' '.join(each)}" for name, each in by_name.items()]
    lines.append(
        "# functions: name, f function, a aggregate, w window, s set; then arguments (* variadic,"
    )
    lines.append(
        "# =n optional) and result of each; ! is given NULL, too. Nobody is meant to call"
    )
    lines.append("# an `internal` one by its name.")
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for (
        name,
        kind,
        is_set,
        strict,
        defaults,
        variadic,
        result,
        arguments,
        is_offered,
    ) in connection.execute(_FUNCTIONS):
        listed = list(arguments)
        if variadic:
            listed[-1] = f"*{listed[-1].removeprefix('_')}"
        shown = ",".join(listed) + (f"={defaults}" if defaults else "")
        nulls = "" if strict or _text(kind) in "aw" else "!"
        kind_of = "s" if is_set else _text(kind)
        subject = "function" if is_offered else "internal"
        grouped.setdefault((subject, name, kind_of), []).append(
            f"{nulls}{shown}>{result}"
        )
    lines += [
        f"{subject} {name} {kind} {' '.join(each)}"
        for (subject, name, kind), each in grouped.items()
    ]
    lines.append("# outputs: the named columns of functions, each with its type")
    lines += [
        f"outputs {name} {columns}" for name, columns in connection.execute(_OUTPUTS)
    ]
    return "\n".join(lines) + "\n"


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
