"""Bind a decoded call: make a row of SQL parameters or an HTTP request of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from brimgen.agreement.instances import Instances, NoValue
from brimgen.agreement.reference_validator import Oracle
from brimgen.agreement.valid_values import another_value
from brimgen.emit.names import field_attribute
from brimgen.model.catalog import TemplateBody, Tool
from brimgen.model.fields import Context
from brimgen.model.types import Field

SQL = "SQL bindings"
HTTP = "HTTP requests"
PROMPTS = "Prompts"


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


BASE_URL = "https://base.invalid/below"
"""The base URL of every service that is called to see what is sent."""


def secrets_of(names: Iterable[str], base: str | None) -> dict[str, str]:
    """A value for each secret, of which no two are the same; ``base`` holds the base URL."""
    return {name: BASE_URL if name == base else f"secret-{name}" for name in names}


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
