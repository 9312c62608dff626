"""JSON text: written in C where that can, and always so that it can be encoded and read again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen_runtime.schema.errors import InputError
from brimgen_runtime.schema.json_text import parse_json, write_json
from brimgen_runtime.schema.validator import Validator


class Box(Mapping[str, Any]):
    """A mapping that is no dict."""

    def __init__(self, **values: Any) -> None:
        self.values_of = values

    def __getitem__(self, name: str) -> Any:
        return self.values_of[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_of)

    def __len__(self) -> int:
        return len(self.values_of)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": [1, 1.5, None, True, "é"]}, '{"a": [1, 1.5, null, true, "é"]}'),
        ([Decimal("0.10"), {"b": 'q"'}], '[0.10, {"b": "q\\""}]'),
        (Box(a=1, b=Box()), '{"a": 1, "b": {}}'),
        ("\ud800é", '"\\ud800é"'),
        ({"\udfff": Decimal(1)}, '{"\\udfff": 1}'),
    ],
)
def test_json_keeps_decimals_and_letters(value: Any, text: str) -> None:
    assert text == write_json(value)
    assert text.encode()


@pytest.mark.parametrize("value", [float("nan"), [float("-inf")]])
def test_what_json_cannot_say(value: object) -> None:
    for each in (value, [Decimal("0.10"), value]):
        with pytest.raises(ValueError, match="not JSON compliant"):
            write_json(each)


def test_a_message_can_be_encoded_whatever_was_sent() -> None:
    schema = {"properties": {"a": {"type": "integer"}}, "additionalProperties": False}
    with pytest.raises(InputError) as caught:
        Validator(schema).check({"a": "\ud800x", "\udfff": ["\udc00"]})
    message = caught.value.retry_message()
    assert 'a: expected integer, got "\\ud800x"' in message.encode().decode()


_KEYS = st.sampled_from(["a", "b", ":", '":', "\\", "a:b", "é"])
_TEXTS = st.sampled_from(
    ["", ":", '"', '":"', "\\u003a", "x", "{", "2026-01-01T00:00:00Z"]
)


class _Pairs(list[Any]):
    """The members of an object as they are written, keys that occur twice among them."""


_VALUES = st.recursive(
    st.one_of(_TEXTS, st.integers(), st.booleans(), st.none(), st.just(0.5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(st.tuples(_KEYS, inner), max_size=3).map(_Pairs),
    ),
    max_leaves=8,
)


def _written(value: Any, space: str) -> str:
    if isinstance(value, _Pairs):
        members = (f"{json.dumps(k)}{space}: {_written(v, space)}" for k, v in value)
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_written(each, space) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _repeats(value: Any) -> bool:
    if isinstance(value, _Pairs):
        keys = [key for key, _ in value]
        return len(set(keys)) < len(keys) or any(_repeats(each) for _, each in value)
    return isinstance(value, list) and any(map(_repeats, value))


@given(
    pairs=st.lists(st.tuples(_KEYS, _VALUES), max_size=4).map(_Pairs),
    space=st.sampled_from(["", " "]),
)
def test_a_repeated_key_is_found_however_the_text_is_written(
    pairs: Any, space: str
) -> None:
    """Most texts are read without a look at each object: no key may be dropped by that."""
    text = _written(pairs, space)
    for sent in (text, text.encode()):
        if _repeats(pairs):
            with pytest.raises(InputError, match="occurs twice"):
                parse_json(sent)
        else:
            assert json.loads(text) == parse_json(sent)
