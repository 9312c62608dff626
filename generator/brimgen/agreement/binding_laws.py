"""Check the SQL parameters and HTTP requests that decoded calls are made into.

6. SQL bindings and HTTP requests are made of what was decoded, or refuse it with `ValueError`.
7. What is bound is the call and its hidden values, each under its name. Each parameter of a
   statement and each part of a request carries the value that the spec says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any

from brimgen.agreement.bound_calls import (
    HTTP,
    SQL,
    hidden_value,
    hidden_values,
    makers_of,
    reason_of,
    secrets_of,
    sibling_module,
)
from brimgen.agreement.decoder import Decoder
from brimgen.agreement.report import Excuse, UntestedTool
from brimgen.agreement.request_values import RequestVariables, misplaced_parts
from brimgen.agreement.sql_values import misplaced_parameters
from brimgen.emit.names import field_attribute
from brimgen.model.catalog import TemplateBody
from brimgen.model.fields import Caller
from brimgen.model.http import HttpBody

CALLS = "Python, bound calls"
MISSING = object()
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
        for instance in accepted:
            call = decoder.input_type.from_dict(instance)
            try:
                bound = decoder.code.bound_type.bind(call, context, **host)
            except Exception as error:
                decoder.raised(error, CALLS, instance)
                continue
            values = self._checked_values(call, bound, (context, host), instance)
            for artifact, make in makers:
                self._make(artifact, make, bound, (values, instance))

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
