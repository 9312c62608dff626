"""Record: a run that found or left everything as it should be in, a stamp for the next one out."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path

from brimgen.digest import sha256
from brimgen.frozen import dataclass, field
from brimgen.stamp.answer import PLACES, Question, beside
from brimgen.stamp.digest import make_room, write_whole
from brimgen.stamp.evidence import (
    COARSE_STEP,
    NO_LINKS,
    TICK,
    Link,
    Links,
    State,
    packed,
    spec_states,
    state,
    states_in,
    sum_of,
    unsettled,
)

MOST_FILES = 96
"""Of the cache folder: stamps, and two more for each."""
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
class Next:
    """What the next run may rest on, `packed`: the baseline (`brimgen.increment`), and what is told
    of tools, whose sum it has; None where that is what it was, or where no tool may be left out.
    """

    baseline: bytes
    others: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a run ends with.

    ``texts`` are the specs by path, as they were read, ``digests`` those of young ones that were
    not. ``outputs`` are all files of ours by folder and name, the manifest included, in the states
    in which they were seen, ``digest`` tells one by its path below ``root``. Those that are
    ``written`` were in their place at ``written_at``, all others were compared after
    ``compared_at``, both in nanoseconds; ``links`` are the times that making links has given to
    the inodes of the others, which had passed at ``linked_at``, of the monotonic clock.
    ``libraries`` are those that files rest on which the run has not made. ``next`` is what the
    next run may rest on. ``absent`` are paths at which nothing may be.
    ``says`` is what each command tells when it finds all of this as it is.
    """

    texts: Mapping[str, str]
    root: Path
    outputs: dict[str, dict[str, State]]
    digest: Callable[[str], str]
    written: Collection[str]
    compared_at: int
    written_at: int
    links: Links
    linked_at: int
    absent: tuple[Path, ...]
    says: Mapping[str, str]
    digests: Mapping[str, str] = field(default_factory=dict[str, str])
    libraries: Mapping[str, State | None] = field(
        default_factory=dict[str, State | None]
    )
    next: Next | None = None


def record(asked: Question, specs: Specs, made: Made) -> None:
    """Write the stamp of a run, unless something moved while it ran."""
    young_specs = _young_specs(asked, specs, made)
    libraries = {**made.libraries, **_libraries()}
    around = {**asked.surroundings, **libraries}
    if any(
        each is not None and unsettled(each, asked.moment) for each in around.values()
    ):
        return
    absent = [str(each) for each in made.absent]
    content = (
        *(asked.key, asked.surroundings, libraries),
        *(specs.root, dict(specs.states), young_specs),
        *(str(made.root), made.outputs, _young_outputs(made), absent),
        dict(made.says),
    )
    with suppress(OSError):
        os.makedirs(asked.folder, mode=0o700, exist_ok=True)
        make_room(asked.folder, MOST_FILES - 3)
        stamp = (*content, _left(asked, made.next), made.links)
        assert len(stamp) == PLACES
        _let_the_tick_pass(made.linked_at)
        write_whole(asked.path, packed(stamp))


def _left(asked: Question, next: Next | None) -> str:
    """Leave the baseline beside the stamp; return the sum by which the stamp knows it."""
    if next is None:
        return ""
    if next.others is not None:
        write_whole(beside(asked, "others"), next.others)
    write_whole(beside(asked, "baseline"), next.baseline)
    return sum_of(next.baseline)


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


def _young_outputs(made: Made) -> dict[str, str]:
    """The digests of outputs that may have changed without another state since they were seen."""
    young: dict[str, str] = {}
    moments = (made.compared_at, made.written_at)
    only_written = len(made.written) == sum(map(len, made.outputs.values()))
    oldest = (made.written_at if only_written else min(moments)) - TICK
    for folder, files in made.outputs.items():
        for name, each in files.items():
            # Most are older: they are not looked at again.
            if each[2] >= oldest or each[2] % COARSE_STEP == 0:
                path = f"{folder}/{name}" if folder else name
                if unsettled(each, moments[path in made.written], whole=False):
                    young[path] = made.digest(path)
    return young


def states_now(
    root: Path,
    known: Mapping[str, Mapping[str, State]],
    links: Links | None = None,
) -> dict[str, dict[str, State]] | None:
    """The states that files have now; None where one is not there, or of another size."""
    states: dict[str, dict[str, State]] = {}
    for folder, files in known.items():
        try:
            path = f"{root}/{folder}".rstrip("/")
            found = states_in(path, files, links or NO_LINKS)
        except (OSError, Link):
            return None
        if {name: each[1] for name, each in found.items()} != {
            name: each[1] for name, each in files.items()
        }:
            return None
        states[folder] = found
    return states


def _let_the_tick_pass(linked_at: int) -> None:
    """Whoever changes a linked file after this run leaves a later time (see `Links`)."""
    left = linked_at + TICK - time.monotonic_ns()
    if left > 0:
        time.sleep(left / 1e9)


def _libraries() -> dict[str, State | None]:
    """The folders in which the libraries lie that outputs depend on: an upgrade shows there."""
    found: dict[str, State | None] = {}
    for name in _LIBRARIES:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is not None:
            folder = os.path.dirname(os.path.dirname(os.path.abspath(file)))
            found[folder] = state(folder)
    return found
