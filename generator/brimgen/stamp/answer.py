"""Answer: what is asked in; what a run with nothing to do says, where it is known to have none."""

from __future__ import annotations

import os
import sys
import time

from brimgen.stamp.evidence import (
    COMMANDS,
    Key,
    Link,
    State,
    cache_folder,
    key_of,
    packed,
    spec_states,
    stamp_path,
    state,
    states_in,
    surroundings,
    unpacked,
    unsettled,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PLACES = 11
"""The number of parts of a stamp; see `brimgen.stamp.record.record`."""


class Question:
    """What a process is asked, and what surrounded it when it began."""

    def __init__(self, folder: str, key: Key) -> None:
        self.folder = folder
        self.key = key
        self.moment = time.time_ns()
        self.surroundings = surroundings(key[0], key[1])

    @property
    def path(self) -> str:
        """Where the stamp of the question lies."""
        return stamp_path(self.folder, self.key)


def question(arguments: list[str]) -> Question | None:
    """What ``arguments`` ask, if it is something that a stamp can answer."""
    if not arguments or arguments[0] not in COMMANDS:
        return None
    folder, key = cache_folder(), key_of(tuple(arguments[1:]))
    if folder is None or key is None:
        return None
    try:
        return Question(folder, key)
    except OSError:
        return None


def answer(asked: Question, command: str) -> bool:
    """Say on stderr what ``command`` says when all is as it should be; False: nobody knows."""
    content = _read(asked.path)
    if content is None or len(content) != PLACES or content[0] != asked.key:
        return False
    try:
        still = _is_still(content, asked)
    except (OSError, Link):
        return False
    if not still:
        return False
    try:
        sys.stderr.write(content[10][command])
        sys.stderr.flush()
    except (OSError, ValueError):
        return False
    return True


def _read(path: str) -> Any:
    """The content of a stamp that the user has written; None where there is none to trust."""
    try:
        with open(path, "rb") as stream:
            owner = os.fstat(stream.fileno()).st_uid
            if hasattr(os, "geteuid") and owner != os.geteuid():
                return None
            return unpacked(stream.read())
    except (OSError, ValueError, EOFError, TypeError):
        return None


def _is_still(content: Any, asked: Question) -> bool:
    _, around, libraries, spec_root, specs, young_specs = content[:6]
    root, outputs, young_outputs, absent = content[6:10]
    return (
        around == asked.surroundings
        and all(state(path) == then for path, then in libraries.items())
        and spec_states(spec_root) == specs
        and not any(os.path.lexists(path) for path in absent)
        and all(
            states_in(f"{root}/{folder}".rstrip("/"), then) == then
            for folder, then in outputs.items()
        )
        and _settle(content, asked, young_specs, young_outputs)
    )


def _settle(
    content: Any, asked: Question, specs: dict[str, str], outputs: dict[str, str]
) -> bool:
    """Read what was too young to be known by its state; remember what has become old enough."""
    if not specs and not outputs:
        return True
    from brimgen.stamp.digest import digest, digest_of_text, write_whole

    def is_young(then: State) -> bool:
        return unsettled(then, asked.moment)

    def known(path: str) -> State:
        folder, _, name = path.rpartition("/")
        found: State = content[7][folder][name]
        return found

    root = os.path.join(content[6], "")
    if any(digest_of_text(path) != then for path, then in specs.items()):
        return False
    if any(digest(root + path) != then for path, then in outputs.items()):
        return False
    still = (
        {path: each for path, each in specs.items() if is_young(content[4][path])},
        {path: each for path, each in outputs.items() if is_young(known(path))},
    )
    if still != (specs, outputs):
        said = (*content[:5], still[0], *content[6:8], still[1], *content[9:])
        write_whole(asked.path, packed(said))
    return True
