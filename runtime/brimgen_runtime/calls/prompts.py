"""Prompts: render typed arguments to messages; templates were compiled to Python by the build."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from ..records.json_object import JsonObject
from ..schema.json_values import is_list, is_object
from ..schema.lexical import Kind, read_text, read_texts
from .tools import Input

InputT = TypeVar("InputT", bound=Input)
BoundT = TypeVar("BoundT", bound=JsonObject)
Template = Callable[[Mapping[str, Any]], str]


class PromptError(ValueError):
    """A prompt whose template cannot be rendered with these values."""


class RenderedMessage(NamedTuple):
    """One message of a rendered prompt: ``system``, ``user`` or ``assistant``, and its text."""

    role: str
    text: str

    def to_dict(self) -> dict[str, Any]:
        """Return the message as JSON, as a `PromptMessage` is."""
        content = {"type": "text", "text": self.text}
        return {"role": self.role, "content": content}


class Argument(NamedTuple):
    """An argument of a prompt as MCP has it, a string: what the string stands for."""

    name: str
    kind: Kind = "string"
    is_list: bool = False


class Prompt(Generic[InputT, BoundT]):
    """One prompt: its messages in order, each with its role and the function that renders it."""

    __slots__ = (
        "_arguments",
        "_messages",
        "bound_type",
        "description",
        "input_type",
        "name",
        "title",
    )

    def __init__(
        self,
        name: str,
        input_type: type[InputT],
        bound_type: type[BoundT],
        *,
        messages: Sequence[tuple[str, Template]],
        arguments: Sequence[Argument] = (),
        title: str | None = None,
        description: str | None = None,
    ) -> None:
        self.name = name
        self.input_type = input_type
        self.bound_type = bound_type
        self.title = title
        self.description = description
        self._messages = tuple(messages)
        self._arguments = {argument.name: argument for argument in arguments}

    def render(self, bound: BoundT) -> tuple[RenderedMessage, ...]:
        """Return the messages, in order, with the values of a call joined with its context.

        A template sees JSON values under the names of the spec; null is as good as absent.
        Raises PromptError where it asks of a value what that cannot do.
        """
        args = _present(bound.to_dict())
        try:
            return tuple(
                RenderedMessage(role, template(args))
                for role, template in self._messages
            )
        except PromptError:
            raise
        except (TypeError, ValueError, ArithmeticError, LookupError) as problem:
            raise PromptError(f"{self.name}: {problem}") from problem

    def read(self, arguments: Mapping[str, str]) -> InputT:
        """Return the input of arguments that are strings, as MCP sends them.

        A text is read by the type of its argument: numbers and ``true`` as JSON, lists and
        objects as JSON text. Raises InputError.
        """
        return self.input_type.from_dict(
            {name: self._value(name, text) for name, text in arguments.items()}
        )

    def _value(self, name: str, text: str) -> Any:
        argument = self._arguments.get(name, Argument(name))
        if argument.is_list:
            return read_texts([text], argument.kind)
        return read_text(text, argument.kind)

    def __repr__(self) -> str:
        return f"<Prompt {self.name}>"


class Prompts(Mapping[str, Prompt[Any, Any]]):
    """The prompts of a package, by name."""

    __slots__ = ("_by_name",)

    def __init__(self, *prompts: Prompt[Any, Any]) -> None:
        self._by_name = {prompt.name: prompt for prompt in prompts}

    def __getitem__(self, name: str) -> Prompt[Any, Any]:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)


def _present(value: Any) -> Any:
    """A JSON value without properties that are null, at every depth; items of lists stay."""
    if is_object(value):
        return {
            name: _present(item) for name, item in value.items() if item is not None
        }
    if is_list(value):
        return [_present(item) for item in value]
    return value
