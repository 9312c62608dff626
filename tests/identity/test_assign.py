"""Ids and times: made once, kept, and moved by what they are about (S2.14-15, 27-28; row F3)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import RFC_4122, UUID

import pytest

from brimgen.identity.assign import Supply, keep
from brimgen.identity.lock_file import Lock, UnreadableLock, read_lock
from brimgen.identity.structure_digest import structure_of
from brimgen.model.catalog import Bundle, Catalog, Tool
from support.linked import link

SPEC = """\
type: bundle
name: files
description: Files on the disk.
---
type: python_function
name: read_file
description: Read a file.
bundle: files
tags: [fs]
arguments: { inline: { path: string } }
---
type: sql_function
name: count_files
bundle: files
returns: int
sql: SELECT count(*) FROM files
---
type: python_function
name: loose
"""
BIRTH = datetime(2026, 1, 18, 5, 0, 0, 123456, UTC)


class Clockwork:
    """A clock that is set by hand, and chance that counts."""

    def __init__(self) -> None:
        self.time = BIRTH
        self.drawn = 0

    @property
    def supply(self) -> Supply:
        """The supply that a build takes."""
        return Supply(now=lambda: self.time, random=self._random)

    def _random(self, size: int) -> bytes:
        self.drawn += 1
        return self.drawn.to_bytes(size, "big")


@pytest.fixture
def clockwork() -> Clockwork:
    return Clockwork()


def catalog_of(spec: str = SPEC) -> Catalog:
    """The catalog of a spec in which nothing is wrong."""
    linked = link(spec)
    assert [] == linked.slugs
    return linked.catalog


def tool(catalog: Catalog, name: str) -> Tool:
    """The tool of this name."""
    return {each.name: each for each in catalog.tools}[name]


def bundle(catalog: Catalog) -> Bundle:
    """The one bundle."""
    [only] = catalog.bundles
    return only


def test_what_is_absent_is_made(clockwork: Clockwork) -> None:
    catalog, lock = keep(catalog_of(), Lock(), clockwork.supply)
    subjects = [
        bundle(catalog),
        tool(catalog, "read_file"),
        tool(catalog, "count_files"),
    ]
    ids = {each.identity.id for each in subjects}
    assert 3 == len(ids) == clockwork.drawn
    for each in ids:
        value = UUID(each)
        assert (7, RFC_4122) == (value.version, value.variant)
        assert int(BIRTH.timestamp() * 1000) == value.int >> 80
    assert {"2026-01-18T05:00:00Z"} == {each.identity.created_at for each in subjects}
    assert {"2026-01-18T05:00:00Z"} == {each.identity.modified_at for each in subjects}
    assert None is tool(catalog, "loose").identity.id
    assert ({"files"}, {"read_file", "count_files"}) == (
        set(lock.bundles),
        set(lock.tools),
    )


def test_a_second_build_makes_nothing(clockwork: Clockwork) -> None:
    first, lock = keep(catalog_of(), Lock(), clockwork.supply)
    clockwork.time += timedelta(days=1)
    second, again = keep(catalog_of(), read_lock(lock.to_text()), clockwork.supply)
    assert (first, lock.to_text()) == (second, again.to_text())
    assert 3 == clockwork.drawn


def after(clockwork: Clockwork, old: str, new: str) -> tuple[Catalog, Catalog]:
    """Catalogs before and, a day later, after an edit."""
    assert old in SPEC
    first, lock = keep(catalog_of(), Lock(), clockwork.supply)
    clockwork.time += timedelta(days=1)
    second, _ = keep(catalog_of(SPEC.replace(old, new)), lock, clockwork.supply)
    return first, second


@pytest.mark.parametrize(
    ("old", "new", "moved"),
    [
        ("path: string", "path: string?", {"read_file"}),
        ("tags: [fs]", "tags: [fs, disk]", {"read_file"}),
        ("Read a file.", "Read a file of text.", {"read_file"}),
        ("SELECT count(*)", "SELECT  count(*)", {"count_files"}),
        ("returns: int", "returns: decimal", {"count_files"}),
        ("tags: [fs]", "tags: [fs]\nenabled: false", set()),
        ("name: files\n", "name: files\nisEnabled: false\n", set()),
        ("name: files\n", "name: files\ndisplayName: F\n", {"files"}),
        ("type: bundle", "# moved down a line\ntype: bundle", set()),
        ("tags: [fs]", "tags: [fs]\nversion: v2", {"read_file"}),
        ("type: sql_function", "type: sql_function\nconnection: default", set()),
    ],
)
def test_modified_moves_with_the_structure(
    clockwork: Clockwork, old: str, new: str, moved: set[str]
) -> None:
    first, second = after(clockwork, old, new)
    pairs = [
        (bundle(first), bundle(second)),
        *(
            (tool(first, name), tool(second, name))
            for name in ("read_file", "count_files")
        ),
    ]
    assert moved == {
        one.name
        for one, other in pairs
        if one.identity.modified_at != other.identity.modified_at
    }
    for one, other in pairs:
        assert one.identity.id == other.identity.id
        assert one.identity.created_at == other.identity.created_at


FETCH = """\
type: http_function
name: fetch
allowedHosts: [a.example]
request: { urlTemplate: "https://a.example/x" }
returns: int
"""
KNOWN = "a6d72ed1d5ab698e939ffe9919d856c17a2e64d6e60ac639e5dc820885bc475f"


def test_what_the_model_learnt_since_moves_no_tool_that_does_not_say_it() -> None:
    """``KNOWN`` is what lock files had before `response.strict` was a key."""
    plain, said = (
        structure_of(tool(catalog_of(FETCH + more), "fetch"))
        for more in ("response: { strict: false }", "response: { strict: true }")
    )
    assert KNOWN == plain != said


def test_a_clock_that_was_set_back_does_not_make_it_older(clockwork: Clockwork) -> None:
    _, lock = keep(catalog_of(), Lock(), clockwork.supply)
    clockwork.time -= timedelta(days=400)
    catalog, _ = keep(catalog_of(SPEC.replace("[fs]", "[x]")), lock, clockwork.supply)
    identity = tool(catalog, "read_file").identity
    assert identity.created_at == identity.modified_at == "2026-01-18T05:00:00Z"


def test_what_the_spec_says_stands(clockwork: Clockwork) -> None:
    known = "019293c8-51f1-7524-b08b-10a817d3b516"
    said = (
        f"name: files\nid: {known}\ncreatedAt: 2025-07-02T12:00:00Z\n"
        "modifiedAt: 2025-07-03T12:00:00Z\n"
    )
    catalog, lock = keep(
        catalog_of(SPEC.replace("name: files\n", said)), Lock(), clockwork.supply
    )
    identity = bundle(catalog).identity
    assert (known, "2025-07-02T12:00:00Z") == (identity.id, identity.created_at)
    assert "2025-07-03T12:00:00Z" == identity.modified_at
    assert {} == read_lock(lock.to_text()).bundles


def test_an_id_that_is_written_later_takes_the_place_of_the_kept_one(
    clockwork: Clockwork,
) -> None:
    known = "019293c8-51f1-7524-b08b-10a817d3b516"
    first, second = after(clockwork, "name: files\n", f"name: files\nid: {known}\n")
    assert known == bundle(second).identity.id != bundle(first).identity.id
    assert bundle(first).identity.created_at == bundle(second).identity.created_at


def test_what_is_gone_leaves_the_lock(clockwork: Clockwork) -> None:
    catalog, lock = keep(catalog_of(), Lock(), clockwork.supply)
    fewer = replace(catalog, tools=catalog.tools[1:])
    _, left = keep(fewer, lock, clockwork.supply)
    assert {"read_file"} == set(left.tools)


def test_the_text_of_a_lock_has_one_order(clockwork: Clockwork) -> None:
    _, lock = keep(catalog_of(), Lock(), clockwork.supply)
    turned = Lock(tools=dict(reversed(lock.tools.items())), bundles=lock.bundles)
    assert lock.to_text() == turned.to_text() == read_lock(lock.to_text()).to_text()
    assert lock.to_text().endswith("}\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it was not written by this version"),
        ('{"version": 2}', "it was not written by this version"),
        ('{"version": 1, "tools": []}', "`tools` is not an object"),
        ('{"version": 1, "tools": {"a": 1}}', "`tools/a` is not an entry"),
        ('{"version": 1, "tools": {"a": {"x": "y"}}}', "`tools/a` is not an entry"),
        (
            '{"version": 1, "tools": {"a": {"id": "3fa85f64-5717-4562-b3fc-2c963f66afa6"}}}',
            "`tools/a/id` is not what it was",
        ),
        (
            '{"version": 1, "bundles": {"a": {"createdAt": "2026-02-30T00:00:00Z"}}}',
            "`bundles/a/createdAt` is not what it was",
        ),
        (
            '{"version": 1, "bundles": {"a": {"structure": "00"}}}',
            "`bundles/a/structure` is not what it was",
        ),
        (
            '<<<<<<< HEAD\n{"version": 1}\n',
            "it is not JSON",
        ),
    ],
)
def test_a_lock_that_cannot_be_trusted_is_refused(text: str, reason: str) -> None:
    with pytest.raises(UnreadableLock) as caught:
        read_lock(text)
    assert str(caught.value).startswith(reason)


def test_the_real_supply_tells_the_time_and_never_the_same_id() -> None:
    supply = Supply()
    ids = {supply.uuid7() for _ in range(1000)}
    assert 1000 == len(ids)
    now = datetime.now(UTC)
    assert abs(now - datetime.fromisoformat(supply.time())) < timedelta(seconds=5)
    assert {7} == {UUID(each).version for each in ids}
