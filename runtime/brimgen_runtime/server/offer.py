"""Answer requests of the protocol with a service, independently of the SDK."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Any, TypeAlias

from ..calls.aliases import own_names, with_aliases
from ..calls.call_context import CallContext
from ..calls.context import ContextError
from ..calls.results import ToolError
from ..schema.errors import InputError
from ..service.async_service import AsyncService
from ..service.endings import log_problem
from ..service.errors import Unfit
from ..service.guards import Confirm, Confirmation
from ..service.outcome import Outcome
from .answers import Result, call_result, contents, error_result, messages, with_files
from .completion import completion, values_of
from .failures import Refusal
from .lists import Lists
from .options import Identity, Options, call_host

Ask: TypeAlias = Callable[[Confirmation], Awaitable[bool | Result | None]]
"""Asks the user of a client: returns the answer, None if the client cannot ask, or the result that
makes the client ask and call again."""

_LOG = logging.getLogger(__name__)
_FAILED = "{} failed. The reason is in the log."


class Offer:
    """What a server offers: the tools of a service, its resources and prompts.

    ``places`` is the number of calls of one HTTP client that run at once.
    ``identity`` has the title, version and instructions of the project, which the options may
    replace; ``wrapped`` are the tools whose results are no objects. Raises RuntimeError if the
    package lacks its lists.
    """

    def __init__(
        self,
        service: AsyncService,
        options: Options | None = None,
        *,
        identity: Identity | None = None,
        wrapped: Collection[str] = (),
    ) -> None:
        self.service = service
        self.options = options or Options()
        self.identity = _chosen_identity(self.options, identity or Identity())
        self.package: str = service.plan.package
        self.lists = Lists(self.package)
        lacking = () if self.options.available_only else service.unavailable
        self.lists.keep({*service.tools, *lacking})
        self.places = self.options.max_per_session or max(
            1, service.max_concurrency // 2
        )
        self._listed = {str(tool["name"]) for tool in self.lists.tools}
        self._wrapped = frozenset(wrapped)

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | None,
        call: CallContext,
        ask: Ask | None = None,
    ) -> Result:
        """Return the result of a call, or the result by which ``ask`` asks before it.

        Raises Refusal for a tool that is not listed.
        """
        if name not in self._listed:
            raise Refusal.unknown("tool", name)
        wraps = name in self._wrapped
        results: list[Result] = []

        def accept(outcome: Outcome) -> None:
            # A value that cannot be sent must be refused before anything is committed.
            results.append(call_result(outcome, wraps=wraps))

        aliases = self.service.plan.aliases.get(name)
        arguments = own_names(arguments, aliases)
        confirm: Confirm | None = None
        asked = self.service.confirmation(name, arguments) if ask else None
        if ask is not None and asked is not None:
            answer = await ask(asked)
            if isinstance(answer, dict):
                return answer
            confirm = (lambda _: answer) if answer is not None else None
        outcome = await self.service.outcome(
            name, arguments, call_context=call, accept=accept, confirm=confirm
        )
        if isinstance(outcome.error, InputError):
            return error_result(with_aliases(outcome.text, aliases))
        if outcome.is_error:
            return error_result(outcome.text)
        try:
            return with_files(outcome, results[0], call.attachments)
        except Unfit as problem:
            log_problem(_LOG, f"{name} attached what cannot be sent", problem)
            return error_result(_FAILED.format(name))

    async def read(self, uri: str, call: CallContext) -> Result:
        """Return the contents of a resource.

        Raises Refusal for an unknown URI, and if the resource cannot be read.
        """
        try:
            return contents(await self.service.read(uri, call_context=call))
        except ToolError as error:
            if error.code == "unknown_resource":
                raise Refusal(str(error), "resource", uri) from None
            if error.code == "not_found":
                raise Refusal.no_resource(uri) from None
            raise Refusal(str(error), "server") from None
        except (ContextError, InputError, Unfit) as error:
            raise self._refusal("The resource", error) from None

    async def prompt(
        self, name: str, arguments: Mapping[str, str] | None, call: CallContext
    ) -> Result:
        """Return the messages of a prompt; its arguments are strings.

        Raises Refusal for an unknown prompt and for invalid arguments.
        """
        described = self.lists.prompt(name)
        if described is None:
            raise Refusal.unknown("prompt", name)
        try:
            rendered = await self.service.prompt(
                name, arguments, call_context=call, as_texts=True
            )
            return messages(described.get("description"), rendered)
        except InputError as error:
            raise Refusal(error.retry_message()) from None
        except ToolError as error:
            raise Refusal(str(error), "server") from None
        except (ContextError, Unfit) as error:
            raise self._refusal(name, error) from None

    def _refusal(self, name: str, error: Exception) -> Refusal:
        if isinstance(error, ContextError):
            return Refusal(f"{name} is not available to you.", "server")
        log_problem(_LOG, f"{name} holds what cannot be sent", error)
        return Refusal(_FAILED.format(name), "server")

    async def complete(
        self, name: str, argument: str, typed: str, arguments: Mapping[str, str]
    ) -> Result:
        """Return values for an argument of a prompt or resource that begin with ``typed``.

        Raises Refusal for an unknown prompt, resource or argument.
        """
        if self.lists.prompt(name) is None and self.lists.resource(name) is None:
            raise Refusal.unknown("prompt", name)
        tools = self.service.plan.tools
        schema: Mapping[str, Any] = tools[name].input_schema if name in tools else {}
        if argument not in schema.get("properties", {}):
            raise Refusal.unknown(f"argument of {name}", argument)
        suggest = self.options.suggest.get(name)
        if suggest is not None:
            try:
                values: Iterable[str] | None = await call_host(
                    suggest, argument, typed, arguments
                )
            except Exception as problem:  # noqa: BLE001
                log_problem(_LOG, f"the suggestions for {name} failed", problem)
                raise Refusal(_FAILED.format(name), "server") from None
            if values is not None:
                return completion(values, "")
        return completion(values_of(schema, argument), typed)


def _chosen_identity(options: Options, identity: Identity) -> Identity:
    return Identity(
        title=options.title or identity.title,
        version=options.version or identity.version,
        instructions=options.instructions or identity.instructions,
    )
