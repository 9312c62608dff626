"""Record the fingerprint of a run that left everything up to date."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from brimgen.build.cache import entry_path, private_folder, write_entry
from brimgen.build.fingerprint import KIND, Invocation
from brimgen.build.states import (
    TICK,
    Link,
    State,
    folder_states,
    is_any_young,
    is_young,
    library_states,
    module_states,
    spec_states,
    state,
    template_states,
)
from brimgen.output.paths import JOURNAL_NAME, MANIFEST_NAME

if TYPE_CHECKING:
    from pathlib import Path

    from brimgen.built import Result
    from brimgen.output.plan import File, Plan


class Recorder:
    """Takes the states of the inputs before a run, and records its fingerprint after it.

    ``lock_file`` is the lock file that the run reads; it need not exist. ``templates`` is the
    folder of templates of the project, if it has one; ``schemas`` are the files and folders that
    describe the tables of connections; ``sources`` are the patterns of the Python modules that are
    read.
    """

    def __init__(
        self,
        invocation: Invocation,
        specs: Path,
        lock_file: Path,
        *,
        templates: str | None = None,
        schemas: Sequence[str] = (),
        sources: Sequence[str] = (),
    ) -> None:
        self._invocation, self._root = invocation, str(specs)
        self._lock_file, self._template_root = str(lock_file), templates
        self._schemas, self._sources = schemas, sources
        try:
            self._specs: dict[str, State] | None = spec_states(self._root)
            self._templates = template_states(templates)
            self._modules = module_states(sources)
        except (OSError, Link):
            self._specs = None

    def record(
        self,
        result: Result,
        messages: Mapping[str, tuple[str, str]],
        colour: str,
        *,
        looked_up: Iterable[str] = (),
    ) -> None:
        """Write the fingerprint, unless something may have changed during the run.

        ``messages`` are the texts of each command that finds nothing to do, plain and coloured;
        ``colour`` is the value of ``--color``. ``looked_up`` are files, present or not, that
        affected the diagnostics.
        """
        folder, plan = private_folder(create=True), result.plan
        if folder is None or plan is None or self._specs is None:
            return
        # A lock file that this run wrote is young: the next run records it.
        beside = (self._lock_file, *self._schemas, *looked_up)
        other_states = {**library_states(), **{path: state(path) for path in beside}}
        read = {**self._specs, **self._templates, **self._modules}
        inputs = (*read.values(), *self._invocation.surroundings.values())
        if is_any_young((*inputs, *other_states.values()), self._invocation.moment):
            return
        try:
            outputs = _output_states(result, plan)
        except (OSError, Link):
            return
        if outputs is None:
            return
        value = {
            "key": self._invocation.key,
            "surroundings": self._invocation.surroundings,
            "others": other_states,
            "root": self._root,
            "specs": self._specs,
            "template_root": self._template_root,
            "templates": self._templates,
            "sources": [*self._sources],
            "modules": self._modules,
            "out": str(plan.root),
            "outputs": outputs,
            "absent": [str(plan.root / JOURNAL_NAME)],
            "messages": messages,
            "colour": colour,
        }
        write_entry(entry_path(folder, self._invocation.key, KIND), value)


def _output_states(result: Result, plan: Plan) -> dict[str, dict[str, State]] | None:
    """The states of all files of ours by folder and name, the manifest included.

    None where one may not have the content that the run compared or wrote.
    """
    if plan.puts or plan.removes:
        time.sleep(TICK / 1e9)  # whatever changes after this leaves another time
    files = {file.path: file for file in result.files}
    states: dict[str, dict[str, State]] = {}
    for folder, names in _by_folder((*files, MANIFEST_NAME)).items():
        states[folder] = folder_states(str(plan.root / folder), names)
        if states[folder].keys() != names:
            return None
        for name, file_state in states[folder].items():
            file = files.get(f"{folder}/{name}" if folder else name)
            if file is None:
                if (plan.root / MANIFEST_NAME).read_bytes() != plan.manifest:
                    return None
            elif not _is_unchanged(file, file_state, result, plan):
                return None
    return states


def _by_folder(paths: Iterable[str]) -> dict[str, set[str]]:
    """Group the names of files by folder, folders that hold only folders included."""
    folders: dict[str, set[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if folder not in folders:
            for end in (at for at, character in enumerate(folder) if character == "/"):
                folders.setdefault(folder[:end], set())
        folders.setdefault(folder, set()).add(name)
    return folders


def _is_unchanged(file: File, current: State, result: Result, plan: Plan) -> bool:
    """Whether a file, in the state that it has now, is the one that was compared or written."""
    if file.identity is None or is_young(current[2], time.time_ns()):
        return False
    # A file that was moved to its place has another time of change.
    if file.path in plan.puts:
        return _digest(plan.root / file.path) == file.sha256
    if [*file.identity] != current:
        return False
    return (
        not is_young(current[2], result.compared_at)
        or _digest(plan.root / file.path) == file.sha256
    )


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
