"""What a scalar lacks: every table and text that has a row for each scalar, walked."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import brimgen
import brimgen_runtime
from brimgen.agreement.instances import FORMATS
from brimgen.diagnostics import rules
from brimgen.emit.codecs.python import PYTHON
from brimgen.model.json import Json
from brimgen.model.scalars import SCALARS, ScalarRow
from brimgen.model.types import Scalar
from brimgen.resolve.values import fits
from brimgen.sql.kinds import DIALECTS, KINDS, SQL, SqlKind
from brimgen.syntax.keys import ENTRY
from brimgen_runtime.schema.json_values import PATTERNS
from brimgen_runtime.schema.texts import HOMES
from brimgen_runtime.sql._entities import _READERS as ENTITY_READERS

PACKAGE = Path(brimgen.__file__).parent
RUNTIME = Path(brimgen_runtime.__file__).parent
ROOT = PACKAGE.parents[1]
TABLES = {
    "model/scalars.py": SCALARS,
    "emit/codecs/python.py": PYTHON,
    "sql/kinds.py": SQL,
}


def holes() -> list[str]:
    """Everything that is missing, one sentence for each."""
    runtime = {
        name
        for subject in ("schema", "records")
        for path in (RUNTIME / subject).glob("*.py")
        for name in _names(f"{subject}/{path.name}")
    }
    readers, encoders = _names("sql/_decode.py"), _names("sql/_encode.py")
    found: list[str] = []
    for scalar in Scalar:
        absent = [path for path, table in TABLES.items() if scalar not in table]
        found += [f"`{scalar}` has no row in {path}" for path in absent]
        if scalar in SCALARS:
            found += holes_of_row(scalar, SCALARS[scalar])
        if scalar in PYTHON:
            name = PYTHON[scalar].decoder
            if name is not None and name not in runtime:
                found.append(f"`{scalar}`: brimgen_runtime has no `{name}`")
        if scalar in SQL and SQL[scalar].reader not in readers:
            name = SQL[scalar].reader
            found.append(f"`{scalar}`: brimgen_runtime/sql/_decode.py has no `{name}`")
        found += _texts_without(scalar)
    return [*found, *_holes_of_kinds(encoders), *_words_twice()]


def holes_of_row(scalar: Scalar, row: ScalarRow) -> Iterator[str]:
    """Yield what the row of a scalar lacks, one sentence for each."""
    named = f"the row of `{scalar}` in generator/brimgen/model/scalars.py"
    for value in row.valid:
        if not fits(scalar, value):
            remedy = "correct `valid`, `schema` or `accepts_text`"
            yield f"{named} refuses {value!r} of its `valid`: {remedy}"
    for value in row.invalid:
        if fits(scalar, value):
            yield f"{named} accepts {value!r} of its `invalid`: {_remedy(row, value)}"
    if not row.valid or not row.invalid:
        yield f"{named} has no `valid` or no `invalid` values"
    pattern = row.schema.get("pattern")
    if pattern is not None and pattern not in PATTERNS:
        yield f"`{scalar}`: brimgen_runtime/schema/json_values.py does not name its pattern"
    form = row.schema.get("format")
    if (form is not None or pattern is not None) and not row.hint:
        yield f"{named} has no `hint` that says what its format or pattern means"
    if form is None:
        return
    if form not in HOMES:
        yield f"`{scalar}`: brimgen_runtime/schema/texts.py does not test the format `{form}`"
    if form not in FORMATS:
        yield f"`{scalar}`: agreement/text_instances.py has no texts of the format `{form}`"
    if form not in ENTITY_READERS:
        yield f"`{scalar}`: brimgen_runtime/sql/_entities.py has no reader of the format `{form}`"


def _remedy(row: ScalarRow, value: Json) -> str:
    if isinstance(value, str) and row.json_type == "string":
        verb = "give it" if row.accepts_text is None else "correct"
        return f"{verb} `accepts_text`, or correct `invalid`"
    return "correct `schema` or `invalid`"


def _texts_without(scalar: Scalar) -> Iterator[str]:
    """The texts for people that do not name a scalar; one of paths is told of with paths."""
    if scalar in SCALARS and SCALARS[scalar].is_path_rest:
        return
    page = (ROOT / "docs" / "spec-language.md").read_text(encoding="utf-8")
    if f"\n| `{scalar}` |" not in page:
        yield f"`{scalar}` has no row in the table of types of docs/spec-language.md"
    if f"`{scalar}`" not in ENTRY.texts["type"]:
        yield f"`{scalar}` is not named by the text of `type` in syntax/keys.py"
    if f" {scalar}," not in rules.UNKNOWN_TYPE.help.replace("(", " "):
        yield f"`{scalar}` is not named by the help of unknown-type in docs/diagnostics.md"


def _holes_of_kinds(encoders: set[str]) -> Iterator[str]:
    for kind in SqlKind:
        if kind not in KINDS:
            yield f"`SqlKind.{kind.name}` has no row in sql/kinds.py"
            continue
        row = KINDS[kind]
        for dialect in DIALECTS if row.names else ():
            if dialect not in row.names:
                yield f"`SqlKind.{kind.name}` has no type in {dialect}"
        used = {row.encoder, row.json_encoder or row.encoder, *row.encoders.values()}
        for name in sorted(used - encoders):
            yield f"`SqlKind.{kind.name}`: brimgen_runtime/sql/_encode.py has no `{name}`"


def _words_twice() -> Iterator[str]:
    """Words that name two scalars, or that a message corrects although they name one."""
    seen: dict[str, Scalar] = {}
    for scalar, row in SCALARS.items():
        for word in (scalar.value, *row.aliases, *row.foreign_names):
            if word in seen:
                yield f"`{word}` is a word of `{seen[word]}` and of `{scalar}`"
            seen[word] = scalar


def _names(path: str) -> set[str]:
    """The names that a module of the runtime defines or imports."""
    tree = ast.parse((RUNTIME / path).read_text(encoding="utf-8"))
    found = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return found | {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}


if __name__ == "__main__":
    for hole in holes():
        print(hole)
