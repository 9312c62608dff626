"""Whatever an author writes: `brimgen fmt` keeps the values and every comment."""

from __future__ import annotations

import re
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from brimgen.formatting.format_spec import format_yaml

_WORDS = st.text("ab :#-'\"{}[],&*!|>%@`\n\\?1", max_size=12)
_KEYS = st.from_regex(r"[a-z]{1,4}", fullmatch=True)
_LEAVES = st.one_of(_WORDS, st.integers(), st.booleans(), st.none())
_VALUES: st.SearchStrategy[Any] = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(_KEYS, inner, max_size=3)
    ),
    max_leaves=12,
)
_SPECS = st.dictionaries(_KEYS, _VALUES, min_size=1, max_size=4)
_COMMENT = re.compile(r"# note \d+ \.")


@st.composite
def texts(draw: st.DrawFn) -> str:
    """YAML in some style, with comments and empty lines at some places where they may stand."""
    value = draw(_SPECS)
    text = yaml.safe_dump(
        value,
        default_flow_style=draw(st.sampled_from([True, False, None])),
        width=draw(st.sampled_from([20, 80])),
        indent=draw(st.integers(2, 6)),
        sort_keys=False,
        allow_unicode=True,
    )
    lines = text.split("\n")[:-1]
    for number in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(lines) - 1))
        note = f"# note {number} ."
        beside = [*lines[:at], f"{lines[at]} {note}", *lines[at + 1 :]]
        above = [*lines[:at], " " * draw(st.integers(0, 6)) + note, *lines[at:]]
        empty = [*lines[:at], "", *lines[at:]]
        changed = draw(st.sampled_from([beside, above, empty]))
        if _loaded("\n".join(changed)) == value:
            lines = changed
    return "\n".join([*lines, ""])


def _loaded(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


@given(texts())
def test_values_and_comments_stay_and_a_second_time_changes_nothing(text: str) -> None:
    made = format_yaml(text)
    assert yaml.safe_load(text) == yaml.safe_load(made)
    assert sorted(_COMMENT.findall(text)) == sorted(_COMMENT.findall(made))
    assert made == format_yaml(made)
