"""Python 3.14, which few machines have yet: the same bytes, and a package that works.

It comes from a package registry, as WebAssembly; `newest/newest.py` tells how.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from running.packages import imported
from support.node import ROOT, installed

pytestmark = pytest.mark.whole
NEWEST = Path(__file__).parent / "newest"
CALLS = [
    ("get_orders", '{"customer_id": 7, "placed_after": "2026-01-18T05:00:00+05:30"}'),
    ("get_orders", '{"customer_id": "7", "limit": 1e3, "status": "open", "x": NaN}'),
    ("calculator", '{"operation": "add", "a": 1, "b": 2.50}'),
    ("request_pickup", "{}"),
]


@pytest.fixture(scope="module")
def newest() -> dict[str, Any]:
    """What a newer Python made of the shop."""
    packages = sysconfig.get_path("purelib")
    script = [str(NEWEST / "run.mjs"), str(installed(NEWEST)), str(ROOT), packages]
    ran = subprocess.run(
        ["node", *script, json.dumps(CALLS)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert 0 == ran.returncode, ran.stderr
    made: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    assert (0, [3, 14]) == (made["code"], made["version"])
    return made


def test_it_makes_the_same_bytes(newest: dict[str, Any]) -> None:
    expected = {
        each.relative_to(ROOT / "out")
        .as_posix(): hashlib.sha256(each.read_bytes())
        .hexdigest()
        for each in (ROOT / "out").rglob("*")
        if each.is_file() and "__pycache__" not in each.parts
    }
    assert expected == newest["files"]


def test_what_it_makes_can_be_imported(newest: dict[str, Any]) -> None:
    expected = {
        each.relative_to(ROOT / "out/python").as_posix()
        for each in (ROOT / "out/python").rglob("*.py")
    }
    modules = {each.replace(".", "/") for each in newest["modules"]}
    assert expected == {
        f"{each}/__init__.py" if f"{each}/__init__.py" in expected else f"{each}.py"
        for each in modules
    }


def test_it_answers_calls_in_the_same_words(newest: dict[str, Any]) -> None:
    expected = []
    with imported(ROOT / "out/python", "shop") as shop:
        for tool, text in CALLS:
            try:
                expected.append(shop.TOOLS[tool].input_type.from_call(text).to_json())
            except shop.InputError as refused:
                expected.append(str(refused))
    assert expected == newest["answers"]
