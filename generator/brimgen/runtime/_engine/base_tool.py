"""BaseTool: the base class of tools written by hand, each with a checked `ToolSpec`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from .tool_spec import ToolSpec


@dataclass(frozen=True, slots=True)
class ToolResponse:
    """What a tool answers: the observation, and whether it is the final answer (S1.36)."""

    final_answer: bool
    observation: Any


class BaseTool(ABC):
    """A tool whose class declares its ``spec`` (S1.33-36).

    ``tool(**tool.spec.check_inputs(raw), **context)`` calls it. There is no instance of a class
    whose spec is invalid, whatever its ``__init__`` does: the spec is checked before that runs.
    """

    spec: ClassVar[ToolSpec]

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Raise TypeError for a class without a spec, ValueError for an invalid one."""
        spec = getattr(cls, "spec", None)
        if not isinstance(spec, ToolSpec):
            raise TypeError(f"{cls.__name__} must declare spec, a ToolSpec")
        spec.validate()
        return super().__new__(cls)

    def __init__(self) -> None:
        """Take nothing; subclasses take what they like."""
        super().__init__()

    @abstractmethod
    def __call__(self, *args: Any, **kwargs: Any) -> ToolResponse:
        """Do it, with inputs that were checked and what the runtime adds to them."""
