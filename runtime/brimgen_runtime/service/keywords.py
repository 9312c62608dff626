"""Call a plain function with the arguments of a tool as its keywords, in the types it declares."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import wraps
from pathlib import PurePath
from typing import Any, TypeAlias, cast, get_args, get_origin, get_type_hints

from ..calls.call_context import Level, current_call
from ..calls.results import ToolError
from ..records.record import alternatives_of, decoder_of, is_class, is_uuid_class

Convert: TypeAlias = Callable[[Any], Any]

_SCALARS = (date, datetime, time, timedelta, Decimal, float, bytes)
_ITEMS = (list, set, frozenset, tuple)


class ToolContext:
    """What a function of FastMCP gets for its parameter of the type ``Context``.

    It reports to the client of the call that runs. Anything else that FastMCP's offers raises
    AttributeError.
    """

    async def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report how far the call is."""
        current_call().progress(progress, total, message)

    async def log(self, message: str, level: Level = "info", **_: Any) -> None:
        """Send a log message to the caller."""
        current_call().log(level, message)

    async def debug(self, message: str, **_: Any) -> None:
        """Send a log message for those who look for a mistake."""
        await self.log(message, "debug")

    async def info(self, message: str, **_: Any) -> None:
        """Send a log message."""
        await self.log(message)

    async def warning(self, message: str, **_: Any) -> None:
        """Send a warning."""
        await self.log(message, "warning")

    async def error(self, message: str, **_: Any) -> None:
        """Send the message of an error."""
        await self.log(message, "error")


def called_by_keywords(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """Return a handler of a call that calls ``function`` with its arguments as keywords.

    Each is passed in the type that the function declares: a dataclass, a TypedDict, an enum, a
    pydantic model, or lists, dicts and unions of such. What is absent is not passed. A result of
    such a class becomes JSON. Where a class refuses a value (``ValueError``), the handler raises
    `ToolError` with its words.
    """
    function = getattr(function, "fn", function)  # what FastMCP 2 makes of one
    hints = _hints(function)
    converters = {name: _converter(hint) for name, hint in hints.items()}
    contexts = {
        name for name, hint in hints.items() if any(map(_is_context, _options(hint)))
    }

    def keywords(call: Any) -> dict[str, Any]:
        try:
            given = {
                name: converters.get(name, _same)(value)
                for name, value in call.to_dict().items()
            }
        except (ValueError, TypeError) as problem:
            raise ToolError(str(problem), code="invalid_arguments") from problem
        return given | {name: ToolContext() for name in contexts}

    if inspect.iscoroutinefunction(function):

        @wraps(function)
        async def run(call: Any) -> Any:
            return json_parts(await function(**keywords(call)))

        return run

    @wraps(function)
    def run_now(call: Any) -> Any:
        return json_parts(function(**keywords(call)))

    return run_now


def json_parts(value: Any) -> Any:
    """Return a result with dictionaries and lists in the place of objects and other collections."""
    dump = getattr(value, "model_dump", None)
    if dump is not None:
        return dump(mode="json", by_alias=True)
    if is_dataclass(value) and not hasattr(value, "to_dict"):
        return {
            field.name: json_parts(getattr(value, field.name))
            for field in fields(value)
        }
    if isinstance(value, Mapping):
        members = cast("Any", value).items()
        return {json_parts(name): json_parts(member) for name, member in members}
    if isinstance(value, _ITEMS):
        return [json_parts(item) for item in cast("Collection[Any]", value)]
    if isinstance(value, PurePath):
        return str(value)
    return value


def _hints(of: Any) -> dict[str, Any]:
    """Return the types that a function or class declares; none where they cannot be read."""
    try:
        return get_type_hints(of)
    except (NameError, TypeError, AttributeError):
        return {}


def _options(hint: Any) -> list[Any]:
    return alternatives_of(hint)[0]


def _is_context(hint: Any) -> bool:
    return getattr(hint, "__name__", "") == "Context" and "mcp" in hint.__module__


def _same(value: Any) -> Any:
    return value


def _converter(hint: Any) -> Convert:
    """Return what makes a value of the type ``hint`` of a JSON value that the schema accepted."""
    options = [_converter_of(option) for option in _options(hint)]
    if all(option is _same for option in options):
        return _same

    def convert(value: Any) -> Any:
        if value is None:
            return None
        for option in options[:-1]:
            try:
                return option(value)
            except (ValueError, TypeError):
                continue
        return options[-1](value)

    return convert


def _converter_of(kind: Any) -> Convert:
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    if hasattr(kind, "model_validate"):
        return cast("Convert", kind.model_validate)
    if is_class(kind, Enum) or is_class(kind, PurePath):
        return cast("Convert", kind)
    if is_dataclass(kind) or hasattr(kind, "__required_keys__"):
        return _record(cast("type[Any]", kind))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(_converter(arguments[1])) if arguments else _same
    is_collection = isinstance(origin, type) and issubclass(origin, Collection)
    if is_collection and origin not in (str, bytes):
        return _collection(origin, arguments)
    if kind in _SCALARS or is_uuid_class(kind):
        return decoder_of(kind, {}) or _same
    return _same


def _collection(origin: Any, arguments: tuple[Any, ...]) -> Convert:
    made: Any = origin if origin in _ITEMS else list
    if origin is tuple and arguments[-1:] != (...,):
        each = [_converter(argument) for argument in arguments]
        return lambda items: tuple(
            convert(item) for convert, item in zip(each, items, strict=True)
        )
    item = _converter(arguments[0]) if arguments else _same

    def convert_all(items: Any) -> Any:
        return made(map(item, items))

    return convert_all


def _mapping(member: Convert) -> Convert:
    return lambda value: {name: member(each) for name, each in value.items()}


def _record(kind: type[Any]) -> Convert:
    """Return what makes a dataclass or TypedDict; its members are converted, too."""
    members: dict[str, Convert] = {}

    def convert(value: Any) -> Any:
        if not members:  # a class may hold itself
            members.update(
                {name: _converter(hint) for name, hint in _hints(kind).items()}
            )
        return kind(
            **{name: members.get(name, _same)(each) for name, each in value.items()}
        )

    return convert
