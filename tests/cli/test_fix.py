"""`check --fix` corrects slips of the pen in specs, and touches nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from brimgen.diagnostics.certain_fixes import apply_edits, certain_edits
from cli.conftest import Run
from support.cases import cases, check

Write = Callable[[str, str], Path]
SPEC = """\
# Finds orders.\r
type: sql_function\r
name: find_orders\r
descripton: Finds the orders of a customer.   # for models\r
arguments:\r
  inline:\r
    customer_id: {type: int, minimun: 1}\r
    since: "datetme"\r
returns: Oder[]\r
sql: SELECT id FROM orders WHERE customer = :customer_ids AND at > :since\r
"""


def test_slips_are_corrected_in_place_and_all_else_stays(
    run: Run, write: Write
) -> None:
    write("specs/order.yaml", "type: entity\nname: Order\nfields: {id: int}\n")
    spec = write("specs/find.yaml", "")
    spec.write_bytes(SPEC.encode())
    ran = run("check", "--fix", "--format", "concise")
    assert 3 == ran.code, ran.err
    assert spec.read_bytes().decode() == (
        SPEC.replace("descripton", "description")
        .replace("minimun", "minimum")
        .replace("datetme", "datetime")
        .replace("Oder", "Order")
        .replace(":customer_ids", ":customer_id")
    )
    assert "specs/find.yaml:4:1: `descripton` is now `description` [S203]" in ran.err
    assert "brimgen: 5 corrections made" in ran.err


def test_what_may_be_meant_in_two_ways_is_left_to_its_author(
    run: Run, write: Write
) -> None:
    text = "type: python_function\nname: pay\nreturns: Car\n"
    write("specs/a.yaml", "type: entity\nname: Cart\nfields: {id: int}\n")
    write("specs/b.yaml", "type: entity\nname: Card\nfields: {id: int}\n")
    spec = write("specs/pay.yaml", text)
    ran = run("check", "--fix")
    assert 1 == ran.code
    assert text == spec.read_text()
    assert "brimgen: 0 corrections made" in ran.err


@pytest.mark.whole
def test_every_certain_correction_removes_the_mistake(tmp_path: Path) -> None:
    """Of all specs in tests/errors: the diagnostic is gone once its word is corrected."""
    mended = 0
    for case in cases({}):
        if case.source is None or not case.source.is_file():
            continue
        lines = case.source.read_text("utf-8").split("\n")
        specs = tmp_path / case.name
        case.write(specs)
        for edit in certain_edits(check(specs, case.reason), lines):
            made = "\n".join(apply_edits(lines, [edit]))
            (specs / case.source.name).write_text(made, "utf-8")
            left = {
                (each.span.line, each.message) for each in check(specs, case.reason)
            }
            assert (edit.span.line, edit.diagnostic.message) not in left, case.name
            mended += 1
    assert mended > 20
