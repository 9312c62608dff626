"""The guard: a template prints what literal writers wrote, and nothing else."""

from __future__ import annotations

from types import SimpleNamespace

import jinja2
import pytest

from brimgen.emit import render as room
from brimgen.emit.code import Code, RawText, only_code
from brimgen.emit.render import CodeEnvironment

VIEW = SimpleNamespace(doc='"""; import os', code=Code("x = 1"), flag=True, count=3)


def _print(source: str) -> str:
    environment = CodeEnvironment(finalize=only_code, undefined=jinja2.StrictUndefined)
    environment.filters.update(room.FILTERS)
    return environment.from_string(source).render(view=VIEW)


@pytest.mark.parametrize(
    "source",
    [
        "{{ view.doc }}",
        "{{ view.doc | upper }}",
        '{{ "a" ~ view.doc }}',
        "{{ view.doc | py | upper }}",
        "{{ view.code ~ view.code }}",
        "{{ view.flag }}",
        '{{ "text" }}',
        "{% macro m() %}{{ view.doc }}{% endmacro %}{{ m() }}",
        "{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ view.doc }}{% endcall %}",
        "{% set x %}{{ view.doc }}{% endset %}{{ x }}",
    ],
)
def test_raw_text_is_refused(source: str) -> None:
    with pytest.raises(RawText):
        _print(source)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{ view.code }}", "x = 1"),
        ("{{ view.count }}", "3"),
        ("{{ view.doc | py }}", '\'"""; import os\''),
        ("{% macro m() %}{{ view.code }}{% endmacro %}{{ m() }}", "x = 1"),
        ("{% set x %}{{ view.code }}{% endset %}{{ x }}", "x = 1"),
        (
            "{% macro m() %}<{{ caller() }}>{% endmacro %}"
            "{% call m() %}{{ view.code }}{% endcall %}",
            "<x = 1>",
        ),
    ],
)
def test_code_is_printed(source: str, expected: str) -> None:
    assert expected == _print(source)


@pytest.mark.parametrize("block", ["upper", "replace('x', view.doc)", "json"])
def test_no_filter_of_a_block_gets_round_the_guard(block: str) -> None:
    with pytest.raises(jinja2.TemplateSyntaxError):
        _print(f"{{% filter {block} %}}x{{% endfilter %}}")
