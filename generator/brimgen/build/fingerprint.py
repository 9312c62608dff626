"""Fingerprints: find out that nothing changed since an earlier run, and repeat its messages.

A fingerprint holds the states of everything that a run read and wrote, and the messages of
`generate` and `check` when there is nothing to do. It lies in the user's cache, never in the
project. Any difference or damage leads to an ordinary build: a fingerprint saves time and cannot
change an outcome.
"""

from __future__ import annotations

import os
import sys
import time

from brimgen.build.cache import entry_path, private_folder, read_entry
from brimgen.build.states import (
    Link,
    configuration_states,
    folder_states,
    module_states,
    program_states,
    spec_states,
    state,
    template_states,
)
from brimgen.settings.colour import has_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from brimgen.build.states import State

KIND = "fingerprint"
_COMMANDS = ("generate", "check")
_UNANSWERED = frozenset({"--force", "--adopt", "--help", "-h"})


class Invocation:
    """A command and its options, and what surrounded the process when it began."""

    def __init__(self, options: tuple[str, ...], folder: str) -> None:
        self.moment = time.time_ns()
        # The path of modules decides which libraries are imported.
        self.key = [[*options], folder, sys.version, [*map(str, sys.path)]]
        self.surroundings = {
            **configuration_states(options, folder),
            **program_states(),
        }


def invocation(arguments: list[str]) -> Invocation | None:
    """The invocation for these arguments, if a fingerprint can answer it."""
    if not arguments or arguments[0] not in _COMMANDS or sys.stderr is None:
        return None
    options = tuple(arguments[1:])
    if not _UNANSWERED.isdisjoint(options):
        return None
    if any(option.startswith(("@", "--depfile", "--verify")) for option in options):
        return None
    try:
        return Invocation(options, os.getcwd())
    except (OSError, Link):
        return None


def answer(invocation: Invocation, command: str) -> bool:
    """Repeat on stderr what an earlier run printed, if nothing changed; return whether it did."""
    folder = private_folder()
    if folder is None:
        return False
    entry = read_entry(entry_path(folder, invocation.key, KIND))
    try:
        if not _is_unchanged(entry, invocation):
            return False
        coloured = has_colour(entry["colour"])
        if coloured and sys.platform == "win32":
            return False  # terminals that know no colours are taught them by click
        text = entry["messages"][command][coloured]
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, Link, KeyError, TypeError, ValueError, AttributeError):
        return False
    return True


def _is_unchanged(entry: Any, invocation: Invocation) -> bool:
    """Return whether all that a run read and wrote is unchanged. Raises for a damaged entry."""
    if entry is None or entry["key"] != invocation.key:
        return False
    out: str = entry["out"]
    outputs: dict[str, dict[str, State]] = entry["outputs"]
    return (
        entry["surroundings"] == invocation.surroundings
        and spec_states(entry["root"]) == entry["specs"]
        and template_states(entry["template_root"]) == entry["templates"]
        and module_states(entry["sources"]) == entry["modules"]
        and all(state(path) == recorded for path, recorded in entry["others"].items())
        and not any(os.path.lexists(path) for path in entry["absent"])
        and not os.path.islink(out)
        and all(
            folder_states(os.path.join(out, folder) if folder else out, recorded)
            == recorded
            for folder, recorded in outputs.items()
        )
    )
