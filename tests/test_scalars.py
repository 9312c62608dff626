"""A scalar is one row of each table; what is missing is named, and CONTRIBUTING's recipe works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from brimgen.agreement.reference_validator import Oracle
from brimgen.model.scalars import SCALARS
from brimgen.model.types import Scalar
from support.scalar_holes import holes, holes_of_row

ROOT = Path(__file__).resolve().parents[1]
PAGE = "docs/spec-language.md"
MESSAGES = "docs/diagnostics.md"
PACKAGE = "generator/brimgen"

INCOMPLETE = [
    "`count` has no row in model/scalars.py",
    "`count` has no row in emit/codecs/python.py",
    "`count` has no row in sql/kinds.py",
    f"`count` has no row in the table of types of {PAGE}",
    "`count` is not named by the text of `type` in syntax/keys.py",
    "`count` is not named by the help of unknown-type in docs/diagnostics.md",
]
MISTAKEN = [
    f"the row of `count` in {PACKAGE}/model/scalars.py accepts 0 of its `invalid`: "
    "correct `schema` or `invalid`",
    "`count`: brimgen_runtime has no `to_count`",
    "`count`: brimgen_runtime/sql/_decode.py has no `count`",
]
TEXTS = {
    PAGE: ("| `float` | `number`", "| `count` | | `integer`, from 0 | `int` |\n"),
    f"{PACKAGE}/syntax/keys.py": ("`int`, `float`, `decimal`, ", "`count`, "),
    MESSAGES: ("int, float, dec", "count, "),
}
ROWS = {
    "model/scalars.py": (
        "    Scalar.INT: ScalarRow(",
        """\
    Scalar.COUNT: ScalarRow(
        schema={"type": "integer", "minimum": 0},
        expected="a whole number from 0",
        valid=(0, 2**53),
        invalid=(0, "7", True),
        constraints=frozenset((*NUMBER_KEYS, "enum")),
        sql_of=("integer",),
    ),
""",
    ),
    "emit/codecs/python.py": (
        "    Scalar.INT: PythonCodec(",
        '    Scalar.COUNT: PythonCodec(name="int", decoder="to_count"),\n',
    ),
    "sql/kinds.py": (
        "    Scalar.INT: SqlCodec(",
        '    Scalar.COUNT: SqlCodec(kind=SqlKind.INT, reader="count"),\n',
    ),
}
CORRECTIONS = {
    "model/scalars.py": ('invalid=(0, "7", True)', 'invalid=(1.5, "7", True)'),
    "emit/codecs/python.py": ("to_count", "to_int"),
    "sql/kinds.py": ('reader="count"', 'reader="integer"'),
}
SPEC = """\
type: sql_function
name: restock
sql: UPDATE stock SET pieces = :pieces WHERE packs = :packs
arguments:
  inline:
    pieces: count
    packs: {type: count, maximum: 100, default: 3}
"""
BUILD_AND_DECODE = """\
import sys
from pathlib import Path
from support.project import build

built = build(Path(sys.argv[1]), {"restock.yaml": sys.argv[2]})
print("found:", built.slugs)
restock = built.load("tools.restock")
given = restock.RestockInput.from_dict({"pieces": 7.0})
print("decoded:", repr(given.pieces), repr(given.packs), given.to_dict())
bound = restock.RestockBound.from_dict({"pieces": 7, "packs": 4})
print("bound:", built.load("sql.restock").bind_sqlite3(bound))
for wrong in ({"pieces": -1}, {"pieces": "7"}, {"pieces": 7, "packs": 101}):
    try:
        restock.RestockInput.from_dict(wrong)
    except ValueError:
        print("refused:", wrong)
"""
BUILT = """\
found: []
decoded: 7 3 {'pieces': 7, 'packs': 3}
bound: {'pieces': 7, 'packs': 4}
refused: {'pieces': -1}
refused: {'pieces': '7'}
refused: {'pieces': 7, 'packs': 101}
"""


class Copy:
    """A copy of the package to which a scalar is added."""

    def __init__(self, root: Path) -> None:
        self.root = root
        ignored = shutil.ignore_patterns("__pycache__")
        for name in ("generator", "runtime", "templates"):
            shutil.copytree(ROOT / name, root / name, ignore=ignored)
        (root / PAGE).parent.mkdir()
        for page in (PAGE, MESSAGES):
            shutil.copyfile(ROOT / page, root / page)

    def insert(self, path: str, before: str, text: str) -> None:
        """Put ``text`` before a part of a file that it has once."""
        self.replace(path, before, text + before)

    def replace(self, path: str, old: str, new: str) -> None:
        """Change a part of a file that it has once."""
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{path} has {text.count(old)} of {old!r}"
        file.write_text(text.replace(old, new), encoding="utf-8")

    def run(self, *arguments: str) -> str:
        """What Python prints when it imports the copy."""
        folders = (self.root / "generator", self.root / "runtime", ROOT / "tests")
        ran = subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def holes(self) -> list[str]:
        """What the test of the tables says of the copy."""
        return self.run("-m", "support.scalar_holes").splitlines()


def test_every_scalar_has_a_row_in_every_table() -> None:
    missing = holes()
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("scalar", Scalar)
def test_the_schema_of_a_row_agrees_with_its_values(scalar: Scalar) -> None:
    row = SCALARS[scalar]
    judge = Oracle(row.schema)
    assert [] == [each for each in row.valid if not judge.accepts(each)]
    assert [] == [each for each in row.invalid if judge.accepts(each)]


def test_a_row_that_takes_any_text_is_told_to_say_which() -> None:
    row = replace(SCALARS[Scalar.STRING], invalid=("soon",))
    assert [
        "the row of `string` in generator/brimgen/model/scalars.py accepts 'soon' of its "
        "`invalid`: give it `accepts_text`, or correct `invalid`"
    ] == [*holes_of_row(Scalar.STRING, row)]


def test_a_scalar_is_added_as_contributing_says(tmp_path: Path) -> None:
    copy = Copy(tmp_path / "project")
    member = '    COUNT = "count"\n'
    copy.insert(f"{PACKAGE}/model/types.py", '    INT = "int"\n', member)
    assert INCOMPLETE == copy.holes()

    for path, (before, text) in TEXTS.items():
        copy.insert(path, before, text)
    for path, (before, row) in ROWS.items():
        copy.insert(f"{PACKAGE}/{path}", before, row)
    assert MISTAKEN == copy.holes()

    for path, (wrong, right) in CORRECTIONS.items():
        copy.replace(f"{PACKAGE}/{path}", wrong, right)
    assert [] == copy.holes()
    assert BUILT == copy.run("-c", BUILD_AND_DECODE, str(tmp_path / "made"), SPEC)
