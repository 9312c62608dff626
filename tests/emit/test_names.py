"""Names: every text becomes an identifier that is safe where it stands."""

from __future__ import annotations

import keyword

from hypothesis import given
from hypothesis import strategies as st

from brimgen.emit.names import attribute_name, class_name, module_name


@given(st.text(max_size=128))
def test_every_wire_name_has_an_attribute(wire: str) -> None:
    name = attribute_name(wire)
    assert name.isidentifier() and name.isascii() and not keyword.iskeyword(name)
    assert not name.startswith("_")


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,63}", fullmatch=True))
def test_every_tool_has_a_class_and_a_module(name: str) -> None:
    for made in (class_name(name), module_name(name)):
        assert made.isidentifier() and not keyword.iskeyword(made)
