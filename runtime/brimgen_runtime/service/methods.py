"""Tools as methods of a service, typed by their input classes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

if TYPE_CHECKING:
    from .async_service import AsyncService
    from .core import Core
    from .plan import Plan
    from .service import Service

P = ParamSpec("P")
R = TypeVar("R")


class Method(Generic[P, R]):
    """A tool as a method of both services: what its input class takes, ``P``, gives ``R``.

    The value is the Python value of the tool: a decoded row, what a handler returned.
    Raises InputError, ContextError and ToolError, as `Service.call` does.
    """

    def __init__(self, tool: str) -> None:
        self.tool = tool

    @overload
    def __get__(self, service: Service, owner: object = None) -> Callable[P, R]: ...
    @overload
    def __get__(
        self, service: AsyncService, owner: object = None
    ) -> Callable[P, Coroutine[Any, Any, R]]: ...
    @overload
    def __get__(self, service: None, owner: object = None) -> Method[P, R]: ...
    def __get__(
        self, service: Service | AsyncService | None, owner: object = None
    ) -> Any:
        return self if service is None else _Bound(service, self.tool)


class _Bound:
    """A method of one service, with the signature and the description of its tool."""

    def __init__(self, service: Service | AsyncService, tool: str) -> None:
        described = service.plan.tools[tool]
        self._service = service
        self._input_type = described.input_type
        self.__name__ = tool
        self.__doc__ = described.description

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._service.value_of(self.__name__, self._input_type(*args, **kwargs))

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._input_type).replace(
            return_annotation=inspect.Signature.empty
        )


if TYPE_CHECKING:

    def method(
        input_type: Callable[P, object], /
    ) -> Callable[[Callable[[Any], R]], Method[P, R]]:
        """Declare the method of a tool by its input class and a function that says its result.

        At run time `add_methods` adds it, so that no tool is imported before it is used.
        """
        ...


def add_methods(service: type[Core], plan: Plan) -> None:
    """Add a method for each tool, prompt and resource of a plan to the class of a service."""
    for tool in (*plan.runs, *plan.resources, *plan.prompts):
        setattr(service, plan.methods.get(tool, tool), Method[..., Any](tool))
