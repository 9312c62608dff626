"""Which files what changed may speak of: those that it names, and those that these name."""

from __future__ import annotations

import pytest

from brimgen.increment.mentions import Mentions

MENTIONS = Mentions(
    {"page": ("Page",), "place": ("Place", "geo-point"), "kind": ("Kind",), "more": ()},
    {"page": (), "place": ("kind",), "kind": ("place",), "more": ("page",)},
)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("", {"more", "page"}),
        ("entity_ref: Place", {"more", "page", "place", "kind"}),
        ("type: Kind[]?", {"more", "page", "place", "kind"}),
        ("$ref: '#/$defs/geo-point'", {"more", "page", "place", "kind"}),
        ("Places, place, Kinds", {"more", "page"}),
    ],
)
def test_files_are_reached_by_the_names_in_them(text: str, files: set[str]) -> None:
    assert files == MENTIONS.needed([text], ())


def test_what_no_text_names_is_left_out() -> None:
    needed = MENTIONS.needed(["nothing"], ["go"])
    assert {"Place", "geo-point", "Kind"} == MENTIONS.left_out(needed)


@pytest.mark.parametrize(
    ("owner", "files"),
    [
        ("page", {"more", "page"}),
        ("pag", {"more", "page"}),
        ("place-list", {"more", "page", "place", "kind"}),
        ("geo_point", {"more", "page", "place", "kind"}),
        ("kin_dred", {"more", "page", "place", "kind"}),
        ("g_p", {"more", "page"}),
    ],
)
def test_whatever_may_want_a_name_of_an_owner_is_read(
    owner: str, files: set[str]
) -> None:
    """``page`` is read always, because ``more``, which has no name, speaks of it."""
    assert files == MENTIONS.needed([], [owner])


def test_who_speaks_of_a_file_is_found_however_far_off() -> None:
    assert {"page", "more"} == MENTIONS.speaking_of(["page"])
    assert {"kind", "place"} == MENTIONS.speaking_of(["kind"])
    assert {"gone"} == MENTIONS.speaking_of(["gone"])
