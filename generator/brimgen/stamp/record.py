"""Record: a run that found or left everything as it should be in, a stamp for the next one out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from brimgen.digest import sha256
from brimgen.frozen import dataclass, field
from brimgen.stamp.answer import PLACES, Question, baseline_path
from brimgen.stamp.digest import write_whole
from brimgen.stamp.evidence import (
    COARSE,
    Link,
    State,
    packed,
    spec_states,
    state,
    states_in,
    sum_of,
    unsettled,
)

MOST_FILES = 64
"""Of the cache folder: stamps, and a baseline for each."""
_LIBRARIES = ("click", "jinja2", "jsonschema", "markupsafe", "sqlglot", "yaml")


@dataclass(frozen=True, slots=True)
class Specs:
    """The spec files as they were just before they were read."""

    root: str
    states: Mapping[str, State]


def look_at_specs(asked: Question, root: Path) -> Specs | None:
    """The state of the specs; to be called before they are read. None where it cannot be told."""
    stamp, place = asked.stamp, str(root)
    try:
        is_known = stamp is not None and stamp[3] == place
        return Specs(place, asked.specs if is_known else spec_states(place))
    except (OSError, Link):
        return None


@dataclass(frozen=True, slots=True)
class Kept:
    """Files that a run has not read, because they are known to be as they were.

    ``states`` are those of the last stamp, by folder and name; ``digest`` tells one by its path.
    ``libraries`` are those that they rest on, wherever this run did without.
    """

    states: Mapping[str, Mapping[str, State]] = field(
        default_factory=dict[str, Mapping[str, State]]
    )
    digest: Callable[[str], str] = str
    libraries: Mapping[str, State | None] = field(
        default_factory=dict[str, State | None]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a run ends with.

    ``texts`` are the specs by path, as they were read, ``digests`` those of young ones that were
    not. ``outputs`` are size and digest of files of ours, the manifest included, by path below
    ``root``; all others are ``kept``. What is in ``carried``, or kept, was compared after
    ``compared_at``; all else was in its place at ``written_at``, both in nanoseconds.
    ``baseline`` is what the next run may rest on. ``absent`` are paths at which nothing may be.
    ``says`` is what each command tells when it finds all of this as it is.
    """

    texts: Mapping[str, str]
    root: Path
    outputs: Mapping[str, tuple[int, str]]
    carried: frozenset[str]
    compared_at: int
    written_at: int
    absent: tuple[Path, ...]
    says: Mapping[str, str]
    kept: Kept = field(default_factory=Kept)
    digests: Mapping[str, str] = field(default_factory=dict[str, str])
    baseline: object = None


def record(asked: Question, specs: Specs, made: Made) -> None:
    """Write the stamp of a run, unless something moved while it ran."""
    young_specs = _young_specs(asked, specs, made)
    libraries = {**made.kept.libraries, **_libraries()}
    outputs = _outputs(made)
    around = {**asked.surroundings, **libraries}
    if outputs is None or any(
        each is not None and unsettled(each, asked.moment) for each in around.values()
    ):
        return
    states, young_outputs = outputs
    absent = [str(each) for each in made.absent]
    content = (
        *(asked.key, asked.surroundings, libraries),
        *(specs.root, dict(specs.states), young_specs),
        *(str(made.root), states, young_outputs, absent),
        dict(made.says),
    )
    with suppress(OSError):
        os.makedirs(asked.folder, mode=0o700, exist_ok=True)
        _make_room(asked.folder)
        stamp = (*content, _left(asked, made.baseline))
        assert len(stamp) == PLACES
        write_whole(asked.path, packed(stamp))


def _left(asked: Question, baseline: object) -> str:
    """Leave the baseline beside the stamp; return the sum by which the stamp knows it."""
    if baseline is None:
        return ""
    data = packed(baseline)
    write_whole(baseline_path(asked), data)
    return sum_of(data)


def _young_specs(asked: Question, specs: Specs, made: Made) -> dict[str, str]:
    young: dict[str, str] = {}
    for path, each in specs.states.items():
        if not unsettled(each, asked.moment):
            continue
        if path in made.texts:
            young[path] = sha256(made.texts[path].encode())
        elif path in made.digests:
            young[path] = made.digests[path]
    return young


def _outputs(
    made: Made,
) -> tuple[dict[str, dict[str, State]], dict[str, str]] | None:
    """The states of all files by folder and name, and digests of those that may have changed
    since; None where one is not as it was left.
    """
    states: dict[str, dict[str, State]] = {}
    young: dict[str, str] = {}
    oldest = min(made.compared_at, made.written_at) - COARSE
    for folder, files in _by_folder(made).items():
        try:
            found = states_in(f"{made.root}/{folder}".rstrip("/"), files)
        except (OSError, Link):
            return None
        if len(found) != len(files):
            return None
        states[folder] = found
        for name, each in found.items():
            if each[1] != files[name]:
                return None
            if each[2] >= oldest:  # most are older: they are not looked at again
                path = f"{folder}/{name}" if folder else name
                if _is_young(made, path, each):
                    young[path] = _digest(made, path)
    return states, young


def _by_folder(made: Made) -> dict[str, dict[str, int]]:
    """The size of every file by folder and name."""
    files: dict[str, dict[str, int]] = {
        folder: {name: state[1] for name, state in named.items()}
        for folder, named in made.kept.states.items()
    }
    for path, (size, _) in made.outputs.items():
        folder, _, name = path.rpartition("/")
        if folder not in files:
            files[folder] = {}
            above = folder
            while above := above.rpartition("/")[0]:
                files.setdefault(above, {})
        files[folder][name] = size
    return files


def _is_young(made: Made, path: str, found: State) -> bool:
    carried = path in made.carried or path not in made.outputs
    moment = made.compared_at if carried else made.written_at
    return unsettled(found, moment, whole=False)


def _digest(made: Made, path: str) -> str:
    known = made.outputs.get(path)
    return made.kept.digest(path) if known is None else known[1]


def _libraries() -> dict[str, State | None]:
    """The folders in which the libraries lie that outputs depend on: an upgrade shows there."""
    found: dict[str, State | None] = {}
    for name in _LIBRARIES:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is not None:
            folder = os.path.dirname(os.path.dirname(os.path.abspath(file)))
            found[folder] = state(folder)
    return found


def _make_room(folder: str) -> None:
    """Remove the oldest stamps where there are many."""
    with os.scandir(folder) as entries:
        stamps = sorted((each.stat().st_mtime_ns, each.path) for each in entries)
    for _, path in stamps[: max(0, len(stamps) - MOST_FILES + 2)]:
        with suppress(OSError):
            os.unlink(path)
