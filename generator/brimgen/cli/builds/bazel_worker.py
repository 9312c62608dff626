"""A persistent worker of Bazel: JSON requests by line, and their responses.

The protocol is that of https://bazel.build/remote/creating with ``requires-worker-protocol: json``:
a request has ``arguments``, ``inputs`` and ``requestId``, a response ``exitCode``, ``output`` and
``requestId``. Requests are answered one after the other; nothing else is written to stdout. A
request to cancel another one has no answer of its own.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from typing import Any, TextIO

FLAG = "--persistent_worker"
BAD_REQUEST = 2
_NOT_A_REQUEST = (
    ArithmeticError,
    AttributeError,
    RecursionError,
    TypeError,
    ValueError,
)


def work(
    startup: Sequence[str],
    run: Callable[[list[str]], int],
    requests: TextIO,
    responses: TextIO,
) -> None:
    """Answer every line of ``requests``: call ``run`` with the startup and request arguments."""
    for line in requests:
        if not line.strip():
            continue
        response = _answer(line, startup, run)
        if response is not None:
            responses.write(json.dumps(response) + "\n")
            responses.flush()


def _answer(
    line: str, startup: Sequence[str], run: Callable[[list[str]], int]
) -> dict[str, Any] | None:
    try:
        request = json.loads(line)
        number = int(request.get("requestId") or 0)
        arguments = [str(argument) for argument in request.get("arguments") or ()]
        folder = str(request.get("sandboxDir") or "")
    except _NOT_A_REQUEST as problem:
        return _response(BAD_REQUEST, f"not a request: {problem}\n", 0)
    if request.get("cancel"):
        # Requests do not overlap, so the cancelled one is answered already. A second response would
        # be taken for that of the next request.
        return None
    string_io = StringIO()
    try:
        with (
            _working_directory(folder),
            redirect_stdout(string_io),
            redirect_stderr(string_io),
        ):
            code = run([*startup, *arguments])
    except (OSError, ValueError) as problem:
        return _response(BAD_REQUEST, f"{problem}\n", number)
    return _response(code, string_io.getvalue(), number)


def _response(code: int, output: str, number: int) -> dict[str, Any]:
    return {"exitCode": code, "output": output, "requestId": number}


@contextmanager
def _working_directory(folder: str) -> Generator[None]:
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
    """Answer requests until stdin ends. Other output goes to stderr; other readers of stdin find
    it empty.
    """
    responses = sys.stdout
    # JSON is UTF-8 in every locale; invalid bytes must not end the worker.
    requests = TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    startup = [argument for argument in arguments if argument != FLAG]
    sys.stdin = TextIOWrapper(BytesIO(), encoding="utf-8")
    with redirect_stdout(sys.stderr):
        work(startup, run, requests, responses)
    return 0
