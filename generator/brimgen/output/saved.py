"""A spare in which somebody was in; what was saved there given back to the output folder."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from brimgen.digest import sha256
from brimgen.output.manifest import UnreadableManifest, read_manifest
from brimgen.output.paths import MANIFEST_NAME
from brimgen.output.plan import Plan
from brimgen.output.trees import folders_of
from brimgen.output.twins import TWINS_NAME

_CACHES = "__pycache__"
"""What is in such folders is made again; one that keeps a spare alive would never be missed."""


def give_back(spare: Path, plan: Plan) -> bool:
    """Take from a spare all that is ours, and move to the root what somebody saved in it.

    What has a name that something has there, or that is to have a new file, stays in the spare.
    Returns whether anything does. Raises `OSError`.
    """
    generated = _generated(spare)
    is_left = False
    for folder, _, entries in folders_of(spare):
        for entry in entries:
            path = f"{folder}/{entry.name}".lstrip("/")
            source, target = spare / path, plan.root / path
            if entry.is_dir(follow_symlinks=False) or path == MANIFEST_NAME:
                continue
            if path == TWINS_NAME:
                source.unlink()
                continue
            is_there = os.path.lexists(target)
            is_cache = is_there and source.parent.name == _CACHES
            if is_cache or _is_ours(source, target, generated.get(path)):
                source.unlink()
            elif is_there or path in plan.puts:
                is_left = True
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.rename(source, target)
    # Last: where a run dies before, the next one still knows what is ours.
    (spare / MANIFEST_NAME).unlink(missing_ok=True)
    return is_left


def _generated(spare: Path) -> dict[str, str]:
    """The digests of the files of ours that a spare was made with."""
    with suppress(OSError, UnreadableManifest):
        manifest = read_manifest((spare / MANIFEST_NAME).read_bytes())
        return {path: each.sha256 for path, each in manifest.files.items()}
    return {}


def _is_ours(source: Path, target: Path, digest: str | None) -> bool:
    """Whether a file is the one that is in the output folder, or one that was generated."""
    found = os.lstat(source)
    with suppress(OSError):
        if os.path.samestat(found, os.lstat(target)):
            return True
    if digest is None or not stat.S_ISREG(found.st_mode):
        return False
    if found.st_nlink > 1:
        return True  # edited, but where it is linked too: an output folder was moved, or one copied
    return sha256(source.read_bytes()) == digest
