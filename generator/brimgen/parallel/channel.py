"""A channel to another process: values in, the same values out at its other end."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

_HEAD = 8
_AT_A_TIME = 1 << 16
_ROOM = 1 << 20
"""What may be on its way at once, where the system allows it."""


class Closed(Exception):
    """The other end is closed: the process is gone, or has nothing more to say."""


class Channel:
    """One end of two pipes. What is received was sent by a process of ours, and is believed.

    Beside each pipe there may be memory, where the system has it for a name: bytes that are handed
    over as `pickle.PickleBuffer` lie there, so that they are copied once, and not through a pipe.
    """

    def __init__(
        self, incoming: int, outgoing: int, *, memory: tuple[int, int] | None = None
    ) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._memory, self._used = memory, 0

    def close(self) -> None:
        """Close this end."""
        for each in (self._incoming, self._outgoing, *(self._memory or ())):
            os.close(each)

    def send(self, value: object) -> None:
        """Hand over a value; waits until it is taken. Raises `Closed`."""
        apart: list[pickle.PickleBuffer] = []
        callback = None if self._memory is None else apart.append
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL, buffer_callback=callback)
        places = pickle.dumps([self._put(each.raw()) for each in apart])
        try:
            for part in (places, data):
                _write(self._outgoing, len(part).to_bytes(_HEAD, "little"))
                _write(self._outgoing, part)
        except BrokenPipeError:
            raise Closed from None

    def receive(self) -> Any:
        """Take what the other end sends; waits for it. Raises `Closed`."""
        places: list[tuple[int, int]] = pickle.loads(self._read_part())
        data = self._read_part()
        return pickle.loads(data, buffers=[self._bytes_at(*each) for each in places])

    def _put(self, data: memoryview) -> tuple[int, int]:
        """Lay bytes into the memory; return where they begin there, and how many they are."""
        assert self._memory is not None
        start = self._used
        _write(self._memory[1], data)
        self._used += len(data)
        return start, len(data)

    def _bytes_at(self, start: int, length: int) -> bytes:
        assert self._memory is not None
        found = bytearray()
        while len(found) < length:
            at = start + len(found)
            part = os.pread(self._memory[0], length - len(found), at)
            if len(part) == length:
                return part
            if not part:
                raise Closed
            found += part
        return bytes(found)

    def _read_part(self) -> bytes:
        length = int.from_bytes(b"".join(self._read(_HEAD)), "little")
        return b"".join(self._read(length))

    def _read(self, length: int) -> Iterator[bytes]:
        while length:
            part = os.read(self._incoming, min(length, _AT_A_TIME))
            if not part:
                raise Closed
            length -= len(part)
            yield part


def _write(handle: int, data: bytes | memoryview) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def channels() -> tuple[Channel, Channel]:
    """The two ends of a channel. Raises `OSError`."""
    if sys.platform == "linux":
        # Before the pipes: it is a file to be opened, and they may be the last there were.
        from fcntl import F_SETPIPE_SZ, fcntl
    first = os.pipe()
    try:
        second = os.pipe()
    except OSError:
        for each in first:
            os.close(each)
        raise
    here, there = Channel(first[0], second[1]), Channel(second[0], first[1])
    if sys.platform == "linux":
        # Fewer turns: what is handed over last is large. Where a user has many, it stays small.
        with suppress(OSError):
            for _, outgoing in (first, second):
                fcntl(outgoing, F_SETPIPE_SZ, _ROOM)
        memory = _memory()
        if memory is not None:
            one, other, its_one, its_other = memory
            here = Channel(first[0], second[1], memory=(one, other))
            there = Channel(second[0], first[1], memory=(its_other, its_one))
    return here, there


def _memory() -> tuple[int, int, int, int] | None:
    """Two pieces of memory, and each once more; None where the system gives less."""
    handles: list[int] = []
    try:
        for _ in range(2):
            handles.append(os.memfd_create("brimgen"))
        for each in handles[:2]:
            handles.append(os.dup(each))
        one, other, its_one, its_other = handles
    except OSError:
        for each in handles:
            os.close(each)
        return None
    return one, other, its_one, its_other
