"""A persistent worker of Bazel: requests, a line of JSON each, in; responses out.

The protocol is that of https://bazel.build/remote/creating with ``requires-worker-protocol: json``:
a request has ``arguments``, ``inputs`` and ``requestId``, a response ``exitCode``, ``output`` and
``requestId``. Requests are answered one after the other; nothing else is written to stdout.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any, TextIO

FLAG = "--persistent_worker"
BAD_REQUEST = 2


def work(
    startup: Sequence[str],
    run: Callable[[list[str]], int],
    requests: TextIO,
    responses: TextIO,
) -> None:
    """Answer every line of ``requests``: ``run`` is given the startup arguments and those of it."""
    for line in requests:
        if not line.strip():
            continue
        response = _answer(line, startup, run)
        responses.write(json.dumps(response) + "\n")
        responses.flush()


def _answer(
    line: str, startup: Sequence[str], run: Callable[[list[str]], int]
) -> dict[str, Any]:
    try:
        request = json.loads(line)
        number = int(request.get("requestId", 0))
        arguments = [str(each) for each in request.get("arguments", ())]
        folder = str(request.get("sandboxDir", ""))
    except (ValueError, TypeError, AttributeError, RecursionError) as problem:
        return _response(BAD_REQUEST, f"not a request: {problem}\n", 0)
    if request.get("cancel"):
        # Whatever it was about is answered already: requests do not overlap.
        return {"requestId": number, "wasCancelled": True}
    said = StringIO()
    try:
        with _standing_in(folder), redirect_stdout(said), redirect_stderr(said):
            code = run([*startup, *arguments])
    except OSError as problem:
        return _response(BAD_REQUEST, f"{problem}\n", number)
    return _response(code, said.getvalue(), number)


def _response(code: int, output: str, number: int) -> dict[str, Any]:
    return {"exitCode": code, "output": output, "requestId": number}


@contextmanager
def _standing_in(folder: str) -> Generator[None]:
    if not folder:
        yield
        return
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def serve(arguments: Sequence[str], run: Callable[[list[str]], int]) -> int:
    """Be a worker until stdin ends; what is printed by mistake goes to stderr."""
    responses = sys.stdout
    startup = [each for each in arguments if each != FLAG]
    with redirect_stdout(sys.stderr):
        work(startup, run, sys.stdin, responses)
    return 0
