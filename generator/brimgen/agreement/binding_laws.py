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
from brimgen.agreement.instances import Instances, NoValue, another_value, distinct
from brimgen.agreement.reference_validator import Oracle
from brimgen.agreement.report import Excuse, UntestedTool
from brimgen.agreement.request_values import (
    RequestVariables,
    misplaced_parts,
    pieces,
    secrets_of,
)
from brimgen.emit.names import field_attribute
from brimgen.model.catalog import TemplateBody, Tool
from brimgen.model.fields import Caller, Context
from brimgen.model.http import HttpBody, Style, Variable
from brimgen.model.json import is_list, is_object
from brimgen.model.types import Field

CALLS = "Python, bound calls"
MISSING = object()
_FILE = "YSBmaWxl"
_UNFIT = "refuse values that the other side cannot hold"


class BindingLaws:
    """What is made of the bound calls of the tool of ``decoder``."""

    def __init__(self, decoder: Decoder) -> None:
        self._decoder, self._report = decoder, decoder.report

    def check(self, accepted: Iterable[Any]) -> None:
        """Check what is made of each accepted call."""
        decoder = self._decoder
        try:
            makers = makers_of(decoder.input_type.__module__, decoder.tool)
        except Exception as error:
            decoder.raised(error, CALLS, None)
            return
        if not makers:
            return
        hidden = hidden_values(decoder.tool)
        if isinstance(hidden, str):
            why = f"no value is known for the hidden argument `{hidden}`"
            part = " and ".join(dict.fromkeys(name for name, _ in makers))
            remedy = "give it `examples`"
            self._report.unshown.append(UntestedTool(decoder.tool, why, remedy, part))
            return
        context, host = hidden
        for instance in distinct(map(self._with_files, accepted)):
            call = decoder.input_type.from_dict(instance)
            try:
                bound = decoder.code.bound_type.bind(call, context, **host)
            except Exception as error:
                decoder.raised(error, CALLS, instance)
                continue
            values = self._checked_values(call, bound, (context, host), instance)
            for artifact, make in makers:
                self._make(artifact, make, bound, (values, instance))

    def _with_files(self, instance: Any) -> Any:
        """The call with a file where one is sent: the text of most calls at edges is none."""
        body, call = self._decoder.tool.body, instance
        if isinstance(body, HttpBody):
            for piece in pieces(body.payload):
                if isinstance(piece, Variable) and piece.style is Style.FILE:
                    call = _with_file(call, (piece.name, *piece.path))
        try:
            self._decoder.input_type.from_dict(call)
        except ValueError:
            return instance
        return call

    def _variables(
        self, bound: Any, values: Mapping[str, Any], body: HttpBody
    ) -> RequestVariables:
        """What a request was made of."""
        fields = {field.name: field for field in self._decoder.tool.fields}
        name, taken = "nulls", {
            str(field_attribute(field)) for field in fields.values()
        }
        while name in taken:
            name += "_"
        nulls = getattr(bound, name, ())
        secrets = secrets_of(body.secrets, body.url.base)
        return RequestVariables(values, fields, nulls, secrets)

    def _checked_values(
        self,
        call: Any,
        bound: Any,
        hidden: tuple[Mapping[str, Any], Mapping[str, Any]],
        instance: Any,
    ) -> dict[str, Any]:
        """The bound values by their names, each held against where it is from."""
        values: dict[str, Any] = {}
        for field in self._decoder.tool.fields:
            name = str(field_attribute(field))
            values[field.name] = value = getattr(bound, name, MISSING)
            expected = value
            if isinstance(field.origin, Caller):
                expected = getattr(call, name, MISSING)
            else:
                supplied = hidden_value(field, *hidden)
                if isinstance(supplied, str | int | float | bool):
                    expected = supplied
                if isinstance(value, Enum):
                    value = value.value
                if type(value) is not type(expected):
                    expected = value
            if value is MISSING or expected != value:
                says = f"bind another value than is given for `{field.name}`"
                self._decoder.differs(CALLS, says, instance)
        return values

    def _check_carried_values(
        self,
        output: Any,
        bound: Any,
        case: tuple[Mapping[str, Any], Any],
    ) -> None:
        """Check that ``output``, which was made of a call, has each value in its place."""
        (values, instance), tool = case, self._decoder.tool
        if isinstance(tool.body, TemplateBody):
            return
        if isinstance(tool.body, HttpBody):
            variables = self._variables(bound, values, tool.body)
            misplaced = [*misplaced_parts(output, tool.body, variables)]
            artifact, says = HTTP, "do not carry what the spec says"
        else:
            module = sibling_module(self._decoder.input_type.__module__, "sql")
            misplaced = [*misplaced_parameters(output, module, values)]
            artifact, says = SQL, "do not carry the argument"
        if misplaced:
            names = ", ".join(f"`{name}`" for name in misplaced)
            self._decoder.differs(artifact, f"{says}: {names}", instance)

    def _make(
        self,
        artifact: str,
        make: Callable[[Any], object],
        bound: Any,
        case: tuple[Mapping[str, Any], Any],
    ) -> None:
        try:
            output = make(bound)
        except ValueError as problem:
            self._report.of(artifact).add(False)
            parameter, why = reason_of(problem)
            excuse = Excuse(_UNFIT, why)
            self._report.excuse(artifact, excuse, self._decoder.tool, f"/{parameter}")
        except Exception as error:
            self._decoder.raised(error, artifact, case[1])
        else:
            self._report.of(artifact).add(True)
            self._check_carried_values(output, bound, case)


