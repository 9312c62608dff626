"""The page about lint: its table is the list of rules, its example is one."""

from __future__ import annotations

import re
from pathlib import Path

from brimgen.diagnostics.catalogue import KINDS
from support.linted import linted

PAGE = (Path(__file__).parents[2] / "docs/lint.md").read_text("utf-8")


def test_the_table_lists_every_rule() -> None:
    rows = re.findall(r"^\| \[(L\d+)\]\(\S+\) \| `([a-z-]+)` \|", PAGE, re.M)
    assert [(kind.code, kind.slug) for kind in KINDS if kind.code[0] == "L"] == rows


def test_the_example_is_quiet() -> None:
    (text,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S)
    assert [] == [each.message for each in linted(text)]
