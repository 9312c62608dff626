"""Whatever stands in a spec, it is built, or told with a place in its text; nothing raises."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from brimgen.editor.document import KINDS, spec_schema
from language.test_cases import outcome

WORDS = sorted(
    set(re.findall(r'"([A-Za-z_$]+)": \{', json.dumps(spec_schema()))) | {"x-a"}
)
VALUES = (
    *("string", "object", "array", "entity", "int[]", "T?", "array<int>", "int?[]"),
    *("[]", "complex", "standard", "<user>\na\n</user>", "<system>a", "{# x #}"),
    *("q.sql", "../q.sql", "yes", "1.10", "{{ a }}", "{% if a %}", "${a}", ":a"),
)
MARKS = st.sampled_from(
    (
        *("{{", "}}", "{%", "%}", "{#", "#}", *"(]}|&.='\"<>/\n", "user", "system"),
        *("a", "if", "else", "for", "endif", "endfor", "raw", "endraw", "set"),
    )
)
texts = st.sampled_from(VALUES) | st.text(max_size=12)
scalars = texts | st.none() | st.booleans() | st.integers(-3, 9**20) | st.floats()
keys = st.sampled_from(WORDS) | st.text(max_size=12)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(keys, inner, max_size=6),
    max_leaves=25,
)
documents = st.builds(
    lambda kind, name, rest: {**rest, "type": kind, "name": name},
    st.sampled_from([each.type for each in KINDS]),
    st.sampled_from(["probe", "Probe", "a b"]),
    st.dictionaries(keys, values, max_size=6),
)


def check(files: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        said = outcome(Path(folder), files)
    for place in re.findall(r"(?m)^specs/a\.\w+:(\d+):", said):
        [text] = files.values()
        assert int(place) <= len(re.split(r"\r\n?|\n", text))


@given(st.lists(documents, min_size=1, max_size=3))
def test_any_keys_and_values_are_built_or_told(given_documents: list[object]) -> None:
    check({"a.yaml": "\n---\n".join(map(json.dumps, given_documents))})


@given(st.lists(MARKS, max_size=12).map(" ".join) | st.text(max_size=60))
def test_any_template_is_built_or_told_at_its_place(text: str) -> None:
    check({"a.md": f"---\nname: a\n---\n{text}"})
