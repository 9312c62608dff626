"""Answer: what is asked in; what a run with nothing to do says, where it is known to have none."""

from __future__ import annotations

import os
import sys
import time

from brimgen.stamp.evidence import (
    LINKED,
    Key,
    Link,
    State,
    around,
    cache_folder,
    own_bytes,
    packed,
    program,
    spec_states,
    stamp_path,
    state,
    states_in,
    sum_of,
    unpacked,
    unsettled,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PLACES = 13
"""The number of parts of a stamp; see `brimgen.stamp.record.record`."""
_UNANSWERED = frozenset({"--force", "--help", "-h"})
_COMMANDS = ("generate", "check")


class Question:
    """What a process is asked, and what surrounded it when it began.

    The stamp and the specs are looked at once, when somebody first asks.
    """

    def __init__(self, folder: str, key: Key) -> None:
        self.folder = folder
        self.key = key
        self.moment = time.time_ns()
        self.program = program()
        self.surroundings = {**around(key[0], key[1]), **self.program}
        self._stamp: Any = None
        self._specs: dict[str, State] | None = None

    @property
    def stamp(self) -> Any:
        """The content of the stamp of the question; None where there is none to trust.

        Of what another program wrote, or another version of this one, no more is looked at than
        that it did: the states of the program's files are part of the surroundings.
        """
        if self._stamp is None:
            content = _read(self.path)
            asked = self.key, self.surroundings
            is_ours = content.__class__ is tuple and content[:2] == asked
            self._stamp = content if is_ours and len(content) == PLACES else None
        return self._stamp

    @property
    def specs(self) -> dict[str, State]:
        """The states of the specs that the stamp is about. Raises `OSError`, `Link`."""
        if self._specs is None:
            self._specs = spec_states(self.stamp[3])
        return self._specs

    @property
    def path(self) -> str:
        """Where the stamp of the question lies."""
        return stamp_path(self.folder, self.key)


def beside(asked: Question, what: str) -> str:
    """Where the ``baseline`` of the question lies, or what it says of the ``others`` of a tool
    (`brimgen.increment`).
    """
    return f"{asked.path}.{what}"


def has_baseline(asked: Question) -> bool:
    """Whether an earlier run left one, and what it made has not been removed since."""
    stamp = asked.stamp
    return (
        stamp is not None
        and os.path.isdir(stamp[6])
        and os.path.exists(beside(asked, "baseline"))
    )


def read_beside(asked: Question, what: str, known: str) -> Any:
    """The content of the user's own file `beside` whose sum is ``known``; None where there is
    none.
    """
    try:
        data = own_bytes(beside(asked, what))
    except OSError:
        return None
    return None if data is None or sum_of(data) != known else unpacked(data)


def question(arguments: list[str]) -> Question | None:
    """What ``arguments`` ask, if it is something that a stamp can answer."""
    if not arguments or arguments[0] not in _COMMANDS:
        return None
    folder, key = cache_folder(), _key_of(tuple(arguments[1:]))
    if folder is None or key is None:
        return None
    try:
        return Question(folder, key)
    except OSError:
        return None


def answer(asked: Question, command: str) -> bool:
    """Say on stderr what ``command`` says when all is as it should be; False: nobody knows."""
    content = asked.stamp
    if content is None:
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
        data = own_bytes(path)
        return None if data is None else unpacked(data)
    except (OSError, ValueError, EOFError, TypeError):
        return None


def moved(asked: Question) -> tuple[Any, dict[str, State], list[str]] | None:
    """The stamp, the specs as they are, and those that changed, came or went, where nothing else
    did; None where anything else differs.
    """
    content = asked.stamp
    if content is None:
        return None
    try:
        now = asked.specs
        then, young = content[4], content[5]
        if not _is_still_around(content, asked):
            return None
        changed = [path for path in now if now[path] != then.get(path)]
        changed += [path for path in then if path not in now]
        rest = {path: each for path, each in young.items() if path not in changed}
        changed += _differing(rest, "")
        if _differing(content[8], os.path.join(content[6], "")):
            return None
    except (OSError, Link):
        return None
    return content, now, changed


def _differing(digests: dict[str, str], root: str) -> list[str]:
    """The files, text as specs are where there is no ``root``, that have other digests."""
    if not digests:
        return []
    from brimgen.stamp.digest import digest, digest_of_text

    read = digest if root else digest_of_text
    return [path for path, then in digests.items() if read(root + path) != then]


def _is_still(content: Any, asked: Question) -> bool:
    # Specs are what changes, and few beside the outputs: they are looked at first.
    return (
        asked.specs == content[4]
        and _is_still_around(content, asked)
        and _settle(content, asked, content[5], content[8])
    )


def _is_still_around(content: Any, asked: Question) -> bool:
    """Whether all but the specs and the surroundings is as it was, as far as states tell."""
    libraries = content[2]
    root, outputs, _, absent = content[6:10]
    return (
        all(state(path) == then for path, then in libraries.items())
        and not any(os.path.lexists(path) for path in absent)
        and all(
            states_in(f"{root}/{folder}".rstrip("/"), then, content[12]) == then
            for folder, then in outputs.items()
        )
    )


def _settle(
    content: Any, asked: Question, specs: dict[str, str], outputs: dict[str, str]
) -> bool:
    """Read what was too young to be known by its state; remember what has become old enough."""
    if not specs and not outputs:
        return True
    from brimgen.stamp.digest import write_whole

    def is_young(then: State) -> bool:
        return unsettled(then, asked.moment)

    def known(path: str) -> State:
        folder, _, name = path.rpartition("/")
        found: State = content[7][folder][name]
        return (*found[:3], content[12][1]) if found[3] == LINKED else found

    if _differing(specs, "") or _differing(outputs, os.path.join(content[6], "")):
        return False
    still = (
        {path: each for path, each in specs.items() if is_young(content[4][path])},
        {path: each for path, each in outputs.items() if is_young(known(path))},
    )
    if still != (specs, outputs):
        said = (*content[:5], still[0], *content[6:8], still[1], *content[9:])
        write_whole(asked.path, packed(said))
    return True


def _key_of(options: tuple[str, ...]) -> Key | None:
    """What is asked with ``options``; None where it is nothing that a stamp can answer.

    The answer may be coloured: the options decide and the same variables as in
    `brimgen.cli.report`. In how many processes it is found decides nothing.
    """
    options = _without_jobs(options)
    if sys.stderr is None or not _UNANSWERED.isdisjoint(options):
        return None
    if any(each.startswith(("@", "--depfile", "--verify-db")) for each in options):
        return None
    colour = bool(os.environ.get("FORCE_COLOR")) or (
        sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    )
    colour = colour and not os.environ.get("NO_COLOR")
    if sys.platform == "win32" and (colour or "--color" in "\n".join(options)):
        return None
    try:
        return options, os.getcwd(), colour, sys.hexversion
    except OSError:
        return None


def _without_jobs(options: tuple[str, ...]) -> tuple[str, ...]:
    """All options but ``--jobs`` with a number; with anything else it is a mistake."""
    if "--jobs" not in "\n".join(options):
        return options
    kept: list[str] = []
    left = iter(options)
    for option in left:
        name, has_value, value = option.partition("=")
        if name == "--jobs":
            number = value if has_value else next(left, "")
            if number.isdecimal() and int(number):
                continue
            kept.append(f"--jobs={number}")
        else:
            kept.append(option)
    return tuple(kept)
