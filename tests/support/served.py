"""A generated server: asked without a protocol, or started as a process that listens."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any


def answered(server: Any, name: str, arguments: Any = None, **given: Any) -> Any:
    """What the ``mcp_server`` of a package answers to a call, with what its service is given."""
    return asyncio.run(
        offered(server, **given).call(name, arguments, _call(server, name))
    )


def offered(server: Any, **given: Any) -> Any:
    """What a server offers whose service is given so much; tools may lack what they need."""
    return server.make_offer(server.AsyncService(partial=True, **given))


def _call(server: Any, name: str) -> Any:
    return server.CallContext(name)


@contextmanager
def deployed(
    root: Path, *command: str, cwd: Path | None = None, **more: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """``python -m`` of a command that serves over HTTP, and the address that it tells.

    ``root`` holds the package, ``more`` are variables; it ends at the latest after two minutes.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(root), **more},
        stderr=subprocess.PIPE,
        text=True,
    )
    ending = Timer(120, process.kill)
    ending.start()
    try:
        yield process, said(process, "http://.*")
    finally:
        ending.cancel()
        process.kill()
        process.wait()


def said(process: subprocess.Popen[str], pattern: str) -> str:
    """What matches in the first line of the error stream that has it."""
    assert process.stderr is not None
    told = ""
    for line in process.stderr:
        told += line
        if found := re.search(pattern, line):
            return found[0]
    raise AssertionError(f"the server ended without {pattern}:\n{told}")
