"""Digest: bytes in, their SHA-256 out; OpenSSL is loaded for many bytes only.

Loading it costs a third of a start of Python, and what it is quicker by is won back after one and a
half megabytes (`docs/performance.md`). A run that builds what changed digests far less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hashlib import sha256 as _plain
else:
    try:
        from _sha2 import sha256 as _plain
    except ImportError:
        try:
            from _sha256 import sha256 as _plain  # Python 3.11
        except ImportError:
            from hashlib import sha256 as _plain

_WORTH_OPENSSL = 1 << 20


class Passing:
    """Bytes that pass, a piece at a time, and their digest once all have."""

    def __init__(self, pieces: Iterable[bytes], made: Any) -> None:
        self._pieces, self._made = pieces, made

    def __iter__(self) -> Iterator[bytes]:
        for each in self._pieces:
            self._made.update(each)
            yield each

    @property
    def digest(self) -> str:
        """The digest of what has passed, in hexadecimal digits."""
        return str(self._made.hexdigest())


class _Digests:
    """Remembers how much it was asked about."""

    def __init__(self) -> None:
        self._make = _plain
        self._seen = 0

    def __call__(self, data: bytes) -> str:
        """The digest of ``data``, in hexadecimal digits."""
        self._see(len(data))
        return self._make(data).hexdigest()

    def passing(self, pieces: Iterable[bytes], size: int) -> Passing:
        """The digest of ``pieces`` as they pass, about ``size`` bytes."""
        self._see(size)
        return Passing(pieces, self._make())

    def _see(self, size: int) -> None:
        if self._seen < _WORTH_OPENSSL:
            self._seen += size
            if self._seen >= _WORTH_OPENSSL:
                try:  # what `hashlib` hands on, without its other digests
                    from _hashlib import openssl_sha256
                except ImportError:
                    from hashlib import sha256 as openssl_sha256
                self._make = openssl_sha256


sha256 = _Digests()
"""The SHA-256 of bytes, in hexadecimal digits."""