SQL = "SQL bindings"
HTTP = "HTTP requests"
PROMPTS = "Prompts"


def _with_file(value: Any, path: Sequence[str | int]) -> Any:
    """A JSON value with a file, as base64, in each text at ``path``."""
    if path and is_object(value) and path[0] in value:
        return {**value, path[0]: _with_file(value[path[0]], path[1:])}
    if is_list(value):
        return [_with_file(item, path) for item in value]
    return _FILE if isinstance(value, str) and not path else value


def makers_of(module: str, tool: Tool) -> list[tuple[str, Callable[[Any], object]]]:
    """The functions that make something of the bound call of ``tool``; ``module`` is its module."""
    if isinstance(tool.body, TemplateBody):
        return [*_prompt_renderers(module, tool.name)]
    return [*_sql_binders(module), *_http_binders(module)]


def _prompt_renderers(
    module: str, name: str
) -> Iterator[tuple[str, Callable[[Any], object]]]:
    prompts = f"{module.rpartition('.tools.')[0]}.prompts"
    if find_spec(prompts) is not None:
        prompt = import_module(prompts).PROMPTS.get(name)
        if prompt is not None:
            yield PROMPTS, prompt.render


def _sql_binders(module: str) -> Iterator[tuple[str, Callable[[Any], object]]]:
    sibling = sibling_module(module, "sql")
    for name, make in [*vars(sibling or object).items()]:
        if name.startswith("bind_"):
            yield SQL, make
        elif name.startswith("render_"):
            yield SQL, partial(_arguments, make)


def _arguments(render: Callable[[Any], tuple[str, object]], bound: Any) -> object:
    return render(bound)[1]


def _http_binders(module: str) -> Iterator[tuple[str, Callable[[Any], object]]]:
    sibling = sibling_module(module, "http")
    if sibling is not None:
        plan = sibling.PLAN
        secrets = secrets_of(plan.secrets, plan.base)
        yield HTTP, partial(sibling.build, secrets=secrets)


def sibling_module(module: str, folder: str) -> ModuleType | None:
    """The module of the same tool in another folder of the package."""
    package, _, tool = module.rpartition(".tools.")
    name = f"{package}.{folder}.{tool}"
    if find_spec(f"{package}.{folder}") is None or find_spec(name) is None:
        return None
    return import_module(name)


