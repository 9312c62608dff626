"""Check the paths of artifacts for every system that may check them out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import PATH_LEAVES_OUTPUT, PATH_NOT_PORTABLE, PATH_TWICE

MANIFEST_NAME = "manifest.json"
JOURNAL_NAME = ".brimgen-journal"
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{name}{digit}" for name in ("com", "lpt") for digit in "0123456789¹²³"]
)
_PLAIN = re.compile(r"[A-Za-z0-9._-]+")
_FORBIDDEN = frozenset('<>:"|?*\\')
_LONGEST_NAME = 255
_LONGEST_PATH = 1024


def leaves_root(path: str) -> bool:
    """Whether ``path`` is anything but a plain relative path with ``/``."""
    return path.startswith("/") or any(
        part in ("", ".", "..") for part in path.split("/")
    )


def not_portable(path: str) -> str | None:
    """Why some system cannot hold ``path``, or None."""
    if len(path.encode(errors="surrogatepass")) > _LONGEST_PATH:
        return f"it is longer than {_LONGEST_PATH} bytes"
    for part in path.split("/"):
        if reason := part_not_portable(part):
            return reason
    if path.split("/")[0].casefold() in (MANIFEST_NAME, JOURNAL_NAME):
        return "the name is reserved for brimgen itself"
    return None


def part_not_portable(part: str) -> str | None:
    """Why some system cannot hold a file or folder called ``part``, or None."""
    if part.split(".")[0].rstrip(" ").casefold() in _DEVICES:
        return f"`{part}` is a device on Windows"
    if part.endswith((" ", ".")):
        return f"`{part}` ends in a space or a dot"
    if len(part.encode(errors="surrogatepass")) > _LONGEST_NAME:
        return f"a part of it is longer than {_LONGEST_NAME} bytes"
    if _PLAIN.fullmatch(part):
        return None
    for character in part:
        if character in _FORBIDDEN or unicodedata.category(character)[0] == "C":
            return f"it holds the character {character!a}"
    return None


def folded(path: str) -> str:
    """The form under which two paths are one file on systems that fold case or normalise."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _folders_of(folder: str) -> tuple[str, ...]:
    """``folder`` and what it lies in, the outermost first."""
    outer = folder.rpartition("/")[0]
    return (*_folders_of(outer), folder) if folder else ()


def check_paths(paths: Iterable[tuple[str, Span]], diagnostics: Diagnostics) -> None:
    """Report every path that leaves the root, is not portable, or would be written twice.

    Each path comes with the place of what it is named after. A file whose path is a folder of
    another file counts as written twice.
    """
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    spelled: dict[str, str] = {}
    for path, span in paths:
        if leaves_root(path):
            diagnostics.add(PATH_LEAVES_OUTPUT, span, path=path)
            continue
        if reason := not_portable(path):
            diagnostics.add(PATH_NOT_PORTABLE, span, path=path, reason=reason)
        key = folded(path)
        above = _folders_of(key.rpartition("/")[0])
        clash = files.get(key) or folders.get(key)
        clash = clash or next((files[outer] for outer in above if outer in files), None)
        if clash is not None:
            diagnostics.add(PATH_TWICE, span, path=path, other=clash)
        files.setdefault(key, path)
        own = _folders_of(path.rpartition("/")[0])
        for folder_key, folder in zip(above, own, strict=True):
            first = spelled.setdefault(folder_key, folder)
            if first != folder and clash is None:
                earlier = folders[folder_key]
                reason = f"some take its folder for `{first}`, where `{earlier}` is"
                diagnostics.add(PATH_NOT_PORTABLE, span, path=path, reason=reason)
                break
            folders.setdefault(folder_key, path)
