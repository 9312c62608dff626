"""Run a call, sync or async: make the request, send it, decode the response."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import TimeoutError as FutureTimeout
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ..calls.context import ContextError
from ..grammar.hosts import Host
from ..schema.errors import InputError, Violation
from ._auth import TOKENS, Tokens
from ._files import NO_FILES, Files
from ._hosts import parse_url
from ._outcome import Failed, HttpError, Result
from ._plan import CLOCK, LIMITS, Clock, Limits, Plan
from ._redact import forms, redacted
from ._request import NO_SECRETS, Request, RequestError, SecretError, Secrets
from ._steps import Course, Outcome, Send, Step, Wait
from ._transport import AsyncTransport, TimedOut, Transport, TransportError

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the host program says about calls: limits, the files that calls may name, where
    access tokens are kept (once for the process), and a clock for tests.
    """

    limits: Limits = LIMITS
    files: Files = NO_FILES
    tokens: Tokens = TOKENS
    clock: Clock = CLOCK


OPTIONS = Options()


def prepared(
    plan: Plan, make: Callable[[], Request], secrets: Secrets
) -> Request | Failed:
    """Return the request that ``make`` makes, or why there is none."""
    try:
        return make()
    except InputError as refused:
        error = _refused(plan, refused.violations, refused.told())
    except RequestError as refused:
        if refused.hidden:
            error = _not_configured(plan, refused)
        else:
            error = _refused(plan, (refused.violation,), [refused.violation.message])
    except (ContextError, SecretError) as missing:
        error = _not_configured(plan, missing)
    return Failed(redacted(error, forms(_kept(plan, secrets))))


def _refused(
    plan: Plan, violations: tuple[Violation, ...], messages: list[str]
) -> HttpError:
    """Return the error of a refused call, with status 400; ``messages`` word the violations."""
    message = f"{plan.tool} was called with invalid arguments: {'; '.join(messages)}"
    return HttpError(
        code="invalid_arguments", message=message, status=400, violations=violations
    )


def _not_configured(plan: Plan, problem: Exception) -> HttpError:
    return HttpError(
        code="not_configured",
        message=f"{plan.tool}: the host program does not give what the tool needs",
        detail=str(problem),
    )


def _with_host(plan: Plan, request: Request) -> Plan:
    """Return a plan that may call the host of its base URL, where it names no other."""
    if plan.base is None or plan.hosts:
        return plan
    target = parse_url(request.url)
    return replace(plan, hosts=(Host(target.host, target.port),))


def _kept(plan: Plan, secrets: Secrets) -> list[str]:
    """Return the secrets that nobody may read in an error."""
    kept = [secret for secret in plan.secrets if secret != plan.base]
    return [secrets[secret] for secret in kept if secrets.get(secret)]


def _steps(
    plan: Plan,
    request: Request,
    decode: Callable[[Any], T],
    secrets: Secrets,
    options: Options,
) -> Generator[Step, Outcome, Result[T]]:
    """Return the steps of the call; the first outcome that it is sent is None."""
    plan = _with_host(plan, request)
    kept = _kept(plan, secrets)
    course = Course(plan, options.limits, options.clock, kept, options.tokens)
    return course.steps(request, decode)


def run(
    plan: Plan,
    make: Callable[[], Request],
    decode: Callable[[Any], T],
    *,
    secrets: Secrets = NO_SECRETS,
    transport: Transport | None = None,
    options: Options = OPTIONS,
) -> Result[T]:
    """Make the request and return what it came to; nothing that the other side does raises."""
    request = prepared(plan, make, secrets)
    if isinstance(request, Failed):
        return request
    if transport is None:
        from ._stdlib import StdlibTransport

        transport = StdlibTransport()
    steps = _steps(plan, request, decode, secrets, options)
    outcome: Outcome = None
    with closing(steps):
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                result: Result[T] = end.value
                return result
            outcome = None
            if isinstance(step, Send):
                try:
                    outcome = transport.send(step.request, step.budget)
                except TransportError as error:
                    outcome = error
            elif isinstance(step, Wait):
                try:
                    outcome = step.flight.result(step.seconds)
                except FutureTimeout:
                    outcome = TimedOut("the token took too long")
            else:
                options.clock.sleep(step.seconds)


async def run_async(
    plan: Plan,
    make: Callable[[], Request],
    decode: Callable[[Any], T],
    *,
    secrets: Secrets = NO_SECRETS,
    transport: AsyncTransport | None = None,
    options: Options = OPTIONS,
) -> Result[T]:
    """Make the request and return what it came to; without ``transport``, in a thread."""
    request = prepared(plan, make, secrets)
    if isinstance(request, Failed):
        return request
    if transport is None:
        from ._stdlib import ThreadedTransport

        transport = ThreadedTransport()
    steps = _steps(plan, request, decode, secrets, options)
    outcome: Outcome = None
    with closing(steps):
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                result: Result[T] = end.value
                return result
            outcome = None
            if isinstance(step, Send):
                outcome = await _sent(transport, step)
            elif isinstance(step, Wait):
                outcome = await _landed(step)
            else:
                await options.clock.sleep_async(step.seconds)


async def _landed(step: Wait) -> Outcome:
    """Wait for a token; one who gives up does not stop the others."""
    import asyncio

    flight = asyncio.shield(asyncio.wrap_future(step.flight))
    try:
        return await asyncio.wait_for(flight, step.seconds)
    except TimeoutError:
        return TimedOut("the token took too long")


async def _sent(transport: AsyncTransport, step: Send) -> Outcome:
    import asyncio

    try:
        async with asyncio.timeout(step.budget.remaining()):
            return await transport.send_async(step.request, step.budget)
    except TransportError as error:
        return error
    except TimeoutError:
        return TimedOut("the answer took too long")
