"""Collect whole calls for ``input_examples`` that the schema accepts.

The author's own stand under ``x-input-examples`` at the tool, or in the ``examples`` of a
Standard-mode root. Without any, calls are put together from the examples of the arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.emit.indented import json_line
from brimgen.emit.projection.json_values import plain_json
from brimgen.judging.judgement import Judgement
from brimgen.model.catalog import Tool
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import Field
from brimgen.schema.walk import is_object

OWN = "x-input-examples"
MOST = 3
"""Calls that are put together from the examples of arguments; more tell a model nothing new."""


def input_examples(tool: Tool) -> tuple[JsonObject, ...]:
    """Return the examples that are sent with ``tool``: only calls that its schema accepts.

    Where that cannot be decided in bounded time, because a pattern is too costly, the author's
    own examples are sent, and no call is composed.
    """
    own = _own_examples(tool)
    if own is None:
        calls = [call for call in _composed(tool) if is_object(call)]
        return tuple(call for call in calls if _judged(tool, call).accepts)
    calls = [call for call in own if is_object(call)]
    return tuple(call for call in calls if _judged(tool, call).accepts is not False)


def refused_examples(tool: Tool) -> Iterator[str]:
    """Explain why examples of the author's are left out."""
    examples = tool.extensions.get(OWN)
    if examples is not None and not isinstance(examples, list | tuple):
        yield f"`{OWN}` is not a list"
        return
    for own_example in _own_examples(tool) or ():
        if not is_object(own_example):
            yield f"{json_line(own_example)}: it is not an object"
            continue
        judgement = _judged(tool, own_example)
        if judgement.accepts is False:
            yield f"{json_line(own_example)}: {judgement.why}"


def _own_examples(tool: Tool) -> list[Json] | None:
    examples = tool.extensions.get(OWN, tool.input_schema.get("examples"))
    return list(examples) if isinstance(examples, list | tuple) else None


def _composed(tool: Tool) -> list[Json]:
    """Compose calls from every example there is; none where a required argument has no example."""
    values_by_name = {field.name: _values(field) for field in tool.caller_fields}
    required = [field.name for field in tool.caller_fields if field.required]
    if any(not values_by_name[name] for name in required):
        return []
    filled = {name: values for name, values in values_by_name.items() if values}
    if not any("examples" in field.schema for field in tool.caller_fields):
        return []
    calls: list[Json] = []
    for turn in range(min(MOST, max(map(len, filled.values()), default=0))):
        calls.append(
            {
                name: values[min(turn, len(values) - 1)]
                for name, values in filled.items()
            }
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


def _judged(tool: Tool, call: JsonObject) -> Judgement:
    """Whether ``tool`` accepts ``call``. No pattern is run by an engine that backtracks."""
    from brimgen.judging.rejection import judge

    return judge(plain_json(tool.enforced_schema), plain_json(call))
