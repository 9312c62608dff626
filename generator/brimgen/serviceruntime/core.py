"""What sync and async services share: their tools, what these lack, the steps of a call."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from time import monotonic, perf_counter
from typing import Any, ClassVar, TypeAlias

from ._package import CallContext
from .endings import UNAVAILABLE, Endings
from .errors import Lacking, RequestFailed, ServiceError, tool_error
from .outcome import Outcome
from .plan import Databases, Function, Plan, Request, Run, Statement, StatementRun
from .prepared import Prepared, handlers_by_name, imported_handler

Arguments: TypeAlias = Mapping[str, Any] | str | bytes | None
"""What a model sent: an object, or its JSON text."""

Accept: TypeAlias = Callable[[Outcome], object]
"""Looks at an outcome before anything is committed, and may raise Unfit."""

_SHOWN = 80
UNSET: Any = object()
"""Stands for what a call does not say itself: the service says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Http:
    """What HTTP tools are given.

    ``secrets`` are values by name (without: environment variables of these names); ``transport``
    and ``options`` are those of ``<package>.http``. With ``error_bodies`` models are told how an
    answer begins that is an error.
    """

    secrets: Mapping[str, str] | None = None
    transport: Any = None
    options: Any = None
    error_bodies: bool = False


class Core:
    """The tools of a package, joined with what the host program gives."""

    plan: ClassVar[Plan]
    _is_async: ClassVar[bool] = False

    def __init__(
        self,
        *,
        context: object = None,
        values: Mapping[str, Mapping[str, object]] | None = None,
        connections: Mapping[str, object] | None = None,
        http: Http | None = None,
        handlers: object = None,
        timeout: float | None = None,
        max_concurrency: int = 16,
        logger: logging.Logger | None = None,
        log_exceptions: bool = False,
        only: Collection[str] | None = None,
        read_only: bool = False,
        partial: bool = False,
    ) -> None:
        if max_concurrency < 1:
            raise ValueError(
                f"max_concurrency must be 1 or more, got {max_concurrency}"
            )
        plan = self.plan
        self._context = context
        self._values = values or {}
        self._http = http or Http()
        self._handlers = handlers_by_name(handlers)
        self._timeout = timeout
        self._max_concurrency = max_concurrency
        self._read_only = read_only
        self._endings = Endings(
            plan.package,
            logger or logging.getLogger(f"{plan.package}.service"),
            logs_exceptions=log_exceptions,
        )
        self._start()
        self._lacking: dict[str, str] = {}
        self._databases = self._opened(connections or {})
        self._prepared = self._prepare(only)
        self._callable = {
            name: each for name, each in self._prepared.items() if name in plan.runs
        }
        if self._lacking and not partial:
            raise ServiceError(self.unavailable)

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that run, by name."""
        return tuple(name for name in self.plan.runs if name in self._prepared)

    @property
    def resources(self) -> tuple[str, ...]:
        """The resources that can be read, by name."""
        return tuple(name for name in self.plan.resources if name in self._prepared)

    @property
    def prompts(self) -> tuple[str, ...]:
        """The prompts that can be rendered, by name."""
        return self.plan.prompts

    @property
    def unavailable(self) -> dict[str, str]:
        """The tools and resources that cannot run, each with what it lacks."""
        return dict(self._lacking)

    def _start(self) -> None:
        """Make what calls run with."""

    # What a service is made of

    def _opened(self, given: Mapping[str, object]) -> Databases | None:
        """Return the databases; None for a package without statements."""
        unknown = sorted({*given} - {*self.plan.drivers})
        if unknown:
            known = ", ".join(self.plan.drivers) or "none"
            raise ValueError(
                f"there is no connection {', '.join(unknown)}; there are: {known}"
            )
        if self.plan.databases is None:
            return None
        return self.plan.databases(
            self.plan, given, read_only=self._read_only, is_async=self._is_async
        )

    def _prepare(self, only: Collection[str] | None) -> dict[str, Prepared]:
        plan = self.plan
        known: dict[str, Run] = {**plan.runs, **plan.resources}
        unknown = sorted({*(only or ())} - {*known})
        if unknown:
            raise ValueError(f"there is no tool {', '.join(unknown)}")
        found: dict[str, Prepared] = {}
        for name, run in known.items():
            if only is not None and name not in only:
                continue
            lacking, handler = self._lacks(name, run)
            if lacking is not None:
                self._lacking[name] = lacking
            else:
                found[name] = Prepared(plan, name, run, handler)
        return found

    def _lacks(self, name: str, run: Run) -> tuple[str | None, Any]:
        """Return what a tool lacks (None: nothing), and the handler that runs it, if one does."""
        match run:
            case Statement(module=module):
                if self._databases is None or not self._has_module(module):
                    return "its statement was not generated: add the target sql", None
                return self._databases.lacks(run), None
            case Request(module=module, secrets=secrets):
                if not self._has_module(module):
                    return "its request was not generated: add the target http", None
                missing = [each for each in secrets if not self._secrets.get(each)]
                told = f"there is no secret {', '.join(missing)}"
                return told if missing else None, None
            case Function(handler=path):
                handler = self._handlers.get(name)
                if handler is not None:
                    return None, handler
                if path is None:
                    return "there is no handler", None
                try:
                    return None, imported_handler(path)
                except Exception as problem:  # noqa: BLE001
                    said = str(problem) or type(problem).__name__
                    return f"{path}: {said}", None

    def _has_module(self, module: str) -> bool:
        try:
            return find_spec(module, self.plan.package) is not None
        except ModuleNotFoundError:
            return False

    @property
    def _secrets(self) -> Mapping[str, str]:
        secrets = self._http.secrets
        return os.environ if secrets is None else secrets

    # The steps of a call

    def _tool(self, name: str) -> Prepared:
        """Return a tool by name. Raises ToolError for one that is not there, or cannot run."""
        found = self._callable.get(name)
        if found is not None:
            return found
        if name in self._lacking:
            cause = Lacking(self._lacking[name])
            raise tool_error(UNAVAILABLE.format(name), "unavailable", cause)
        raise tool_error(f"there is no tool {name!r:.{_SHOWN}}", "unknown_tool")

    def _ctx(self, name: str, given: CallContext | None) -> CallContext:
        """Return what a handler learns of a call, with the end of its time."""
        timeout = self._timeout
        deadline = None if timeout is None else monotonic() + timeout
        if given is None:
            return CallContext(name, deadline=deadline)
        if deadline is not None and (
            given.deadline is None or given.deadline > deadline
        ):
            given.deadline = deadline
        return given

    def _bound(self, prepared: Any, call: Any, context: object) -> Any:
        """Join a call with what is hidden from its caller."""
        values = self._values.get(prepared.name)
        if values:
            return prepared.bind(call, context, **values)
        return prepared.bind(call, context)

    def _bound_prompt(self, prompt: Any, call: Any, context: object) -> Any:
        values = self._values.get(prompt.name, {})
        return prompt.bound_type.bind(call, context, **values)

    def _resource(self, name: str) -> Prepared:
        """Return a resource by name. Raises ToolError for one that cannot be read."""
        found = self._prepared.get(name)
        if found is None:
            cause = Lacking(self._lacking.get(name, ""))
            raise tool_error(UNAVAILABLE.format(name), "unavailable", cause)
        return found

    def _started(
        self,
        prepared: Prepared,
        run: Statement,
        bound: Any,
        accept: Accept | None,
    ) -> StatementRun:
        """Return the statement of a call, which is answered before anything is committed."""
        assert self._databases is not None
        return self._databases.start(
            run, bound, lambda value: accepted(prepared.finished(value), accept)
        )

    def _client(self) -> dict[str, Any]:
        """Return the keyword arguments of a request that the host program decides."""
        client: dict[str, Any] = {"secrets": self._secrets}
        if self._http.transport is not None:
            client["transport"] = self._http.transport
        if self._http.options is not None:
            client["options"] = self._http.options
        return client

    def _request(self, run: Request) -> Any:
        return import_module(run.module, self.plan.package)

    def _answered(
        self, prepared: Prepared, result: Any, accept: Accept | None
    ) -> Outcome:
        """Return the outcome of a request. Raises RequestFailed."""
        if not result.ok:
            raise RequestFailed(result.error)
        return accepted(prepared.finished(result.json, is_checked=True), accept)

    def _failed(
        self, name: str, problem: Exception, prepared: Prepared | None
    ) -> Outcome:
        tool = None if prepared is None else prepared.tool
        return self._endings.of(name, problem, tool, tells_body=self._http.error_bodies)

    def _logged(self, name: str, started: float, outcome: Outcome) -> Outcome:
        self._endings.ended(name, perf_counter() - started, outcome)
        return outcome


def accepted(outcome: Outcome, accept: Accept | None) -> Outcome:
    if accept is not None:
        accept(outcome)
    return outcome
