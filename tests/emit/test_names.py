"""Names: every text becomes an identifier that is safe where it stands."""

from __future__ import annotations

import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.emit.names import attribute_name, class_name, module_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("geo_search", "GeoSearch"),
        ("get-user", "GetUser"),
        ("HTTPServer", "HTTPServer"),
        ("order2line", "Order2line"),
        ("exception", "Exception_"),
        ("none", "None_"),
        ("any", "Any_"),
    ],
)
def test_a_tool_has_a_class_that_python_allows(name: str, expected: str) -> None:
    assert expected == class_name(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("get-user", "get_user"),
        ("getUser", "getUser"),
        ("import", "import_"),
        ("con", "con_"),
    ],
)
def test_a_tool_has_a_module_that_python_and_windows_allow(
    name: str, expected: str
) -> None:
    assert expected == module_name(name)


@given(st.text(max_size=128))
def test_every_wire_name_has_an_attribute(wire: str) -> None:
    name = attribute_name(wire)
    assert name.isidentifier() and name.isascii() and not keyword.iskeyword(name)
    assert not name.startswith("_")
    assert not name.startswith("__")


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,63}", fullmatch=True))
def test_every_tool_has_a_class_and_a_module(name: str) -> None:
    for made in (class_name(name), module_name(name)):
        assert made.isidentifier() and not keyword.iskeyword(made)
