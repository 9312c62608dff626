"""The plan of a run: the generated files, the state of each, and what to write and remove."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass, field
from brimgen.model.json import is_object
from brimgen.output.paths import leaves_root, not_portable


@dataclass(frozen=True, slots=True)
class Output:
    """One generated file: its path, its bytes, its target and the specs that it is made from.

    ``is_copy``: it is a file of the runtime, the same in every build.
    """

    path: str
    data: bytes
    target: str
    sources: tuple[str, ...] = ()
    is_copy: bool = False

    @property
    def span(self) -> Span:
        """The place to complain about: the first spec behind the file, or the file."""
        return Span.at_file(self.sources[0] if self.sources else self.path)


class State(StrEnum):
    """The state of a file on the disk, compared with the generated one.

    ``NEW`` was never written, ``MISSING`` was and is gone, ``CHANGED`` is ours and outdated,
    ``EDITED`` is ours and was changed by another hand, ``ORPHANED`` is ours and has no spec any
    more, ``SAME`` is as it should be.
    """

    NEW = "new"
    MISSING = "missing"
    CHANGED = "changed"
    EDITED = "edited"
    ORPHANED = "orphaned"
    SAME = "same"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The changes that a run makes to the folder ``root``.

    ``states`` has every generated file, sorted if any is reported, and ``digests`` the SHA-256 of
    each that is made, in hex. ``puts`` are the files to write, with their bytes, the manifest
    among them, and ``removes`` those to remove. ``kept`` are the edited files that stay as they
    are. ``interrupted``: an earlier run left its journal behind. ``manifest`` are the bytes of the
    manifest, new or unchanged.
    """

    root: Path
    states: Mapping[str, State]
    puts: Mapping[str, bytes]
    removes: tuple[str, ...]
    digests: Mapping[str, str] = field(default_factory=dict[str, str])
    kept: tuple[str, ...] = ()
    unmade: frozenset[str] = frozenset()
    interrupted: bool = False
    manifest: bytes = b""

    @property
    def is_clean(self) -> bool:
        """Whether the folder is up to date, with nothing edited or interrupted."""
        return not (self.puts or self.removes or self.kept or self.interrupted)

    def paths(self, state: State) -> tuple[str, ...]:
        """The generated files in ``state``, sorted."""
        return tuple(path for path, current in self.states.items() if current is state)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The options that decide which files a run may touch.

    ``version`` is written into the manifest; ``force`` overwrites edited files; ``adopt`` takes
    over a folder with files that brimgen did not write; ``targets`` restricts the run to the files
    of some targets (None: all). ``package`` is the name of the generated package ("": unknown).
    ``row_of`` gives the place in the configuration of the target of the project that writes a path;
    None for targets of brimgen.
    """

    version: str
    force: bool = False
    adopt: bool = False
    targets: frozenset[str] | None = None
    package: str = ""
    row_of: Callable[[str, str], Span | None] = lambda target, path: None

    def reaches(self, entry: Entry) -> bool:
        """Whether a file of the manifest may be touched."""
        return self.targets is None or entry.target in self.targets


FORMAT = 1
_json = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of ours: the hash of its bytes, the target that made it, the specs it rests on."""

    sha256: str
    target: str
    sources: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The entry as the manifest has it."""
        return {
            "sha256": self.sha256,
            "target": self.target,
            "sources": self.sources,
        }


@dataclass(frozen=True, slots=True)
class Manifest:
    """The files of ours, by path below the output folder, and the version that wrote them."""

    version: str
    files: Mapping[str, Entry]

    def to_text(self) -> str:
        """The manifest as JSON, one file a line, sorted: equal manifests are equal bytes."""
        body = ",\n".join(
            f"    {_json(path)}: {_json(entry.to_dict())}"
            for path, entry in sorted(self.files.items())
        )
        body = f"{{\n{body}\n  }}" if body else "{}"
        return (
            "{\n"
            f'  "brimgen": {_json(self.version)},\n'
            f'  "format": {FORMAT},\n'
            f'  "files": {body}\n'
            "}\n"
        )


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
    if not is_object(raw) or not is_object(raw.get("files")):
        raise UnreadableManifest("it is not a mapping with `files`")
    if raw.get("format") != FORMAT:
        raise UnreadableManifest("another version of brimgen wrote it")
    version = raw.get("brimgen")
    if not isinstance(version, str):
        raise UnreadableManifest("`brimgen` is not a version")
    files = {path: _entry(path, value) for path, value in raw["files"].items()}
    return Manifest(version, MappingProxyType(files))


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
