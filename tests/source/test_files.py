"""Which files are read, in which order, and what is said about those that cannot be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from brimgen.diagnostics import Diagnostic, Diagnostics
from brimgen.source.characters import is_clean, replace_refused
from brimgen.source.document import SourceFile
from brimgen.source.files import LARGEST, read_files


def _read(root: Path) -> tuple[tuple[SourceFile, ...], list[Diagnostic]]:
    diagnostics = Diagnostics()
    return read_files(root, diagnostics), list(diagnostics)


def _told(root: Path) -> list[tuple[str, str]]:
    return [(each.span.file, each.rule.reason) for each in _read(root)[1]]


@pytest.fixture
def specs(tmp_path: Path) -> Path:
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "good.yaml").write_text("a: 1\n")
    return folder


def test_files_are_sorted_by_their_stable_names(specs: Path) -> None:
    for name in ("b/z.yml", "b/a.sql", "b-c.md", "A.YAML", "b/README.md", "readme.md"):
        (specs / name).parent.mkdir(exist_ok=True)
        (specs / name).write_text("x: 1\n")
    for name in (".hidden.yaml", "b/.git/c.yaml", "notes.txt", "yaml"):
        (specs / name).parent.mkdir(exist_ok=True)
        (specs / name).write_text("x: 1\n")
    files, found = _read(specs)
    assert found == []
    assert [each.name for each in files] == [
        "specs/A.YAML",
        "specs/b-c.md",
        "specs/b/a.sql",
        "specs/b/z.yml",
        "specs/good.yaml",
    ]
    assert all(Path(each.path).samefile(specs.parent / each.name) for each in files)


def test_a_root_with_dots_has_the_name_of_its_folder(
    specs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(specs)
    for root in (Path(), Path("../specs"), Path("x/..")):
        assert [each.name for each in _read(root)[0]] == ["specs/good.yaml"]


@pytest.mark.parametrize(
    "raw",
    [
        b"a: 1\nb: 2\n",
        b"a: 1\r\nb: 2\r\n",
        b"a: 1\rb: 2\r",
        b"\xef\xbb\xbfa: 1\nb: 2\n",
        b"\xef\xbb\xbfa: 1\r\nb: 2\n",
    ],
)
def test_line_ends_and_marks_of_byte_order_do_not_show(specs: Path, raw: bytes) -> None:
    (specs / "good.yaml").write_bytes(raw)
    (file,), found = _read(specs)
    assert (file.text, found) == ("a: 1\nb: 2\n", [])


def test_letters_of_all_scripts_are_read_unchanged(specs: Path) -> None:
    text = "a: Größe 注文 👩‍💻 é\u0301 \t\u00a0x\n"
    (specs / "good.yaml").write_bytes(text.encode())
    (file,), found = _read(specs)
    assert (file.text, found) == (text, [])


@pytest.mark.parametrize(
    "character",
    [
        *"\x00\x07\x0b\x0c\x1b\x7f\x80\x85\x9f\u061c\u200e\u200f\u2028\u2029",
        *"\u202a\u202e\u2066\u2069\ufeff\ufffe\uffff\U000e0001\U000e007f",
    ],
)
def test_a_refused_character_is_told_at_its_place(specs: Path, character: str) -> None:
    (specs / "good.yaml").write_bytes(f"ä: 1\r\nb: ü{character}c\n".encode())
    (file,), (only,) = _read(specs)
    assert only.rule.reason == "refused-character"
    assert (only.span.line, only.span.column, only.span.end_column) == (2, 5, 6)
    assert f"U+{ord(character):04X}" in only.message
    assert file.text == "ä: 1\nb: ü\ufffdc\n"


def test_a_text_of_refused_characters_is_given_up(specs: Path) -> None:
    (specs / "good.yaml").write_bytes(b"\x00\x01\x02" * 1000)
    files, found = _read(specs)
    assert files == ()
    assert len(found) == 10


def test_bytes_that_are_not_utf8_are_told_at_their_place(specs: Path) -> None:
    (specs / "good.yaml").write_bytes("a: ö\r\nbä: ".encode() + b"\xe9x\n")
    files, (only,) = _read(specs)
    assert files == ()
    assert only.rule.reason == "not-utf-8"
    assert (only.span.line, only.span.column) == (2, 5)
    assert "0xE9" in only.message


def test_a_utf16_file_is_not_utf8(specs: Path) -> None:
    (specs / "good.yaml").write_bytes("a: 1\n".encode("utf-16"))
    assert _told(specs) == [("specs/good.yaml", "not-utf-8")]


def test_the_limit_is_one_mebibyte(specs: Path) -> None:
    (specs / "good.yaml").write_bytes(b"#" * LARGEST)
    assert _told(specs) == []
    (specs / "good.yaml").write_bytes(b"#" * (LARGEST + 1))
    assert _told(specs) == [("specs/good.yaml", "file-too-large")]


def test_a_missing_folder_and_a_file_for_a_folder(tmp_path: Path) -> None:
    assert _told(tmp_path / "specs") == [("specs", "specs-missing")]
    (tmp_path / "specs").write_text("a: 1\n")
    assert _told(tmp_path / "specs") == [("specs", "specs-missing")]


def test_links_may_not_leave_the_folder(specs: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.yaml").write_text("a: 1\n")
    (tmp_path / "specs-too").mkdir()
    (tmp_path / "specs-too/x.yaml").write_text("a: 1\n")
    (specs / "file.yaml").symlink_to("../outside.yaml")
    (specs / "sibling.yaml").symlink_to("../specs-too/x.yaml")
    (specs / "device.yaml").symlink_to("/dev/zero")
    (specs / "folder").symlink_to("../specs-too")
    files, _ = _read(specs)
    assert [each.name for each in files] == ["specs/good.yaml"]
    assert _told(specs) == [
        ("specs/device.yaml", "link-leaves-specs"),
        ("specs/file.yaml", "link-leaves-specs"),
        ("specs/folder", "link-leaves-specs"),
        ("specs/sibling.yaml", "link-leaves-specs"),
    ]


def test_links_inside_of_the_folder(specs: Path) -> None:
    (specs / ".data").mkdir()
    (specs / ".data/x.yaml").write_text("a: 1\n")
    (specs / "x.yaml").symlink_to(".data/x.yaml")
    (specs / "round").symlink_to(".")
    (specs / "broken.yaml").symlink_to("nothing.yaml")
    (specs / "loop.yaml").symlink_to("loop.yaml")
    files, _ = _read(specs)
    assert [each.name for each in files] == ["specs/good.yaml", "specs/x.yaml"]
    assert _told(specs) == [
        ("specs/broken.yaml", "unreadable"),
        ("specs/loop.yaml", "unreadable"),
        ("specs/round", "linked-folder"),
    ]


def test_the_folder_itself_may_be_a_link(specs: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("specs")
    files, found = _read(tmp_path / "link")
    assert ([each.name for each in files], found) == (["link/good.yaml"], [])


@pytest.mark.parametrize("name", ["a\nb.yaml", "a\u202eb.yaml", "a\udcffb.yaml"])
def test_names_that_cannot_be_printed(specs: Path, name: str) -> None:
    (specs / name).write_text("a: 1\n")
    _, (only,) = _read(specs)
    assert only.rule.reason == "file-name"
    assert only.span.file.isprintable()
    assert only.message.isprintable()


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(specs: Path) -> None:
    (specs / "good.yaml").chmod(0)
    assert _told(specs) == [("specs/good.yaml", "unreadable")]


def test_a_file_that_fails_while_it_is_read(
    specs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refuse)
    assert _told(specs) == [("specs/good.yaml", "unreadable")]


def test_folders_deeper_than_the_stack(specs: Path) -> None:
    folders = [specs]
    for _ in range(1200):
        folders.append(folders[-1] / "d")
        folders[-1].mkdir()
    (folders[-1] / "deep.yaml").write_text("a: 1\n")
    try:
        files, found = _read(specs)
    finally:
        # What removes the folder of the test recurses.
        (folders[-1] / "deep.yaml").unlink()
        for folder in reversed(folders[1:]):
            folder.rmdir()
    assert found == []
    assert [each.name.count("/") for each in files] == [1201, 1]


def test_ascii_is_clean_where_nothing_in_it_is_refused() -> None:
    assert not is_clean(b"\r")  # a line end that becomes a line feed
    for each in {*range(128)} - {13}:
        refused = replace_refused("a.yaml", chr(each), Diagnostics()) != chr(each)
        assert refused is not is_clean(bytes([each]))
