"""The manifest: the files of the output folder that are generated, with their digests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias, TypeGuard

from brimgen.frozen import dataclass
from brimgen.output.paths import leaves_root, not_portable

FORMAT = 1
_json = json.JSONEncoder(ensure_ascii=False).encode

Row: TypeAlias = tuple[str, str, str, tuple[str, ...]]
"""The path of a file, and its `Entry` part by part."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of ours: the hash of its bytes, the target that made it, the specs it rests on."""

    sha256: str
    target: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """The files of ours, by path below the output folder, and the version that wrote them."""

    version: str
    files: Mapping[str, Entry]

    def to_text(self) -> str:
        """The manifest as JSON, one file a line, sorted: equal manifests are equal bytes."""
        return manifest_text(
            self.version,
            [
                (path, entry.sha256, entry.target, entry.sources)
                for path, entry in sorted(self.files.items())
            ],
        )


def manifest_text(version: str, files: Iterable[Row]) -> str:
    """`Manifest.to_text` of files that are sorted by path."""
    body = ",\n".join([_line(*file) for file in files])
    body = f"{{\n{body}\n  }}" if body else "{}"
    return (
        "{\n"
        f'  "brimgen": {_json(version)},\n'
        f'  "format": {FORMAT},\n'
        f'  "files": {body}\n'
        "}\n"
    )


def _line(path: str, digest: str, target: str, sources: tuple[str, ...]) -> str:
    entry = {"sha256": digest, "target": target, "sources": sources}
    return f"    {_json(path)}: {_json(entry)}"


EMPTY = Manifest("", MappingProxyType({}))


class UnreadableManifest(Exception):
    """The manifest on the disk was not written by brimgen; the text says why."""


def read_manifest(data: bytes) -> Manifest:
    """Read the bytes of a manifest.

    Raises `UnreadableManifest` for anything that `Manifest.to_text` does not write, above all for
    paths outside of the output folder: the manifest decides which files are removed.
    """
    try:
        raw = json.loads(data)
        if b"\\u" in data:
            _json(raw).encode()  # half of a surrogate pair is no text
    except (ValueError, RecursionError) as problem:
        if b"<<<<<<< " in data:
            unresolved = "a conflict of a merge is not resolved in it"
            raise UnreadableManifest(unresolved) from problem
        raise UnreadableManifest(f"it is not JSON ({problem})") from problem
    if not _is_object(raw) or not _is_object(raw.get("files")):
        raise UnreadableManifest("it is not a mapping with `files`")
    if raw.get("format") != FORMAT:
        raise UnreadableManifest("another version of brimgen wrote it")
    version = raw.get("brimgen")
    if not isinstance(version, str):
        raise UnreadableManifest("`brimgen` is not a version")
    files = {path: _entry(path, value) for path, value in raw["files"].items()}
    return Manifest(version, MappingProxyType(files))


def _is_object(raw: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(raw, dict)


def _entry(path: str, raw: Any) -> Entry:
    if leaves_root(path) or "\0" in path or "\\" in path:
        raise UnreadableManifest(f"{path!r} does not stay inside the output folder")
    if reason := not_portable(path):
        raise UnreadableManifest(f"{path[:80]!r} is no generated file: {reason}")
    match raw:
        case {"sha256": str(digest), "target": str(target), "sources": [*sources]}:
            return Entry(digest, target, tuple(str(source) for source in sources))
        case _:
            raise UnreadableManifest(f"the entry of {path!r} is incomplete")
