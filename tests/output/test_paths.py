"""Paths that no run may write to: nothing escapes."""

from __future__ import annotations

import pytest

from brimgen.diagnostics import Diagnostics, Span
from brimgen.output.paths import check_paths, leaves_root, not_portable

SPAN = Span.at_file("specs/a.yaml")


def slugs(*paths: str) -> list[str]:
    diagnostics = Diagnostics()
    check_paths([(path, SPAN) for path in paths], diagnostics)
    return [each.rule.reason for each in diagnostics]


@pytest.mark.parametrize("path", ["../a", "a/../b", "/etc/passwd", ".", "a/../../b"])
def test_a_path_that_leaves_the_root_is_refused(path: str) -> None:
    assert ["path-leaves-output"] == slugs(path)


@pytest.mark.parametrize(
    "path",
    [
        "aux",
        "python/con.py",
        "tools/NUL.input.json",
        "a/com1",
        "a/LPT9.txt",
        "a/com².txt",
        "aux .py",
        "a/b.",
        "a/b ",
        "c:/x",
        "a\\b",
        "a/b?.py",
        "a/b\n.py",
        "a/b\u202e.py",
        "a/" + "x" * 256,
        "/".join(["x" * 200] * 6),
        "manifest.json",
        "Manifest.JSON",
        ".brimgen-journal/x",
    ],
)
def test_a_path_that_some_system_cannot_hold_is_refused(path: str) -> None:
    assert ["path-not-portable"] == slugs(path)


@pytest.mark.parametrize(
    "paths",
    [
        ("a/b.py", "a/b.py"),
        ("a/Order.json", "a/order.json"),
        ("A/x", "a/x"),
        ("stra\u00dfe", "strasse"),
        ("caf\u00e9", "cafe\u0301"),
        ("a", "a/b"),
        ("a/b", "A"),
    ],
)
def test_two_files_that_are_one_somewhere_are_refused(paths: tuple[str, ...]) -> None:
    assert ["path-twice"] == slugs(*paths)


def test_two_spellings_of_a_folder_are_refused() -> None:
    """A disk that ignores case holds both files in one folder, of which one loses its name."""
    assert ["path-not-portable"] == slugs("python/tools/a.py", "Python/tools/b.py")
    assert ["path-not-portable"] == slugs("a/B/x", "a/b/c/y")


def test_ordinary_paths_are_written() -> None:
    paths = ("python/shop/tools/auxiliary.py", "sql/a.sqlite3.sql", "a/console", "b")
    assert [] == slugs(*paths)


def test_the_message_points_at_the_spec() -> None:
    diagnostics = Diagnostics()
    check_paths([("aux.json", SPAN)], diagnostics)
    (only,) = diagnostics
    assert SPAN == only.span
    assert "`aux.json` is a device on Windows" in only.message


@pytest.mark.parametrize("folder", ["", "a/", "a/b/", "é/", "../", "aux/", "x" * 600])
@pytest.mark.parametrize(
    "name",
    (
        *("", ".", "..", "a", "a.", ".a", "a.b.json", "-a", "_", "a b", "a ", "a\n"),
        *("aux", "Con.x.py", "nul", "con\u00b2", "lpt9", "lpt99", "\u00e9"),
        *("x" * 199, "x" * 256),
    ),
)
def test_what_looks_plain_is_judged_as_all_else(folder: str, name: str) -> None:
    path = folder + name
    wrong = leaves_root(path) or not_portable(path) is not None
    assert wrong == bool(slugs(path))
