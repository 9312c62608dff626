"""ToolSpec, the contract of a tool in six types, and BaseTool, whose subclasses have one.

The checks are those of the ToolSpec document, which are coarser than a tool's own schema: they have
no constraints, and 3.0 is no integer to them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Self, cast

from ..schema.json_values import cut, show


def _is(*kinds: type) -> Callable[[object], bool]:
    """Return whether a value is of one of some classes; a bool is no number."""
    return lambda value: isinstance(value, kinds) and (
        bool in kinds or not isinstance(value, bool)
    )


TYPES: Mapping[str, Callable[[object], bool]] = MappingProxyType(
    {
        "string": _is(str),
        "integer": _is(int),
        "number": _is(int, float),
        "boolean": _is(bool),
        "array": _is(list),
        "object": _is(dict),
    }
)
"""The types that a spec may use, and what a value of each is."""

ALIASES: Mapping[str, str] = MappingProxyType({"str": "string"})
"""Other spellings that are accepted, and what they mean."""

_KINDS: Mapping[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
    type(None): "null",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolParam:
    """One input of a tool."""

    name: str
    type: str
    description: str
    required: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return the input as JSON, its type under its standard name.

        Raises ValueError for a type that is no text.
        """
        return {
            "name": self.name,
            "type": _standard(self.type),
            "description": self.description,
            "required": self.required,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReturn:
    """What a tool gives back."""

    type: str
    description: str

    def to_json(self) -> dict[str, Any]:
        """Return the return value as JSON, its type under its standard name.

        Raises ValueError for a type that is no text.
        """
        return {
            "type": _standard(self.type),
            "description": self.description,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """The contract of a tool: what it is, when to use it, what it takes and gives."""

    name: str
    description: str
    when_to_use: str
    inputs: list[ToolParam]
    returns: ToolReturn

    def validate(self) -> None:
        """Raise ValueError with everything that is wrong with the spec itself."""
        _refuse(self._faults())

    def check_inputs(self, raw: dict[str, Any]) -> dict[str, Any]:
        """Return ``raw`` itself if a call may have these inputs.

        Raises ValueError with every missing, unexpected or mistyped input, and for a spec that has
        no `ToolParam` where one belongs.
        """
        _refuse(self._wrong_parts())
        if not isinstance(cast("object", raw), dict):
            raise ValueError(f"{self.name}: inputs must be object, got {_kind(raw)}")
        _refuse(self._mismatches(raw))
        return raw

    def to_json(self) -> dict[str, Any]:
        """Return the spec as a JSON object.

        Raises ValueError for a spec that has no `ToolParam` or `ToolReturn` where one belongs.
        """
        _refuse(self._wrong_parts())
        return {
            "name": self.name,
            "description": self.description,
            "when_to_use": self.when_to_use,
            "inputs": [input_.to_json() for input_ in self.inputs],
            "returns": self.returns.to_json(),
        }

    def _faults(self) -> Iterator[str]:
        name = self.name if _says_something(self.name) else "a tool"
        for key in ("name", "description", "when_to_use"):
            if not _says_something(getattr(self, key)):
                yield f"{name} has no {key}"
        wrong_parts = [*self._wrong_parts()]
        yield from wrong_parts or self._faults_of_parts(name)

    def _wrong_parts(self) -> Iterator[str]:
        """Yield which parts are not of their classes, or have names that are no text."""
        name = self.name if _says_something(self.name) else "a tool"
        inputs = cast("object", self.inputs)
        if not isinstance(inputs, list | tuple):
            yield f"{name}: inputs must be a list of ToolParam"
            inputs = []
        for input_ in cast("list[object]", inputs):
            if not isinstance(input_, ToolParam):
                yield f"{name}: {show(input_)} is no ToolParam"
            elif not isinstance(cast("object", input_.name), str):
                yield f"{name} has an input without a name"
        if not isinstance(cast("object", self.returns), ToolReturn):
            yield f"{name}: returns must be a ToolReturn"

    def _faults_of_parts(self, name: str) -> Iterator[str]:
        if not self.inputs:
            yield f"{name} has no inputs"
        for input_ in self.inputs:
            if not _says_something(input_.name):
                yield f"{name} has an input without a name"
            elif not _is_type(input_.type):
                yield f"{name}.{input_.name} has unsupported type {input_.type!r}"
        for input_name, count in Counter(input_.name for input_ in self.inputs).items():
            if count > 1:
                yield f"{name}: duplicate input {input_name!r}"
        if not _is_type(self.returns.type):
            yield f"{name} returns unsupported type {self.returns.type!r}"

    def _mismatches(self, raw: dict[str, Any]) -> Iterator[str]:
        for input_ in self.inputs:
            if input_.name not in raw:
                if input_.required:
                    yield f"{self.name}: missing required {input_.name!r}"
            elif not _is_type(input_.type):
                yield f"{self.name}.{input_.name} has unsupported type {input_.type!r}"
            elif not TYPES[ALIASES.get(input_.type, input_.type)](raw[input_.name]):
                got = _kind(raw[input_.name])
                yield f"{self.name}.{input_.name} must be {input_.type}, got {got}"
        declared = {input_.name for input_ in self.inputs}
        for name in raw:
            if name not in declared:
                yield f"{self.name}: unexpected {_shown(name)}"


def _shown(name: object) -> str:
    """A name as it was sent, which need not be text."""
    return cut(repr(name) if isinstance(name, str) else show(name))


def _refuse(faults: Iterator[str]) -> None:
    message = "; ".join(faults)
    if message:
        raise ValueError(message)


def _says_something(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip())


def _is_type(name: object) -> bool:
    return isinstance(name, str) and ALIASES.get(name, name) in TYPES


def _standard(type: str) -> str:
    """Return the standard name of a type. Raises ValueError for what is no text."""
    if not isinstance(cast("object", type), str):
        raise ValueError(f"unsupported type {type!r}")
    return ALIASES.get(type, type)


def _kind(value: object) -> str:
    return _KINDS.get(type(value), type(value).__name__)


@dataclass(frozen=True, slots=True)
class ToolResponse:
    """What a tool answers: the observation, and whether it is the final answer."""

    final_answer: bool
    observation: Any


class BaseTool(ABC):
    """A tool whose class declares its ``spec``.

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
