"""The database functions that change nothing, as `pure_functions.txt` lists them.

The names are those of sqlglot's typed functions, and those that the databases list of themselves
(`pg_proc`, `duckdb_functions()`, `pragma_function_list`, the manuals of the others). Functions
that give another value each time, such as `random()`, count as well: they change nothing. A name
that is not listed may belong to anybody's function, and that may do anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

_EVERYWHERE = "everywhere"


@cache
def _names() -> Mapping[str, frozenset[str]]:
    """The names in upper case, by dialect; ``everywhere`` has those of all dialects."""
    path = Path(__file__).with_suffix(".txt")
    sections = path.read_text(encoding="utf-8").split("[")[1:]
    headed = (section.partition("]") for section in sections)
    return {dialect: frozenset(listed.split()) for dialect, _, listed in headed}


def is_pure(name: str, dialect: str) -> bool:
    """Whether ``name``, in upper case, is a function of the dialect that changes nothing."""
    names = _names()
    if name in names[_EVERYWHERE] or name in names.get(dialect, ()):
        return True
    return dialect == "postgres" and name.startswith("ST_")  # PostGIS
