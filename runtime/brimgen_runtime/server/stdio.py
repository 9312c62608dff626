"""Serve one client over the standard streams, one JSON text on each line.

Unlike the transport of the SDK, this one answers unreadable messages, keeps every digit of a
decimal, can end while the client keeps its end open, and reads nothing more of a client that does
not read its answers.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import select
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from threading import Thread
from typing import Any, cast

from ..schema.errors import InputError
from ..schema.json_text import parse_json
from ..schema.json_values import escaped, is_unicode
from ..service.endings import log_problem
from .failures import INTERNAL_ERROR, PARSE_ERROR, unread
from .options import run_in_thread
from .sdk import sdk

_LOG = logging.getLogger(__name__)
_INVALID_REQUEST = -32600
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}:,]|[^"\[\]{}:,\s]+', re.DOTALL)
"""The tokens of JSON; what is none of JSON is passed, too."""
_CHUNK = 65_536
_MOST_UNSENT = 8
"""Messages that wait to be sent, before nothing more is read."""
_UNBLOCKED = 4096
"""Bytes that a writable pipe takes without blocking (512 by POSIX, 4096 on Linux)."""


async def serve_stdio(server: Any, shutdown: asyncio.Event) -> None:
    """Serve a client until it disconnects, or ``shutdown`` is set.

    Meanwhile, output that handlers print goes to stderr.
    """
    with _streams() as (source, sink):
        async with _message_streams(source, sink, shutdown) as (read, write):
            await server.run(read, write, server.create_initialization_options())


@contextmanager
def _streams() -> Generator[tuple[int, int], None, None]:
    """Reserve the standard streams for the protocol; others read nothing and write to stderr."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        yield source, sink
    finally:
        os.dup2(source, 0)
        os.dup2(sink, 1)
        os.close(nothing)
        os.close(sink)
        # `source` stays open: a thread may be reading from it until the process ends.


@asynccontextmanager
async def _message_streams(
    source: int, sink: int, shutdown: asyncio.Event
) -> AsyncGenerator[tuple[Any, Any], None]:
    """Yield the streams from which a server reads messages, and to which it writes them."""
    (make_stream,) = sdk("anyio", "create_memory_object_stream")
    incoming, read = make_stream(0)
    write, outgoing = make_stream(0)
    loop = asyncio.get_running_loop()
    answers = write.clone()
    sent = asyncio.Event()

    async def receive(line: bytes) -> None:
        while write.statistics().tasks_waiting_send >= _MOST_UNSENT:
            sent.clear()
            await sent.wait()
        if line.strip():
            message, is_answer = _message(line)
            await (answers if is_answer else incoming).send(message)

    async def hang_up() -> None:
        await incoming.aclose()
        await answers.aclose()

    async def hang_up_at_shutdown() -> None:
        await shutdown.wait()
        await hang_up()

    def read_lines() -> None:
        with suppress(Exception):  # the loop has ended, or the client is gone
            for line in _lines(source):
                asyncio.run_coroutine_threadsafe(receive(line), loop).result()
        with suppress(RuntimeError):
            asyncio.run_coroutine_threadsafe(hang_up(), loop)

    writer = asyncio.create_task(_write_all(outgoing, sink, sent))
    ending = asyncio.create_task(hang_up_at_shutdown())
    Thread(target=read_lines, name="stdin", daemon=True).start()
    try:
        yield read, write
    finally:
        ending.cancel()
        await hang_up()
        await write.aclose()
        done, _ = await asyncio.wait([writer], timeout=1)
        if not done:
            writer.cancel()


def _lines(source: int) -> Generator[bytes, None, None]:
    buffer = bytearray()
    while chunk := os.read(source, _CHUNK):
        buffer += chunk
        if b"\n" in chunk:
            *lines, rest = buffer.split(b"\n")
            yield from map(bytes, lines)
            buffer = rest
    if buffer:
        yield bytes(buffer)


