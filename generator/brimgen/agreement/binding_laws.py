"""Check the SQL parameters and HTTP requests that decoded calls are made into.

6. SQL bindings and HTTP requests are made of what was decoded, or refuse it with `ValueError`.
7. What is bound is the call and its hidden values, each under its name. Each parameter of a
   statement and each part of a request carries the value that the spec says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from brimgen.agreement.decoder import Decoder
from brimgen.agreement.instances import Instances, NoValue, distinct
from brimgen.agreement.reference_validator import Oracle
from brimgen.agreement.report import Excuse, UntestedTool
from brimgen.agreement.request_values import misplaced_parts, pieces, secrets_of
from brimgen.emit.names import field_attribute
from brimgen.emit.projection.json_values import plain_json
from brimgen.model.catalog import TemplateBody, Tool
from brimgen.model.fields import Caller, Context
from brimgen.model.http import HttpBody, Style, Variable
from brimgen.model.json import is_list, is_object
from brimgen.model.types import Field

CALLS = "Python, bound calls"
SQL = "SQL bindings"
HTTP = "HTTP requests"
PROMPTS = "Prompts"
MISSING = object()
_FILE = "YSBmaWxl"
_UNFIT = "refuse values that the other side cannot hold"
_VALUE = re.compile(
    r"^(?:an int of \d+ bits|[-+\d.:TZeE]*\d[-+\d.:TZeE]*|-?[iI]nf\w*) "
)

Maker = tuple[str, Callable[[Any], Any], Callable[..., Iterable[str]]]
"""An artifact, what makes it of a bound call, and what names the parts of it that do not carry the
values of the call, which it is given with the values by name.
"""


class BindingLaws:
    """What is made of the bound calls of the tool of ``decoder``."""

    def __init__(self, decoder: Decoder) -> None:
        self._decoder, self._report, self._tool = decoder, decoder.report, decoder.tool

    def check(self, accepted: Iterable[Any]) -> None:
        """Check what is made of each accepted call."""
        decoder, tool = self._decoder, self._tool
        try:
            makers = [*_makers(decoder.input_type.__module__, tool)]
        except Exception as error:
            decoder.raised(error, CALLS, None)
            return
        if not makers:
            return
        hidden = dict[str, Any]()
        bound = plain_json(tool.bound_schema)
        instances = Instances(bound, Oracle(bound).accepts_part)
        for field in tool.hidden_fields:
            try:
                schema = plain_json(field.schema)
                value = instances.another_value(schema, [*hidden.values()])
            except NoValue:
                why = f"no value is known for the hidden argument `{field.name}`"
                part = " and ".join(dict.fromkeys(maker[0] for maker in makers))
                untested = UntestedTool(tool, why, "give it `examples`", part)
                self._report.unshown.append(untested)
                return
            hidden[field.name] = value
        context, host = _supplied(tool.hidden_fields, hidden)
        for instance in distinct(map(self._with_files, accepted)):
            call = decoder.input_type.from_dict(instance)
            try:
                bound = decoder.code.bound_type.bind(call, context, **host)
            except Exception as error:
                decoder.raised(error, CALLS, instance)
                continue
            values = self._checked_values(call, bound, hidden, instance)
            for maker in makers:
                self._make(maker, bound, values, instance)

    def _with_files(self, instance: Any) -> Any:
        """The call with a file where one is sent: the text of most calls at edges is none."""
        body, call = self._tool.body, instance
        for piece in pieces(body.payload) if isinstance(body, HttpBody) else ():
            if isinstance(piece, Variable) and piece.style is Style.FILE:
                call = _with_file(call, (piece.name, *piece.path))
        try:
            self._decoder.input_type.from_dict(call)
        except ValueError:
            return instance
        return call

    def _checked_values(
        self, call: Any, bound: Any, hidden: Mapping[str, Any], instance: Any
    ) -> dict[str, Any]:
        """The bound values by their names, each held against where it is from."""
        values: dict[str, Any] = {}
        for field in self._tool.fields:
            name = str(field_attribute(field))
            values[field.name] = value = getattr(bound, name, MISSING)
            if isinstance(field.origin, Caller):
                is_given = value == getattr(call, name, None)
            else:
                plain, given = _plain(value), hidden[field.name]
                is_given = type(plain) is not type(given) or plain == given
            if value is MISSING or not is_given:
                says = f"bind another value than is given for `{field.name}`"
                self._decoder.differs(CALLS, says, instance)
        return values

    def _make(
        self, maker: Maker, bound: Any, values: Mapping[str, Any], instance: Any
    ) -> None:
        artifact, make, misplaced = maker
        try:
            output = make(bound)
        except ValueError as problem:
            self._report.of(artifact).add(False)
            parameter, why = _reason_of(problem)
            excuse = Excuse(_UNFIT, why)
            self._report.excuse(artifact, excuse, self._tool, f"/{parameter}")
        except Exception as error:
            self._decoder.raised(error, artifact, instance)
        else:
            self._report.of(artifact).add(True)
            names = ", ".join(f"`{name}`" for name in misplaced(output, bound, values))
            if names:
                what = "the argument" if artifact == SQL else "what the spec says"
                says = f"do not carry {what}: {names}"
                self._decoder.differs(artifact, says, instance)


def _makers(module: str, tool: Tool) -> Iterator[Maker]:
    """What makes something of the bound call of ``tool``; ``module`` is its module."""
    package, _, name = module.rpartition(".tools.")
    if isinstance(tool.body, TemplateBody):
        prompts = _module(f"{package}.prompts")
        if prompts is not None and tool.name in prompts.PROMPTS:
            yield PROMPTS, prompts.PROMPTS[tool.name].render, _nothing
        return
    if isinstance(tool.body, HttpBody):
        request = _module(f"{package}.http.{name}")
        if request is not None:
            build = partial(request.build, secrets=secrets_of(tool.body))
            yield HTTP, build, partial(misplaced_parts, tool, tool.body)
        return
    statement = _module(f"{package}.sql.{name}")
    for function, make in [*vars(statement or object).items()]:
        if function.startswith("bind_"):
            yield SQL, make, partial(misplaced_parameters, statement)
        elif function.startswith("render_"):
            rendered = partial(_arguments, make)
            yield SQL, rendered, partial(misplaced_parameters, statement)


def _arguments(render: Callable[[Any], tuple[str, object]], bound: Any) -> object:
    return render(bound)[1]


def _nothing(*_: object) -> tuple[str, ...]:
    return ()


def _module(name: str) -> ModuleType | None:
    """A module of the generated package; None where the package has none of that name."""
    has_parent = find_spec(name.rpartition(".")[0]) is not None
    return import_module(name) if has_parent and find_spec(name) else None


def _with_file(value: Any, path: Sequence[str | int]) -> Any:
    """A JSON value with a file, as base64, in each text at ``path``."""
    if path and is_object(value) and path[0] in value:
        return {**value, path[0]: _with_file(value[path[0]], path[1:])}
    if is_list(value):
        return [_with_file(item, path) for item in value]
    return _FILE if isinstance(value, str) and not path else value


def _supplied(
    fields: Iterable[Field], hidden: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The context that has the ``hidden`` values, and those that the host gives, by attribute."""
    context: dict[str, Any] = {}
    host: dict[str, Any] = {}
    for field in fields:
        if isinstance(field.origin, Context):
            *above, last = field.origin.path
            parent = context
            for step in above:
                parent = parent.setdefault(step, {})
            parent[last] = hidden[field.name]
        else:
            host[str(field_attribute(field))] = hidden[field.name]
    return context, host


