"""Examples: whole calls for ``input_examples``, of which every one is accepted by the schema.

The author's own stand under ``x-input-examples`` at the tool, or in the ``examples`` of a
Standard-mode root. Without any, calls are put together from the examples of the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from brimgen.emit.projection.keywords import is_object, rewritten
from brimgen.emit.projection.patterns import is_quick
from brimgen.emit.projection.values import plain, shown
from brimgen.model.catalog import Tool
from brimgen.model.fields import Field
from brimgen.model.json import Json, JsonObject

OWN = "x-input-examples"
MOST = 3
"""Calls that are put together from the examples of arguments; more tell a model nothing new."""


def input_examples(tool: Tool) -> tuple[JsonObject, ...]:
    """The examples that go out with ``tool``; what its schema refuses does not."""
    own = _own(tool)
    schema = plain(tool.enforced_schema)
    if own is None and _quickly(schema) != schema:
        return ()
    candidates = own if own is not None else _composed(tool)
    accepted = [each for each in candidates if is_object(each)]
    if not accepted:
        return ()
    rejection = _judge(tool)
    return tuple(each for each in accepted if rejection(each) is None)


def wrong_with(tool: Tool) -> Iterator[str]:
    """Why examples of the author's cannot go out, in words."""
    said = tool.extensions.get(OWN)
    if said is not None and not isinstance(said, list | tuple):
        yield f"`{OWN}` is not a list"
        return
    own = _own(tool)
    if not own:
        return
    rejection = _judge(tool)
    for each in own:
        reason = rejection(each) if is_object(each) else "it is not an object"
        if reason is not None:
            yield f"{shown(each)}: {reason}"


def _own(tool: Tool) -> list[Json] | None:
    said = tool.extensions.get(OWN, tool.input_schema.get("examples"))
    return list(said) if isinstance(said, list | tuple) else None


def _composed(tool: Tool) -> list[Json]:
    """Calls with every example there is; none where a required argument has no value to show."""
    known = {field.name: _values(field) for field in tool.caller_fields}
    required = [field.name for field in tool.caller_fields if field.required]
    if any(not known[name] for name in required):
        return []
    given = {name: values for name, values in known.items() if values}
    if not any("examples" in field.schema for field in tool.caller_fields):
        return []
    calls: list[Json] = []
    for turn in range(min(MOST, max(map(len, given.values()), default=0))):
        calls.append(
            {name: values[min(turn, len(values) - 1)] for name, values in given.items()}
        )
    return calls


def _values(field: Field) -> list[Json]:
    schema = field.schema
    examples = schema.get("examples")
    if isinstance(examples, list | tuple) and examples:
        return list(examples)
    if not field.required:
        return []
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    if isinstance(values, list | tuple) and values:
        return list(values[:1])
    return [True] if schema.get("type") == "boolean" else []


def _judge(tool: Tool) -> Callable[[JsonObject], str | None]:
    """What gives the reason for which a call is refused, or None.

    Patterns come from specs: of them only those run at build time that any engine is done with at
    once (promises.md 3). The author answers for the others in examples of their own.
    """
    from brimgen.runtime._engine.errors import SchemaError
    from brimgen.runtime._engine.schema import Validator

    validator = Validator(_quickly(plain(tool.enforced_schema)), tool=tool.name)

    def rejection(call: JsonObject) -> str | None:
        try:
            violations = validator.violations(plain(call))
        except SchemaError as problem:
            return str(problem)
        return violations[0].message if violations else None

    return rejection


def _quickly(schema: Json) -> Any:
    """``schema`` without the patterns that could take long."""
    if not is_object(schema):
        return schema
    left: set[str] = set()
    if not is_quick(str(schema.get("pattern", ""))):
        left.add("pattern")
    named = schema.get("patternProperties")
    if is_object(named) and not all(map(is_quick, named)):
        left |= {"patternProperties", "additionalProperties", "unevaluatedProperties"}
    return {
        keyword: rewritten(keyword, value, "", lambda each, _: _quickly(each))
        for keyword, value in schema.items()
        if keyword not in left
    }
