"""What can go wrong in a run, as exceptions, and what a model may be told of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ._package import ToolError


class Unfit(ValueError):
    """A result that does not fit what its tool declares; the text tells no value of it."""


class Refused(Exception):
    """A call that the database refused: ``reason_for`` says why, for the names of the
    caller's arguments; ``changes``: the statement was to change something.
    """

    def __init__(
        self, reason_for: Callable[[Collection[str]], str], *, changes: bool
    ) -> None:
        super().__init__()
        self.reason_for = reason_for
        self.changes = changes


class Abandoned(Exception):
    """A run whose caller waits no longer; what it did is undone."""


class IsAsync(Exception):
    """A function of the host program opened a connection of an async driver: ``opened``."""

    def __init__(self, opened: object) -> None:
        super().__init__("this connection is async: use AsyncService")
        self.opened = opened


class Unfinished(Exception):
    """A call that did not end in time, or not even begin."""


class CommitUnknown(Exception):
    """A COMMIT that the database did not answer: nobody knows whether it took effect."""


class RequestFailed(Exception):
    """A request that came to no value: ``error`` is what the package's HTTP runtime says of it."""

    def __init__(self, error: Any) -> None:
        super().__init__(error)
        self.error = error

    def __str__(self) -> str:
        detail = self.error.detail
        return f"{self.error.message} ({detail})" if detail else self.error.message


class Lacking(LookupError):
    """What a tool lacks to run."""


CLOSED = "the service is closed"


class SettingsError(ValueError):
    """Settings of a service that are wrong: ``settings`` says what, one by one."""

    def __init__(self, settings: Sequence[str]) -> None:
        super().__init__(settings)
        self.settings = tuple(settings)

    def __str__(self) -> str:
        lines = [f"- {mistake}" for mistake in self.settings]
        return "\n".join(["these settings of the service are wrong:", *lines])


class ServiceError(ValueError):
    """Tools of a service that cannot run: ``unavailable`` says what each lacks."""

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
    """Return the error of a tool, with what a model may be told of it, and its cause."""
    error = ToolError(message, code=code)
    error.__cause__ = cause
    return error