def _message(line: bytes) -> tuple[Any, bool]:
    """Return the message of a line and False; for an invalid line, an error response and True."""
    (adapter,) = sdk("mcp_types", "jsonrpc_message_adapter")
    (wrapped,) = sdk("mcp.shared.message", "SessionMessage")
    try:
        written = parse_json(line.decode("utf-8"))
    except (InputError, UnicodeDecodeError) as problem:
        answer = _error(_id_of_unread(line), PARSE_ERROR, unread(problem))
        return wrapped(answer), True
    try:
        message = adapter.validate_python(written, by_name=False)
    except (ValueError, RecursionError):
        message = None
    # The SDK takes a request with an `id` of another type for a notification.
    # An id that is no Unicode cannot be sent back.
    if message is None or (
        "id" in written
        and (not hasattr(message, "id") or not is_unicode(str(written["id"])))
    ):
        answer = _error(_id_of(written), _INVALID_REQUEST, "Invalid request")
        return wrapped(answer), True
    return wrapped(message), False


def _id_of_unread(line: bytes) -> str | int | None:
    """Return the id of a request that cannot be read; None if that cannot be read, either.

    Only what stands behind the key ``id`` of the request itself is read.
    """
    depth, key, token, ids = 0, "", "", list[str]()
    for match in _TOKENS.finditer(line.decode("utf-8", "replace")):
        if depth == 1 and (key, token) == ('"id"', ":"):
            ids.append(match[0])
        key, token = token, match[0]
        depth += (token in ("{", "[")) - (token in ("}", "]"))
    try:
        (written,) = ids
        return _id_of({"id": parse_json(written)})
    except (InputError, ValueError):
        return None


def _id_of(written: Any) -> str | int | None:
    """Return the id of an invalid request; None if it has none."""
    if not isinstance(written, dict):
        return None
    request_id = cast("dict[str, Any]", written).get("id")
    is_id = isinstance(request_id, str | int) and not isinstance(request_id, bool)
    return request_id if is_id and is_unicode(str(request_id)) else None


def _error(request: str | int | None, code: int, message: str) -> Any:
    error, data = sdk("mcp_types", "JSONRPCError", "ErrorData")
    return error(jsonrpc="2.0", id=request, error=data(code=code, message=message))


async def _write_all(outgoing: Any, sink: int, sent: asyncio.Event) -> None:
    """Write all messages; each that is taken sets ``sent``."""
    writable = _Writable(sink)
    async for session_message in outgoing:
        sent.set()
        data = _line_of(session_message.message)
        try:
            if len(data) <= _UNBLOCKED and writable():
                os.write(sink, data)
            else:
                await run_in_thread(partial(_write, sink, data))
        except OSError as problem:  # the client is gone; its input ends, too
            log_problem(_LOG, "a message was not sent", problem, logging.DEBUG)


class _Writable:
    """Returns whether a pipe can be written without blocking; False if the system cannot tell."""

    def __init__(self, sink: int) -> None:
        self._poll = select.poll() if hasattr(select, "poll") else None
        if self._poll is not None:
            self._poll.register(sink, select.POLLOUT)

    def __call__(self) -> bool:
        return self._poll is not None and bool(self._poll.poll(0))


def _line_of(message: Any) -> bytes:
    """Return a message as a line; one that has no JSON becomes an error response.

    Errors quote what the client sent; half of a surrogate pair, which has no UTF-8, is escaped.
    """
    try:
        text: str = message.model_dump_json(by_alias=True, exclude_unset=True)
        return f"{text}\n".encode()
    except ValueError as problem:
        request, refused = getattr(message, "id", None), getattr(message, "error", None)
        if refused is not None:
            return _line_of(_error(request, refused.code, escaped(refused.message)))
        log_problem(_LOG, "a message could not be written", problem)
        return _line_of(_error(request, INTERNAL_ERROR, "Internal error"))


def _write(sink: int, data: bytes) -> None:
    """Write all of ``data``, however long that takes."""
    remaining = memoryview(data)
    while remaining:
        remaining = remaining[os.write(sink, remaining) :]
