"""Serve clients over HTTP: the streamable transport of the protocol."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, TypeAlias, cast

from ..service.endings import log_problem
from .clients import App, Running, ending_with_clients
from .ending import surviving_signals
from .options import call_host
from .sdk import sdk

Verify: TypeAlias = Callable[
    [str], Mapping[str, Any] | Awaitable[Mapping[str, Any] | None] | None
]
"""Takes a bearer token; returns its claims, None for one that is not accepted."""

_LOG = logging.getLogger(__name__)
_LOCAL = ("localhost", "127.0.0.1", "[::1]")
HEALTH = "/health"
"""The path at which a server tells everyone that it is up."""
DRAIN = 3
"""Seconds that calls have to end after a signal, where nothing is said."""
_LOOK_AGAIN = 0.02
_GRACE = 1
"""Seconds that streams have to end then."""
_MOST_CONNECTIONS = 1000
"""Those beyond are answered with 503."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """How a server is reached over HTTP.

    The server listens on ``host`` and ``port``. The headers ``Host`` and, from browsers, ``Origin``
    of a request must be allowed, so that no foreign page can reach the server by DNS rebinding.
    ``allowed_hosts`` are names with a port (``tools.example.com:8443``) or without one (any port);
    those of a loopback address are always allowed. The origins of these hosts are allowed, and
    ``allowed_origins`` (``https://app.example.com``).

    With ``verify`` every request needs a bearer token that it accepts and that has the ``scopes``.
    ``resource_url`` and ``authorization_servers`` tell clients where to get one (RFC 9728).
    ``stateless`` keeps no sessions, for several processes behind one address. A session in which no
    request is open for ``idle_timeout`` seconds ends. A client has ``client_timeout`` seconds to
    send a request, and to read each piece of its answer. After a signal the server takes no more
    requests, and those that it has may go on for ``drain`` seconds.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    path: str = "/mcp"
    allowed_hosts: Collection[str] = ()
    allowed_origins: Collection[str] = ()
    verify: Verify | None = None
    scopes: Collection[str] = ()
    resource_url: str | None = None
    authorization_servers: Collection[str] = ()
    stateless: bool = False
    idle_timeout: float = 1800.0
    client_timeout: float = 60.0
    drain: int = DRAIN

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def hosts(self) -> tuple[str, ...]:
        """The allowed values of ``Host``; ``:*`` means any port.

        Raises ValueError if the names of the server cannot be derived from its address.
        """
        named = [*self.allowed_hosts]
        if self.is_local:
            named += _LOCAL
        elif not named:
            if self.host in ("", "0.0.0.0", "::"):
                raise ValueError(
                    f"on {self.host or 'every address'} the names that clients use must be told: "
                    "allow a host"
                )
            named.append(f"[{self.host}]" if ":" in self.host else self.host)
        return tuple(
            pattern
            for host in named
            for pattern in ([host] if _has_port(host) else [host, f"{host}:*"])
        )

    @property
    def origins(self) -> tuple[str, ...]:
        """The allowed values of ``Origin``."""
        own = (f"{kind}://{host}" for kind in ("http", "https") for host in self.hosts)
        return (*own, *self.allowed_origins)


def make_app(server: Any, web: Web, running: Running | None = None) -> App:
    """Return the server as an ASGI application, which counts what is ``running``. Raises NoSdk."""
    (settings,) = sdk("mcp.server.transport_security", "TransportSecuritySettings")
    hosts, origins = list(web.hosts), list(web.origins)
    routes, metadata_url = _metadata(web)
    # Were it the path of the protocol, all tools would be reached without a token.
    if web.path.rstrip("/") != HEALTH:
        (route,) = sdk("starlette.routing", "Route")
        (response,) = sdk("starlette.responses", "PlainTextResponse")

        async def is_up(_request: Any) -> Any:
            return response("ok")

        routes.append(route(HEALTH, is_up))

    def make() -> Any:
        return server.streamable_http_app(
            streamable_http_path=web.path,
            stateless_http=web.stateless,
            session_idle_timeout=web.idle_timeout,
            transport_security=settings(allowed_hosts=hosts, allowed_origins=origins),
            custom_starlette_routes=routes,
        )

    app = ending_with_clients(
        Started(make),
        running or Running(),
        keeps_sessions=not web.stateless,
        patience=web.client_timeout,
    )
    if web.verify is None:
        return app
    protected = _require_token(app, web, web.verify, metadata_url)
    public = {route.path for route in routes}

    async def only_with_a_token(scope: Any, receive: Any, send: Any) -> None:
        is_open = scope["type"] == "lifespan" or (
            scope["type"] == "http" and _local_path(scope) in public
        )
        await (app if is_open else protected)(scope, receive, send)

    return only_with_a_token


class Started:
    """An application that is started by its host, else by its first request.

    A host that mounts it need not forward the lifespan. An application of the SDK starts once, in
    one event loop; each start has one of its own.
    """

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        loop = asyncio.get_running_loop()
        is_lifespan = scope["type"] == "lifespan"
        if is_lifespan or self._loop is not loop:
            self._loop = loop
            self._app = self._make()
            self._ready: asyncio.Future[None] = loop.create_future()
            if is_lifespan:
                self._ready.set_result(None)
            else:
                _LOG.info("the server starts with this request: no lifespan came first")
                self._running = loop.create_task(self._run(self._ready))
        try:
            await asyncio.shield(self._ready)
        except Exception:
            self._loop = None  # the next request tries again
            raise
        await self._app(scope, receive, send)

    async def _run(self, ready: asyncio.Future[None]) -> None:
        """Run until the event loop ends, which cancels this; ``ready`` tells how it started."""
        try:
            async with self._app.router.lifespan_context(self._app):
                ready.set_result(None)
                await asyncio.Event().wait()
        except Exception as problem:
            if ready.done():
                raise
            ready.set_exception(problem)


def serve_web(server: Any, web: Web) -> None:
    """Listen, and serve until a signal arrives.

    Raises OSError if the address cannot be used, and NoSdk.
    """
    config, runner = sdk("uvicorn", "Config", "Server")
    running = Running()
    app = make_app(server, web, running)
    with _open_listener(web) as listener:
        port = listener.getsockname()[1]
        host = f"[{web.host}]" if ":" in web.host else web.host
        print(
            f"listening on http://{host}:{port}{web.path}", file=sys.stderr, flush=True
        )
        settings = config(
            app,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=_GRACE,
            limit_concurrency=_MOST_CONNECTIONS,
        )
        with surviving_signals():
            _draining(runner(settings), running, web.drain).run(sockets=[listener])


def _draining(server: Any, running: Running, seconds: int) -> Any:
    """Return a server of uvicorn that lets calls end before it heeds a signal.

    Otherwise the streams of their answers would be cut at once. A second signal is heeded at once.
    """
    end = server.handle_exit

    def handle(number: int, frame: Any) -> None:
        if running.is_ending:
            end(number, frame)
            return
        running.is_ending = True
        loop = asyncio.get_running_loop()
        loop.call_soon_threadsafe(lambda: tasks.append(loop.create_task(drain(number))))

    async def drain(number: int) -> None:
        for listening in server.servers:
            listening.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while running.count:
                    await asyncio.sleep(_LOOK_AGAIN)
        end(number, None)

    tasks: list[asyncio.Task[None]] = []  # asyncio itself keeps none of them
    server.handle_exit = handle
    return server


def _open_listener(web: Web) -> socket.socket:
    family = socket.AF_INET6 if ":" in web.host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is explicit.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((web.host, web.port))
        listener.listen(2048)
    except OSError:
        listener.close()
        raise
    return listener


def _local_path(scope: Mapping[str, Any]) -> str:
    """Return the path below the place where the application is mounted."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


def _has_port(host: str) -> bool:
    return host.rpartition(":")[2].isdecimal() and not host.endswith("]")


def _metadata(web: Web) -> tuple[list[Any], Any]:
    """Return the routes that tell clients where to get a token, and the URL of the first."""
    if web.resource_url is None:
        return [], None
    make_routes, make_url = sdk(
        "mcp.server.auth.routes",
        "create_protected_resource_routes",
        "build_resource_metadata_url",
    )
    (url,) = sdk("pydantic", "AnyHttpUrl")
    routes: list[Any] = make_routes(
        resource_url=url(web.resource_url),
        authorization_servers=[url(address) for address in web.authorization_servers],
        scopes_supported=list(web.scopes) or None,
    )
    return routes, make_url(url(web.resource_url))


def _require_token(app: App, web: Web, verify: Verify, metadata_url: Any) -> App:
    (authentication,) = sdk(
        "starlette.middleware.authentication", "AuthenticationMiddleware"
    )
    backend, require = sdk(
        "mcp.server.auth.middleware.bearer_auth",
        "BearerAuthBackend",
        "RequireAuthMiddleware",
    )
    required = require(app, list(web.scopes), metadata_url)
    authenticated: App = authentication(required, backend=backend(_Verifier(verify)))
    return authenticated


class _Verifier:
    """Verifies tokens for the SDK with a function of the host program."""

    def __init__(self, verify: Verify) -> None:
        self._verify = verify

    async def verify_token(self, token: str) -> Any:
        """Return the token as the SDK has it, None for one that is not accepted."""
        try:
            verified: object = await call_host(self._verify, token)
        except Exception as problem:  # noqa: BLE001 - such a verifier lets nobody in
            log_problem(_LOG, "a token could not be verified", problem)
            return None
        if not isinstance(verified, Mapping):
            return None
        claims = dict(cast("Mapping[str, Any]", verified))
        (access_token,) = sdk("mcp.server.auth.provider", "AccessToken")
        subject, expires = claims.get("sub"), claims.get("exp")
        if "exp" in claims and not _is_ahead(expires):
            return None
        return access_token(
            token=token,
            client_id=str(claims.get("client_id", claims.get("azp", subject or ""))),
            scopes=_scopes(claims.get("scope", claims.get("scp", ()))),
            expires_at=None if expires is None else int(expires),
            subject=None if subject is None else str(subject),
            claims=claims,
        )


def _is_ahead(expires: object) -> bool:
    """Return whether a time is a finite number of seconds that has not passed (RFC 7519, 4.1.4)."""
    if isinstance(expires, bool) or not isinstance(expires, int | float):
        return False
    return time.time() < expires < float("inf")


def _scopes(written: object) -> list[str]:
    if isinstance(written, str):
        return written.split()
    if isinstance(written, list | tuple):
        return [str(scope) for scope in cast("list[object]", written)]
    return []
