"""Answer the calls of a provider with a service: one call, or those of a response in parallel."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from ..calls.aliases import own_names, with_aliases
from ..schema.errors import InputError
from ..service.async_service import AsyncService
from ..service.calls import UNSET
from ..service.core import Core
from ..service.guards import Confirm, Confirmation
from ..service.outcome import Outcome
from ..service.service import Service
from . import calls, providers
from .parts import Sent

C_contra = TypeVar("C_contra", contravariant=True)
S = TypeVar("S", bound=Core)
if TYPE_CHECKING:
    from typing_extensions import TypeVar as _TypeVar  # type checkers bring it along

    A = _TypeVar("A", default=Any)
else:
    A = TypeVar("A")


class _Dispatcher(Generic[S, C_contra, A]):
    """Reads calls, and makes answers of outcomes."""

    _provider: ClassVar[providers.Provider]

    def __init__(self, service: S, answer: Callable[..., A] | None = None) -> None:
        self._service = service
        self._make: Callable[..., Any] = dict if answer is None else answer

    def _read(self, call: object) -> tuple[Sent, tuple[str, Any]]:
        """Return the parts of a call, and what the service is given. Raises NoCall."""
        sent = self._provider.read(call)
        arguments = own_names(
            sent.arguments,
            self._service.plan.aliases.get(sent.name),
            all_aliases=self._provider.all_aliases,
        )
        return sent, (sent.name, arguments)

    def _read_all(
        self, items: Iterable[object] | None
    ) -> list[tuple[Sent, tuple[str, Any]]]:
        """Return the parts of each call among the items of a response."""
        is_call = self._provider.is_call
        return [self._read(item) for item in items or () if is_call(item)]

    def pending(self, items: Iterable[object] | None, /) -> list[Confirmation]:
        """Return what a person must confirm before the calls among the items of a response run.

        Hand those that were confirmed to ``answer_all``. Each says tool, question and arguments,
        and can be made again of these, in another request of the program.
        """
        calls = [call for _, call in self._read_all(items)]
        asked = [self._service.confirmation(*call) for call in calls]
        return [each for each in asked if each is not None]

    def _answer(self, sent: Sent, outcome: Outcome) -> A:
        if isinstance(outcome.error, InputError):
            outcome.text = with_aliases(
                outcome.text,
                self._service.plan.aliases.get(sent.name),
                all_aliases=self._provider.all_aliases,
            )
        answer: A = self._make(**self._provider.fields(sent, outcome, self._service))
        return answer


def _one_of(approved: Collection[Confirmation] | None) -> Confirm | None:
    """Return what says yes to each of the calls that a person approved, once."""
    if approved is None:
        return None
    left, lock = [*approved], Lock()

    def confirm(asked: Confirmation) -> bool:
        with lock:
            if asked not in left:
                return False
            left.remove(asked)
            return True

    return confirm


class Dispatcher(_Dispatcher[Service, C_contra, A]):
    """Answers calls with a `Service`.

    ``answer`` is the SDK's type of an answer, which type checkers then know; without it, answers
    are dicts that they take as anything.
    """

    def answer(
        self,
        call: C_contra,
        /,
        *,
        context: object = UNSET,
        approved: Collection[Confirmation] | None = None,
    ) -> A:
        """Run a call; return what goes back to the provider.

        Whatever goes wrong in the call is told in the answer. ``approved`` are the calls of
        `pending` that a person has confirmed; without it, the service asks. Raises
        NoCall for what is no complete call of this provider.
        """
        sent, (name, arguments) = self._read(call)
        outcome = self._service.outcome(
            name, arguments, context=context, confirm=_one_of(approved)
        )
        return self._answer(sent, outcome)

    def answer_all(
        self,
        items: Iterable[object] | None,
        /,
        *,
        context: object = UNSET,
        approved: Collection[Confirmation] | None = None,
    ) -> list[A]:
        """Run the calls among the items of a response in parallel; return their answers, in order.

        Items that are no calls of tools (texts, thoughts, searches) are passed over.
        """
        read = self._read_all(items)
        called = [call for _, call in read]
        outcomes = self._service.outcomes(
            called, context=context, confirm=_one_of(approved)
        )
        return [
            self._answer(sent, outcome)
            for (sent, _), outcome in zip(read, outcomes, strict=True)
        ]


class AsyncDispatcher(_Dispatcher[AsyncService, C_contra, A]):
    """Answers calls with an `AsyncService`; see `Dispatcher`."""

    async def answer(
        self,
        call: C_contra,
        /,
        *,
        context: object = UNSET,
        approved: Collection[Confirmation] | None = None,
    ) -> A:
        """Run a call; return what goes back to the provider. Raises as `Dispatcher.answer`."""
        sent, (name, arguments) = self._read(call)
        outcome = await self._service.outcome(
            name, arguments, context=context, confirm=_one_of(approved)
        )
        return self._answer(sent, outcome)

    async def answer_all(
        self,
        items: Iterable[object] | None,
        /,
        *,
        context: object = UNSET,
        approved: Collection[Confirmation] | None = None,
    ) -> list[A]:
        """Run the calls among the items of a response at once; return their answers, in order."""
        read = self._read_all(items)
        called = [call for _, call in read]
        outcomes = await self._service.outcomes(
            called, context=context, confirm=_one_of(approved)
        )
        return [
            self._answer(sent, outcome)
            for (sent, _), outcome in zip(read, outcomes, strict=True)
        ]


class OpenAIChat(Dispatcher[calls.ChatToolCall | calls.Json, A]):
    """Answers calls of OpenAI's Chat Completions: items of ``message.tool_calls``."""

    _provider = providers.Chat()


class AsyncOpenAIChat(AsyncDispatcher[calls.ChatToolCall | calls.Json, A]):
    """Answers calls of OpenAI's Chat Completions: items of ``message.tool_calls``."""

    _provider = providers.Chat()


class OpenAIResponses(Dispatcher[calls.FunctionCallItem | calls.Json, A]):
    """Answers calls of OpenAI's Responses: items of ``response.output``."""

    _provider = providers.Responses()


class AsyncOpenAIResponses(AsyncDispatcher[calls.FunctionCallItem | calls.Json, A]):
    """Answers calls of OpenAI's Responses: items of ``response.output``."""

    _provider = providers.Responses()


class AnthropicMessages(Dispatcher[calls.ToolUse | calls.Json, A]):
    """Answers ``tool_use`` blocks of Anthropic: items of ``message.content``."""

    _provider = providers.Anthropic()


class AsyncAnthropicMessages(AsyncDispatcher[calls.ToolUse | calls.Json, A]):
    """Answers ``tool_use`` blocks of Anthropic: items of ``message.content``."""

    _provider = providers.Anthropic()


class GeminiContents(Dispatcher[calls.FunctionCall | calls.Json, A]):
    """Answers function calls of Gemini: ``response.function_calls``, or the parts of a content."""

    _provider = providers.Gemini()


class AsyncGeminiContents(AsyncDispatcher[calls.FunctionCall | calls.Json, A]):
    """Answers function calls of Gemini: ``response.function_calls``, or the parts of a content."""

    _provider = providers.Gemini()


class McpTools(Dispatcher[calls.CallToolParams | calls.Json, A]):
    """Answers MCP's ``tools/call``, for a server of your own."""

    _provider = providers.Mcp()


class AsyncMcpTools(AsyncDispatcher[calls.CallToolParams | calls.Json, A]):
    """Answers MCP's ``tools/call``, for a server of your own."""

    _provider = providers.Mcp()
