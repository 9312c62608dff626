"""Bundles: who belongs to which, slugs, versions, ids (S2.3-4, S2.19-26; rows F1, F2)."""

from __future__ import annotations

import pytest

from support.linked import Linked, link

BUNDLE = "type: bundle\nname: file_tools\n"
TOOL = "type: python_function\nname: read_file\nbundle: file_tools\n"


def test_what_a_bundle_is_called() -> None:
    plain = link(BUNDLE).catalog.bundles[0]
    assert ("file_tools", "file-tools", "file_tools", True) == (
        plain.name,
        plain.slug,
        plain.display_name,
        plain.enabled,
    )
    said = link(
        f"{BUNDLE}slug: Größe-2\ndisplayName: Files\ndescription: All.\nisEnabled: false\n"
        "x-owner: me\n"
    ).catalog.bundles[0]
    assert ("Größe-2", "Files", "All.", False) == (
        said.slug,
        said.display_name,
        said.description,
        said.enabled,
    )
    assert {"x-owner": "me"} == said.extensions


def test_a_bundled_tool_has_a_slug_and_a_version() -> None:
    tool = link(BUNDLE, TOOL).tool
    assert ("file_tools", "read-file", "v1") == (tool.bundle, tool.slug, tool.version)
    loose = link("type: python_function\nname: read_file\n").tool
    assert (None, None, None) == (loose.bundle, loose.slug, loose.version)


@pytest.mark.parametrize(
    ("bundle", "own", "offered"),
    [
        ("true", "true", True),
        ("false", "true", False),
        ("true", "false", False),
        ("false", "false", False),
    ],
)
def test_a_tool_is_offered_only_if_it_and_its_bundle_are_on(
    bundle: str, own: str, offered: bool
) -> None:
    tool = link(f"{BUNDLE}isEnabled: {bundle}\n", f"{TOOL}enabled: {own}\n").tool
    assert (offered, own == "true") == (tool.enabled, tool.is_switched_on)


@pytest.mark.parametrize(
    ("slug", "sound"),
    [
        ("readfile", True),
        ("Größe-2", True),
        ("读取", True),
        ("a" * 64, True),
        ("٣", True),
        ("a_b", False),
        ("a b", False),
        ("a/b", False),
        ("a.b", False),
        ("a²", False),
        ('"a\\tb"', False),
        ("😀", False),
        ("a" * 65, False),
        ('""', False),
        ("Gro\u0308ße", False),
    ],
)
def test_a_slug_is_accepted_or_refused_as_its_readers_do(
    slug: str, sound: bool
) -> None:
    for spec in (f"{BUNDLE}slug: {slug}\n", f"{BUNDLE}---\n{TOOL}slug: {slug}\n"):
        assert ([] if sound else ["bad-slug"]) == link(spec).slugs


@pytest.mark.parametrize(
    ("version", "sound"),
    [
        ("v1.0.0", True),
        ("1.10", True),
        ("2026-01-18", True),
        ("..", False),
        ("1_0", False),
    ],
)
def test_a_version_that_is_no_part_of_a_file_name_is_refused(
    version: str, sound: bool
) -> None:
    linked = link(f"{BUNDLE}---\n{TOOL}version: {version}\n")
    assert ([] if sound else ["bad-slug"]) == linked.slugs
    if sound:
        assert version == linked.tool.version


def twice(first: str, second: str) -> Linked:
    """Two bundles; two tools of one slug with more keys each."""
    return link(
        BUNDLE,
        "type: bundle\nname: other\n",
        f"type: python_function\nname: one\nslug: same\n{first}",
        f"type: python_function\nname: two\nslug: same\n{second}",
    )


@pytest.mark.parametrize(
    ("first", "second", "slugs"),
    [
        ("bundle: other\n", "bundle: other\n", ["slug-twice"]),
        ("bundle: other\n", "bundle: file_tools\n", []),
        ("bundle: other\n", "bundle: other\nversion: v2\n", []),
        ("bundle: other\n", "bundle: other\nversion: v1\n", ["slug-twice"]),
        ("bundle: other\n", "bundle: other\nversion: V1\n", []),
        ("", "", []),
    ],
)
def test_a_slug_and_a_version_stand_once(
    first: str, second: str, slugs: list[str]
) -> None:
    linked = twice(first, second)
    assert slugs == linked.slugs
    if slugs:
        [note] = linked.only.notes
        assert ("specs/3.yaml", "specs/2.yaml") == (
            linked.only.span.file,
            note.span.file,
        )


def test_a_bundle_that_is_declared_twice() -> None:
    assert ["duplicate-name"] == link(BUNDLE, BUNDLE).slugs


def test_bundles_may_be_called_like_tools() -> None:
    spec = "type: bundle\nname: read_file\n"
    assert (
        [] == link(spec, TOOL.replace("bundle: file_tools", "bundle: read_file")).slugs
    )
