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
    """One end of two pipes. What is received was sent by a process of ours, and is believed."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming, self._outgoing = incoming, outgoing

    def close(self) -> None:
        """Close this end."""
        os.close(self._incoming)
        os.close(self._outgoing)

    def send(self, value: object) -> None:
        """Hand over a value; waits until it is taken. Raises `Closed`."""
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        try:
            for part in (len(data).to_bytes(_HEAD, "little"), data):
                rest = memoryview(part)
                while rest:
                    rest = rest[os.write(self._outgoing, rest) :]
        except BrokenPipeError:
            raise Closed from None

    def receive(self) -> Any:
        """Take what the other end sends; waits for it. Raises `Closed`."""
        length = int.from_bytes(b"".join(self._read(_HEAD)), "little")
        return pickle.loads(b"".join(self._read(length)))

    def _read(self, length: int) -> Iterator[bytes]:
        while length:
            part = os.read(self._incoming, min(length, _AT_A_TIME))
            if not part:
                raise Closed
            length -= len(part)
            yield part


def channels() -> tuple[Channel, Channel]:
    """The two ends of a channel. Raises `OSError`."""
    first, second = os.pipe(), os.pipe()
    if sys.platform == "linux":
        from fcntl import F_SETPIPE_SZ, fcntl

        # Fewer turns: what is handed over last is large. Where a user has many, it stays small.
        with suppress(OSError):
            for _, outgoing in (first, second):
                fcntl(outgoing, F_SETPIPE_SZ, _ROOM)
    return Channel(first[0], second[1]), Channel(second[0], first[1])