def _reason_of(problem: ValueError) -> tuple[str, str]:
    """Return the parameter whose value is refused, and the reason without the value."""
    if isinstance(expected := getattr(problem, "expected", None), str):
        return getattr(problem, "name", "") or "body", f"expected {expected}"
    why = getattr(problem, "why", str(problem))
    return getattr(problem, "parameter", ""), _VALUE.sub("", why)


def misplaced_parameters(
    module: Any, result: object, bound: object, values: Mapping[str, Any]
) -> Iterator[str]:
    """The parameters of a statement that do not carry the argument that they are called like.

    ``result`` are the arguments of ``execute`` that a function of ``module`` returns; ``values``
    are those of the arguments by name, as Python has them.
    """
    carried: Any = result or ()
    names = [param.name for param in module.PARAMS]
    if is_object(carried):
        spread = {str(key).rpartition("__")[0] for key in carried}
        is_chosen = any(name.startswith("_SQL_") for name in dir(module))
        for name in () if is_chosen else names:
            if name not in carried and name not in spread and values.get(name) != []:
                yield name
    else:
        # Each once, or as often as it stands in the statement, in that order.
        words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
        order = re.findall(rf"(?<![:\w]):({words})\b", module.SOURCE) if names else []
        rows = (row for row in (names, order) if len(row) == len(carried))
        carried = dict(zip(next(rows, ()), carried, strict=False))
    for name, value in carried.items():
        if name in values and not _carries(value, _plain(values[name])):
            yield name


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def _carries(value: Any, plain: Any) -> bool:
    if isinstance(plain, bool):
        return value in (plain, int(plain))
    if isinstance(value, float) and isinstance(plain, int):
        # A float stands for the number that it is written as: 1e+30 is 10**30.
        return plain in (Decimal(value), Decimal(repr(value)))
    if isinstance(plain, str | int | float):
        return isinstance(value, str) == isinstance(plain, str) and bool(value == plain)
    return plain is not None or value is None or value == []
