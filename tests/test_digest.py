"""Digests are those of the standard library, of few bytes and of many."""

from __future__ import annotations

import hashlib
import subprocess
import sys

from brimgen.digest import _Digests, sha256

FEW = "from brimgen.digest import sha256; import sys; sha256(bytes({})); "
ASK = "sys.exit('_hashlib' in sys.modules)"


def test_of_few_and_of_many() -> None:
    digest = _Digests()
    for data in (b"", b"abc", bytes(600_000), bytes(600_000), b"x" * 70, b""):
        assert hashlib.sha256(data).hexdigest() == digest(data) == sha256(data)


def test_of_pieces_that_pass() -> None:
    digest = _Digests()
    for size in (10, 2_000_000):
        pieces = [b"a", b"", b"bc" * size]
        passing = digest.passing(iter(pieces), size)
        assert pieces == list(passing)
        assert hashlib.sha256(b"".join(pieces)).hexdigest() == passing.digest


def test_openssl_is_loaded_for_many_only() -> None:
    for size, loaded in ((1000, 0), (2_000_000, 1)):
        command = [sys.executable, "-c", FEW.format(size) + ASK]
        assert loaded == subprocess.run(command, check=False).returncode