def hidden_values(tool: Tool) -> tuple[dict[str, Any], dict[str, Any]] | str:
    """Return a context, and the values that the host program gives, by attribute.

    If no value is known for a hidden argument, return its name instead.
    """
    context: dict[str, Any] = {}
    host: dict[str, Any] = {}
    schema = tool.bound_schema
    instances, taken = Instances(schema, Oracle(schema).accepts_part), list[Any]()
    for field in tool.hidden_fields:
        try:
            value = another_value(instances, field.schema, taken)
        except NoValue:
            return field.name
        taken.append(value)
        if isinstance(field.origin, Context):
            parent = context
            for step in field.origin.path[:-1]:
                parent = parent.setdefault(step, {})
            parent[field.origin.path[-1]] = value
        else:
            host[str(field_attribute(field))] = value
    return context, host


def hidden_value(field: Field, context: Any, host: Mapping[str, Any]) -> Any:
    """The value of a hidden argument, as `hidden_values` gives it."""
    if not isinstance(field.origin, Context):
        return host[str(field_attribute(field))]
    value = context
    for step in field.origin.path:
        value = value[step]
    return value


def reason_of(problem: ValueError) -> tuple[str, str]:
    """Return the parameter whose value is refused, and the reason without the value."""
    name, expected = getattr(problem, "name", None), getattr(problem, "expected", None)
    if isinstance(name, str) and isinstance(expected, str):
        return name or "body", f"expected {expected}"
    match = _PARAMETER.match(str(problem))
    if match is None:
        return "", _VALUE.sub("", str(problem))
    return match["name"], _VALUE.sub("", match["why"])


_PARAMETER = re.compile(r"parameter '(?P<name>[^']*)': (?P<why>.*)", re.DOTALL)
_VALUE = re.compile(
    r"^(?:an int of \d+ bits|[-+\d.:TZeE]*\d[-+\d.:TZeE]*|-?[iI]nf\w*) "
)


Values = Mapping[str, Any]
"""The bound values by the names of their arguments, as Python has them."""


def misplaced_parameters(result: object, module: Any, values: Values) -> Iterator[str]:
    """The parameters of a statement that do not carry the argument that they are called like.

    ``result`` are the arguments of ``execute`` that a function of ``module`` returns.
    """
    carried: Any = result or ()
    names = [param.name for param in module.PARAMS]
    if not is_object(carried):
        order = _order(module.SOURCE, names)
        rows = [names, order]
        for row in rows:
            if len(row) == len(carried):
                yield from _misplaced_names(
                    dict(zip(row, carried, strict=True)), values
                )
                return
        return
    spread = {str(key).rpartition("__")[0] for key in carried}
    is_chosen = any(name.startswith("_SQL_") for name in dir(module))
    for name in () if is_chosen else names:
        if name not in carried and name not in spread and values.get(name) != []:
            yield name
    yield from _misplaced_names(carried, values)


def _order(source: str, names: Sequence[str]) -> list[str]:
    """The parameters of a statement as often as they stand in it, in that order."""
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.findall(rf"(?<![:\w]):({words})\b", source) if names else []


def _misplaced_names(carried: Mapping[str, Any], values: Values) -> Iterator[str]:
    for name, value in carried.items():
        if name in values and not _carries(value, values[name]):
            yield name


def _carries(value: Any, argument: Any) -> bool:
    plain = argument.value if isinstance(argument, Enum) else argument
    if isinstance(plain, bool):
        return value in (plain, int(plain))
    if isinstance(value, float) and isinstance(plain, int):
        # A float stands for the number that it is written as: 1e+30 is 10**30.
        return plain in (Decimal(value), Decimal(repr(value)))
    if isinstance(plain, str | int | float):
        return isinstance(value, str) == isinstance(plain, str) and bool(value == plain)
    return plain is not None or value is None or value == []
