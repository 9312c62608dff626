"""Exceptions of calls and of settings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ..calls.results import ToolError


class Unfit(ValueError):
    """A result does not fit the declaration of its tool; the message quotes no value."""


class Refused(Exception):
    """The database refused a call. ``reason_for`` words the reason, given the names of the
    caller's arguments; ``changes``: the statement was to change something.
    """

    def __init__(
        self, reason_for: Callable[[Collection[str]], str], *, changes: bool
    ) -> None:
        super().__init__()
        self.reason_for = reason_for
        self.changes = changes


class Abandoned(Exception):
    """The caller stopped waiting; the run is rolled back."""


class Unfinished(Exception):
    """A call did not end in time, or did not even begin."""


class CommitUnknown(Exception):
    """The database did not answer a COMMIT, which may or may not have taken effect."""


class RequestFailed(Exception):
    """A request failed; ``error`` is that of the package's HTTP runtime."""

    def __init__(self, error: Any) -> None:
        super().__init__(error)
        self.error = error

    def __str__(self) -> str:
        detail = self.error.detail
        return f"{self.error.message} ({detail})" if detail else self.error.message


class Lacking(LookupError):
    """A tool cannot run; the message says what it lacks."""


class NoBaseUrl(Lacking):
    """A request has no base URL: its ``variable`` is not set. ``others`` are secrets it lacks."""

    def __init__(self, variable: str, others: tuple[str, ...]) -> None:
        super().__init__(variable, others)
        self.reason = f"there is no base URL: set {variable}"
        self.others = others

    def __str__(self) -> str:
        others = f"; there is no secret {', '.join(self.others)}" if self.others else ""
        return f"{self.reason}{others}"


class IsAsync(Lacking):
    """A function of the host program opened a connection of an async driver (``opened``)."""

    def __init__(self, opened: object) -> None:
        super().__init__("this connection is async: use AsyncService")
        self.opened = opened


class Closed(Exception):
    """The service was closed while an async handler ran."""

    def __init__(self) -> None:
        super().__init__("the service was closed while it ran")


CLOSED = "the service is closed"


class SettingsError(ValueError):
    """The settings of a service are wrong; ``settings`` lists the mistakes."""

    def __init__(self, settings: Sequence[str]) -> None:
        super().__init__(settings)
        self.settings = tuple(settings)

    def __str__(self) -> str:
        lines = [f"- {mistake}" for mistake in self.settings]
        return "\n".join(["these settings of the service are wrong:", *lines])


class ServiceError(ValueError):
    """Tools of a service cannot run; ``unavailable`` says what each lacks."""

    def __init__(self, unavailable: dict[str, str]) -> None:
        super().__init__(unavailable)
        self.unavailable = unavailable

    def __str__(self) -> str:
        lacking: dict[str, list[str]] = {}
        for name, reason in self.unavailable.items():
            lacking.setdefault(reason, []).append(name)
        lines = [f"- {', '.join(names)}: {reason}" for reason, names in lacking.items()]
        return "\n".join(
            [
                "these tools cannot run:",
                *lines,
                "Give what they lack, leave them out with only=[...], or pass partial=True.",
            ]
        )


def tool_error(
    message: str, code: str, cause: BaseException | None = None
) -> ToolError:
    """Return the error of a tool; ``message`` is what a model may read."""
    error = ToolError(message, code=code)
    error.__cause__ = cause
    return error
