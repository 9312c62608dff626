"""Projects that choose strict results, and what type checkers know of results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.checkers import MYPY, PYRIGHT, assert_clean
from support.project import Built, sound

SPEC = """\
type: entity
name: Kind
enum: [a, b]
---
type: entity
name: Level
enum: [1, 2]
---
type: entity
name: Mixed
enum: [x, 1]
"""
TOOL = """\
---
type: http_function
name: {}
allowedHosts: [a.example]
request: {{ urlTemplate: "http://a.example/" }}
response: {{ {} }}
returns: {{ inline: {{ kind: Kind, level: Level, mixed: Mixed }} }}
"""
USE = """
from typing import assert_type
import datetime as dt
from decimal import Decimal
from {package}.http import whole, rows

result = whole.invoke({{}})
assert result.ok is True
assert_type(result.value["at"], dt.datetime)
assert_type(result.value["total"], Decimal)
assert_type(result.value["id"], int)
if "below" in result.value:
    assert_type(result.value["below"]["days"], list[dt.date])
listed = rows.invoke({{}})
assert listed.ok is True
for each in listed.value:
    assert_type(each, rows.RowsResultItem)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    tools = TOOL.format("by_setting", "encoding: json")
    tools += TOOL.format("by_itself", "strict_results: false")
    folder = tmp_path_factory.mktemp("strict")
    return sound(folder, SPEC + tools, ("python", "http"), strict_results=True)


def test_a_project_chooses_strict_results_and_a_tool_may_differ(built: Built) -> None:
    sent = {"kind": "c", "level": 3, "mixed": "y", "new": 1}
    body = b'{"kind": "c", "level": 3, "mixed": "y", "new": 1}'

    class Wire:
        def send(self, *_: object) -> Any:
            return built.load("http").Answer(200, (), body)

    refused = built.load("http.by_setting").invoke({}, transport=Wire()).error
    pointers = [each.pointer for each in refused.violations]
    assert ["/kind", "/level", "/mixed", "/new"] == pointers
    result = built.load("http.by_itself").invoke({}, transport=Wire())
    assert sent == result.to_dict()["value"]
    assert (3, "y") == (result.value["level"], result.value["mixed"].value)


@pytest.mark.whole
def test_type_checkers_know_the_members(world: Any, built: Built) -> None:
    root: Path = world.built.out / "python"
    (root / "use.py").write_text(USE.format(package=world.built.package))
    assert_clean(root, "use.py", by=[MYPY, PYRIGHT])
    assert_clean(built.out / "python", built.package, by=[MYPY, PYRIGHT])
