"""The steps of a call without the network: each response leads to the next step.

Sync and async calls use the same steps, so they cannot differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from ._answers import read
from ._auth import TOKENS, Flight, Grant, Tokens, authorized, read_token
from ._excerpts import excerpt
from ._hosts import UrlError, checked
from ._outcome import ErrorCode, Failed, HttpError, Ok, Result
from ._plan import Clock, Limits, Plan, Retry
from ._redact import forms, redacted
from ._redirect import RedirectError, followed, is_redirect
from ._request import Request
from ._transport import (
    AddressRefused,
    Answer,
    BadAnswer,
    Budget,
    ConnectionFailed,
    TimedOut,
    TooLarge,
    TransportError,
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Send:
    """Send a request, within a budget."""

    request: Request
    budget: Budget


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait for an access token that another call gets."""

    flight: Flight
    seconds: float


Step: TypeAlias = Send | Pause | Wait
Outcome: TypeAlias = Answer | TransportError | str | HttpError | None
"""What came of a step: an answer or why there is none; a token or why there is none; None after a
pause, and where nobody gets the token any more."""

_Exchanged: TypeAlias = Answer | TransportError | HttpError


class Course:
    """One call: its plan, its limits, its clock and when it has to be over."""

    def __init__(
        self,
        plan: Plan,
        limits: Limits,
        clock: Clock,
        secrets: Sequence[str],
        tokens: Tokens = TOKENS,
    ) -> None:
        self.plan = plan
        self.limits = limits
        self.clock = clock
        self.secrets = forms(secrets)
        self._hidden = secrets
        self._tokens = tokens
        self.end = clock.now() + limits.max_seconds
        self.attempts = 0

    def steps(
        self, request: Request, decode: Callable[[Any], T]
    ) -> Generator[Step, Outcome, Result[T]]:
        """Make the request, again where it may be, and return what it came to."""
        refused: str | None = None
        while True:
            token, sent = None, request
            if request.grant is not None:
                found = yield from self._token(request.grant, refused)
                if isinstance(found, HttpError):
                    return Failed(redacted(found, self.secrets))
                token, sent = found, authorized(request, found)
                self.secrets = forms([*self._hidden, token])
            self.attempts += 1
            outcome = yield from self._exchange(sent)
            if token and not refused and getattr(outcome, "status", None) == 401:
                refused = (
                    token  # it may have been revoked: another one is asked for, once
                )
                continue
            seconds = self._pause(request, outcome)
            if seconds is None:
                return self._result(outcome, decode)
            yield Pause(seconds)

    def _token(
        self, grant: Grant, refused: str | None
    ) -> Generator[Step, Outcome, str | HttpError]:
        """Return the access token of a grant, or why there is none.

        Of several calls at once one asks for it, and the others wait.
        """
        while True:
            remaining = min(self.plan.timeout, self.end - self.clock.now())
            found = self._tokens.take(grant, refused, self.clock.now())
            if isinstance(found, str):
                return found
            if found is None:
                break
            waited = yield Wait(found, remaining)
            if isinstance(waited, str | HttpError):
                return waited
            if isinstance(waited, TransportError):
                return self._no_token(str(waited))
        landed: str | HttpError | None = None
        said: Any = None
        try:
            checked(grant.token_url, self.plan.hosts)
            request = grant.request(self._tokens.refresh_token(grant))
            answer = yield Send(request, self._budget(remaining))
            if isinstance(answer, Answer):
                token, said, problem = read_token(answer)
                landed = token or self._no_token(problem)
            else:
                landed = self._no_token(f"{type(answer).__name__}: {answer}")
            return landed
        except UrlError as error:
            landed = self._no_token(f"the URL of the token is refused: {error}")
            return landed
        finally:
            self._tokens.land(grant, landed, said, self.clock.now())

    def _no_token(self, detail: str) -> HttpError:
        return self._error("not_configured", "there is no access token", detail=detail)

    def _exchange(self, request: Request) -> Generator[Step, Outcome, _Exchanged]:
        """One attempt, along its redirects."""
        remaining = self.end - self.clock.now()
        budget = self._budget(min(self.plan.timeout, remaining))
        for _ in range(self.limits.max_redirects + 1):
            try:
                checked(request.url, self.plan.hosts)
            except UrlError as error:
                return self._error("host_not_allowed", f"the URL is refused: {error}")
            answer = yield Send(request, budget)
            assert isinstance(answer, Answer | TransportError)
            if isinstance(answer, TransportError) or not is_redirect(answer):
                return answer
            if self.plan.is_success(answer.status):
                return answer
            try:
                request = followed(request, answer, self.plan.hosts, self.secrets)
            except RedirectError as error:
                return self._error("redirect_refused", str(error), answer.status)
        message = "there are too many redirects"
        return self._error("redirect_refused", message)

    def _budget(self, seconds: float) -> Budget:
        return Budget(
            seconds,
            self.limits.max_bytes,
            is_wanted=self.plan.is_success,
            excerpt=self._excerpt,
            now=self.clock.now,
        )

    def _excerpt(self, status: int) -> int:
        """Return how much of an answer that is an error is read."""
        is_told = status >= 400 and self.plan.on_status == "fail"
        return self.limits.max_error_bytes if is_told else 0

    def _pause(self, request: Request, outcome: _Exchanged) -> float | None:
        """Return how long to wait before the next attempt; None where there is none."""
        plan = self.plan
        if self.attempts >= plan.retry.attempts or not plan.repeats(request.method):
            return None
        answer = outcome if isinstance(outcome, Answer) else None
        if answer is not None:
            if answer.status not in plan.retry.status_codes:
                return None
            if plan.is_success(answer.status):
                return None
        elif not isinstance(outcome, ConnectionFailed):
            return None
        seconds = pause(plan.retry, self.attempts, answer, self.clock)
        return seconds if self.clock.now() + seconds < self.end else None

    def _result(self, outcome: _Exchanged, decode: Callable[[Any], T]) -> Result[T]:
        result: Result[T]
        if isinstance(outcome, HttpError):
            result = Failed(outcome)
        elif isinstance(outcome, TransportError):
            result = Failed(self._of_transport(outcome))
        elif self.plan.is_success(outcome.status):
            result = read(self.plan, outcome, decode)
        elif self.plan.on_status == "empty":
            nothing: Ok[Any] = Ok(None, None)
            return nothing
        else:
            message = f"the other side answered with status {outcome.status}"
            result = Failed(self._error("status", message, outcome.status))
        if isinstance(result, Failed):
            body = None
            if isinstance(outcome, Answer):
                body = excerpt(outcome, self.limits.max_error_bytes)
            error = replace(result.error, attempts=self.attempts, body=body)
            return Failed(redacted(error, self.secrets))
        return result

    def _of_transport(self, error: TransportError) -> HttpError:
        detail = f"{type(error).__name__}: {error}"
        match error:
            case TimedOut():
                return self._error("timeout", "the answer took too long", detail=detail)
            case TooLarge():
                message = f"the answer has more than {self.limits.max_bytes} bytes"
                return self._error("response_too_large", message, detail=detail)
            case AddressRefused():
                message = "the URL is refused: its host has a private address"
                return self._error("host_not_allowed", message, detail=detail)
            case BadAnswer():
                message = "what came back is no answer in HTTP"
                return self._error("invalid_response", message, detail=detail)
            case _:
                message = "there is no connection"
                return self._error("connection_failed", message, detail=detail)

    def _error(
        self,
        code: ErrorCode,
        message: str,
        status: int | None = None,
        *,
        detail: str | None = None,
    ) -> HttpError:
        message = f"{self.plan.tool}: {message}"
        return HttpError(code=code, message=message, status=status, detail=detail)


_SECONDS = re.compile(r"[0-9]{1,9}", re.ASCII)


def pause(retry: Retry, attempt: int, answer: Answer | None, clock: Clock) -> float:
    """Return the seconds to wait after ``attempt`` (1 is the first).

    Back-off doubles, with jitter over its upper half. What the answer asks for (``Retry-After``)
    is waited for, up to the longest pause.
    """
    doubled = retry.delay * 2.0 ** min(attempt - 1, 32)
    limit = min(retry.max_delay, doubled)
    backed_off = limit * (0.5 + clock.random() / 2)
    asked = None if answer is None else retry_after(answer, clock)
    return backed_off if asked is None else min(retry.max_delay, max(backed_off, asked))


def retry_after(answer: Answer, clock: Clock) -> float | None:
    """Return the seconds that an answer asks to wait (RFC 9110 10.2.3), if it does."""
    header = answer.header("retry-after")
    if header is None:
        return None
    if _SECONDS.fullmatch(header.strip()):
        return float(header)
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(header)
        return max(0.0, moment.timestamp() - clock.today())
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
