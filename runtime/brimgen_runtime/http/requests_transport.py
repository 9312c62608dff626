"""A transport on requests, which the host program installs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Protocol

from ._request import Request
from ._transport import Answer, BadAnswer, Budget, ConnectionFailed, TimedOut

_CHUNK = 64 * 1024


class RequestsSession(Protocol):
    """A ``requests.Session``."""

    @property
    def send(self) -> Callable[..., Any]:
        """What sends a prepared request."""
        ...


class RequestsTransport:
    """Sends requests with ``session``, a ``requests.Session`` of the host program.

    A request is prepared here and not by the session: it has no cookies, no ``.netrc`` is looked
    at, and its URL is sent as it is, where requests would decode parts of it.
    """

    def __init__(self, session: RequestsSession) -> None:
        self._session = session

    def send(self, request: Request, budget: Budget, /) -> Answer:
        """Return the answer to one request. Raises TransportError."""
        requests: Any = import_module("requests")
        faults: Any = import_module("urllib3.exceptions")
        try:
            with self._session.send(
                _prepared(requests, request),
                stream=True,
                timeout=budget.remaining(),
                allow_redirects=False,
            ) as response:
                headers = list(response.raw.headers.items())
                chunks = _chunks(response.raw)
                return budget.collect(response.status_code, headers, chunks)
        except (requests.Timeout, faults.TimeoutError):
            raise TimedOut("the answer took too long") from None
        except (requests.ConnectionError, faults.ProtocolError) as error:
            # What is no HTTP is a broken connection to requests, told by its words alone.
            kind = BadAnswer if "BadStatusLine(" in str(error) else ConnectionFailed
            raise kind(type(error).__name__) from None
        except (requests.RequestException, faults.HTTPError, ValueError) as error:
            raise BadAnswer(type(error).__name__) from None


def _chunks(raw: Any) -> Iterator[bytes]:
    # `read` and `stream` wait for a whole chunk; `read1` gives what is there.
    read = getattr(raw, "read1", raw.read)
    while chunk := read(_CHUNK, decode_content=False):
        yield chunk


def _prepared(requests: Any, request: Request) -> Any:
    prepared = requests.PreparedRequest()
    headers = {"Accept-Encoding": "identity", **dict(request.headers)}
    prepared.prepare(method=request.method, url="http://localhost/", headers=headers)
    prepared.prepare_body(request.body, None)
    prepared.url = request.url
    return prepared
