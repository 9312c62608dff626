"""Compiled: the code that Python has left of modules of ours, put into one file of the cache."""

from __future__ import annotations

import marshal
import os
import sys
import time
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER, source_hash

from brimgen.stamp.answer import Question
from brimgen.stamp.digest import make_room, write_whole
from brimgen.stamp.evidence import State, packed, program, state, unsettled
from brimgen.stamp.modules import LENGTH, LOADERS, Module, Modules

MOST_PROGRAMS = 8
"""Places of the program, or Pythons, whose modules are kept: some two megabytes each."""

Place = tuple[str, str, bool]
"""Of a module: its source, where Python keeps what it compiled, whether it is a package."""

_HEAD = 16
_BY_TIME = 0
_BY_DIGEST = (1, 3)  # which Python holds against the source never, or each time


def keep(run: Modules, asked: Question, names: Iterable[str]) -> None:
    """Keep what is kept, and the modules called ``names``, which a run has imported that was
    ``asked`` something.

    All is read anew where Python has left it; what it has not compiled is left out. Nothing is
    kept where a file of the program changed since the run began, or one of them or a folder of
    compiled code may have changed within the tick of the clock. Raises `OSError`.
    """
    known, kept = asked.program, run.kept
    found = {name: place for name in names if (place := _place(name, known))}
    home = os.path.dirname(run.path)
    os.makedirs(home, mode=0o700, exist_ok=True)
    if not found or not os.access(home, os.W_OK):
        return
    places = {name: module[:3] for name, module in kept.items()} | found
    folders = _folders(asked, places)
    if folders is None:
        return
    modules: dict[str, Module] = {}
    codes: list[bytes] = []
    begin = 0
    for name, place in places.items():
        with suppress(OSError, ValueError, EOFError, TypeError, ImportError):
            code = _compiled(name, place, known[place[0]])
            if code is not None:
                modules[name] = (*place, begin, len(code), zlib.crc32(code))
                codes.append(code)
                begin += len(code)
    if modules.keys() <= kept.keys():
        return
    head = packed((run.key, known, folders, modules))
    size = len(head).to_bytes(LENGTH, "big")
    make_room(home, MOST_PROGRAMS - 1)
    write_whole(run.path, b"".join((size, head, *codes)))


def _folders(
    asked: Question, places: Mapping[str, Place]
) -> dict[str, State | None] | None:
    """The states of the folders of compiled code; None where one of them, or a file of the program,
    may still change and keep its state. Raises `OSError`.
    """
    known, moment = asked.program, time.time_ns()
    folders = {os.path.dirname(cached) for _, cached, _ in places.values()}
    states = {folder: state(folder) for folder in folders}
    if any(unsettled(each, asked.moment) for each in known.values()):
        return None
    if any(each and unsettled(each, moment) for each in states.values()):
        return None
    # It is another one, too, where a file system makes identities up whenever it is asked.
    return states if program() == known else None


def _place(name: str, known: Mapping[str, State]) -> Place | None:
    """Where a module lies, if it is one of the program, imported in Python's own way."""
    spec = getattr(sys.modules.get(name), "__spec__", None)
    if spec is None or type(spec.loader) not in LOADERS:
        return None
    if spec.origin not in known or not spec.cached:
        return None
    return spec.origin, spec.cached, spec.submodule_search_locations is not None


def _compiled(name: str, place: Place, source: State) -> bytes | None:
    """The code that Python has compiled from ``source``; None where it would do so again.

    Raises what reading and unmarshalling raise.
    """
    path, cached, _ = place
    with open(cached, "rb") as stream:
        data = stream.read()
    if not _is_of(data[:_HEAD], path, source):
        return None
    if path.encode("utf-8", "surrogatepass") in data:
        return data[_HEAD:]
    # Compiled elsewhere, as packagers do: Python corrects the place whenever it loads it.
    return marshal.dumps(SourceFileLoader(name, path).get_code(name))


def _is_of(head: bytes, path: str, source: State) -> bool:
    """Whether compiled code is that of ``source``, by the time and size that its head tells, or by
    the digest. Raises `OSError`.
    """
    kind = int.from_bytes(head[4:8], "little")
    if head[:4] != MAGIC_NUMBER or kind not in (_BY_TIME, *_BY_DIGEST):
        return False
    if kind == _BY_TIME:
        numbers = source[2] // 1_000_000_000, source[1]
        told = [(each & 0xFFFFFFFF).to_bytes(4, "little") for each in numbers]
        return head[8:] == b"".join(told)
    with open(path, "rb") as stream:
        return head[8:] == source_hash(stream.read())
