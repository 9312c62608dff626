"""The list of targets: what it says of each is what the target says, and it imports none."""

from __future__ import annotations

import subprocess
import sys

import pytest

from brimgen import emit
from brimgen.emit import EMITTERS, LISTED
from brimgen.syntax.tools import TARGETS


def test_the_list_says_what_the_targets_say() -> None:
    assert dict(LISTED) == {each.name: each.default for each in EMITTERS}


def test_a_tool_may_be_limited_to_each_of_them() -> None:
    assert tuple(LISTED) == TARGETS


def test_the_list_imports_no_target() -> None:
    script = (
        "import sys, brimgen.emit as emit\n"
        "list(emit.LISTED)\n"
        "print([name for name in sys.modules if name.startswith('brimgen.emit.')])\n"
        "print(emit.emitter('json_schema').name)\n"
        "print('brimgen.emit.sql' in sys.modules)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert ["[]", "json_schema", "False"] == ran.stdout.splitlines()


def test_there_is_nothing_else_in_the_list() -> None:
    with pytest.raises(AttributeError, match="EMITTER'"):
        emit.__getattr__("EMITTER")
