"""Find further valid values of a schema, or the part for which none is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from brimgen.agreement.instances import Instances, NoValue
from brimgen.agreement.schema_parts import pointer_of
from brimgen.frozen import dataclass

_MOST = 200


def another_value(
    instances: Instances, schema: Mapping[str, Any], taken: Sequence[Any]
) -> Any:
    """A value that ``schema`` admits, and none of ``taken`` if it is easy to find one.

    Raises `NoValue`.
    """
    first = instances.valid_value(schema)
    if first not in taken:
        return first
    for candidate in islice(instances.of_schema(schema, 0), _MOST):
        is_plain = type(candidate) is type(first) and str(candidate).isalnum()
        if is_plain and candidate not in taken and instances.admits(schema, candidate):
            return candidate
    return first


@dataclass(frozen=True, slots=True)
class StuckPart:
    """The innermost part of a schema that no value is known for, and where values meet it.

    ``is_endless`` says that it stands within itself, so that its values would never end.
    """

    pointer: str
    part: Mapping[str, Any]
    is_endless: bool = False


def find_stuck_part(instances: Instances, schema: Any) -> StuckPart:
    """Why no value is known for a schema that has none: the part of it that has none itself."""
    met: list[Any] = [schema]
    pointer = ""
    while True:
        flat = instances.flat(schema)
        inner = _valueless_part(instances, flat, pointer)
        if inner is None:
            return StuckPart(pointer, flat)
        pointer, schema = inner
        if schema in met:
            return StuckPart(pointer, instances.flat(schema), is_endless=True)
        met.append(schema)


def _valueless_part(
    instances: Instances, flat: Mapping[str, Any], pointer: str
) -> tuple[str, Any] | None:
    """The first part that a value cannot be without and that has no known value, and where."""
    properties = flat.get("properties", {})
    needed = [
        (f"{pointer}{pointer_of([name])}", properties.get(name, {}))
        for name in flat.get("required", ())
    ]
    if "items" in flat:
        needed.append((f"{pointer}/0", flat["items"]))
    for where, part in needed:
        try:
            instances.valid_value(part, where.count("/"))
        except NoValue:
            return where, part
    return None
