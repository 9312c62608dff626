"""Check the settings of a service when it is made; report every mistake in one error."""

from __future__ import annotations

import inspect
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from threading import TIMEOUT_MAX
from typing import Any, cast

from ..grammar.rule_messages import suggestion
from .plan import Function, Plan

_LARGEST_SHOWN = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class Http:
    """The settings of HTTP tools.

    ``secrets`` are values by name; if None, environment variables of these names are used.
    ``transport`` and ``options`` are those of ``<package>.http``. With ``error_bodies`` models read
    the beginning of error responses.
    """

    secrets: Mapping[str, str] | None = None
    transport: Any = None
    options: Any = None
    error_bodies: bool = False


def secrets_of(http: Http) -> Mapping[str, str]:
    """Return the secrets of requests, by name."""
    return os.environ if http.secrets is None else http.secrets


def client_of(http: Http) -> dict[str, Any]:
    """Return the keyword arguments of a request that come from the settings."""
    client: dict[str, Any] = {"secrets": secrets_of(http)}
    if http.transport is not None:
        client["transport"] = http.transport
    if http.options is not None:
        client["options"] = http.options
    return client


def wrong_settings(plan: Plan, settings: Mapping[str, Any]) -> list[str]:
    """Return a message for each mistake in the arguments of a service."""
    return [
        *_wrong_limits(settings["timeout"], settings["max_concurrency"]),
        *_wrong_kinds(settings),
        *_wrong_names(settings["only"], plan),
        *_wrong_connections(settings["connections"], plan),
        *_wrong_handlers(settings["handlers"], plan),
        *_wrong_values(settings["values"], plan),
    ]


def _wrong_limits(timeout: Any, max_concurrency: Any) -> Iterator[str]:
    is_number = isinstance(timeout, int | float) and not isinstance(timeout, bool)
    if timeout is not None and not (is_number and 0 < timeout <= TIMEOUT_MAX):
        yield f"timeout: expected seconds above 0 or None, got {_shown(timeout)}"
    is_count = isinstance(max_concurrency, int) and not isinstance(
        max_concurrency, bool
    )
    if not is_count or max_concurrency < 1:
        yield f"max_concurrency: expected 1 or more, got {_shown(max_concurrency)}"


def _wrong_kinds(settings: Mapping[str, Any]) -> Iterator[str]:
    context: Any = settings["context"]
    http, logger = settings["http"], settings["logger"]
    is_context = callable(context) or issubclass(type(context), Mapping)
    if context is not None and not (is_context or is_dataclass(context)):
        expected = "a mapping, a dataclass or a function that returns one"
        yield f"context: expected {expected}, got {_shown(context)}"
    if not isinstance(http, Http | None):
        yield f"http: expected Http(…), got {_shown(http)}"
    for name in ("confirm", "on_call"):
        given = settings[name]
        if given is not None and not callable(given):
            yield f"{name}: expected a function, got {_shown(given)}"
    if logger is not None and not hasattr(logger, "isEnabledFor"):
        yield f"logger: expected a logging.Logger, got {_shown(logger)}"
    for name in ("log_exceptions", "read_only", "partial"):
        if not isinstance(settings[name], bool):
            yield f"{name}: expected True or False, got {_shown(settings[name])}"


def _wrong_names(only: Any, plan: Plan) -> Iterator[str]:
    if only is None:
        return
    if isinstance(only, str | bytes) or not isinstance(only, Collection):
        yield f"only: expected a list of names, got {_shown(only)}"
        return
    known = [*plan.runs, *plan.resources]
    for name in cast("Collection[object]", only):
        if name not in known:
            yield f"only: there is no tool {name}{suggestion(name, known)}"


def _wrong_connections(connections: Any, plan: Plan) -> Iterator[str]:
    if connections is None:
        return
    if not isinstance(connections, Mapping):
        yield f"connections: expected a database by name, got {_shown(connections)}"
        return
    for name in cast("Mapping[object, object]", connections):
        if name not in plan.drivers:
            names = ", ".join(plan.drivers) or "none"
            yield f"connections: there is no connection {name}; there are: {names}"


def _wrong_handlers(handlers: Any, plan: Plan) -> Iterator[str]:
    if handlers is None:
        return
    handlers = getattr(handlers, "runs", handlers)
    if not isinstance(handlers, Mapping):
        expected = "functions by tool, or the package's Handlers"
        yield f"handlers: expected {expected}, got {_shown(handlers)}"
        return
    runs = {**plan.runs, **plan.resources}
    known = [name for name, run in runs.items() if isinstance(run, Function)]
    for name, handler in cast("Mapping[object, object]", handlers).items():
        if name not in known:
            if name in plan.tools and name not in runs:
                continue  # it is not offered here
            is_other = name in runs
            reason = "needs no handler" if is_other else "is not there"
            yield f"handlers: the tool {name} {reason}{suggestion(name, known)}"
        elif not callable(handler):
            yield f"handlers: {name}: expected a function, got {_shown(handler)}"


def _wrong_values(values: Any, plan: Plan) -> Iterator[str]:
    if values is None:
        return
    if not isinstance(values, Mapping):
        yield f"values: expected values by tool, got {_shown(values)}"
        return
    for tool, arguments in cast("Mapping[str, object]", values).items():
        if tool not in plan.tools:
            yield f"values: there is no tool {tool}{suggestion(tool, plan.tools)}"
        elif not isinstance(arguments, Mapping):
            yield f"values: {tool}: expected values by argument, got {_shown(arguments)}"
        else:
            known = _hidden_arguments(plan, tool)
            for name in cast("Mapping[object, object]", arguments):
                if name not in known:
                    reason = f"there is no argument {name} with `llm: false`"
                    yield f"values: {tool}: {reason}{suggestion(name, known)}"


def _hidden_arguments(plan: Plan, tool: str) -> list[str]:
    """Return the names of the arguments that the host program supplies, as ``bind`` has them."""
    bind = cast("Any", plan.tools[tool].bound_type).bind
    return [
        name
        for name, parameter in inspect.signature(bind).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]


def _shown(value: object) -> str:
    """Return a number as text, and for everything else the type: a value may be a secret."""
    if value is None or isinstance(value, bool | float):
        return repr(value)
    if isinstance(value, int) and -_LARGEST_SHOWN < value < _LARGEST_SHOWN:
        return repr(value)
    return f"a {type(value).__name__}"
