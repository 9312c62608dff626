"""A channel to another process: values in, the same values out at its other end."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from typing import Any

_HEAD = 8
_AT_A_TIME = 1 << 16


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
    return Channel(first[0], second[1]), Channel(second[0], first[1])
