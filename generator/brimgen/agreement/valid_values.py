"""Find further valid values of a schema, or the part for which none is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from brimgen.agreement.instances import Instances, NoValue
from brimgen.agreement.schema_parts import pointer_of
from brimgen.frozen import dataclass

_MOST = 200


def another(made: Instances, schema: Mapping[str, Any], taken: Sequence[Any]) -> Any:
    """A value that ``schema`` admits, and none of ``taken`` if it is easy to find one.

    Raises `NoValue`.
    """
    known = made.right(schema)
    if known not in taken:
        return known
    for each in islice(made.of_schema(schema, 0), _MOST):
        is_plain = type(each) is type(known) and str(each).isalnum()
        if is_plain and each not in taken and made.admits(schema, each):
            return each
    return known


@dataclass(frozen=True, slots=True)
class Stuck:
    """The innermost part of a schema that no value is known for, and where values meet it.

    ``is_endless`` says that it stands within itself, so that its values would never end.
    """

    pointer: str
    part: Mapping[str, Any]
    is_endless: bool = False


def stuck(made: Instances, schema: Any) -> Stuck:
    """Why no value is known for a schema that has none: the part of it that has none itself."""
    met: list[Any] = [schema]
    pointer = ""
    while True:
        flat = made.flat(schema)
        inner = _valueless(made, flat, pointer)
        if inner is None:
            return Stuck(pointer, flat)
        pointer, schema = inner
        if schema in met:
            return Stuck(pointer, made.flat(schema), is_endless=True)
        met.append(schema)


def _valueless(
    made: Instances, flat: Mapping[str, Any], pointer: str
) -> tuple[str, Any] | None:
    """The first part that a value cannot be without and that has no known value, and where."""
    known = flat.get("properties", {})
    inside = [
        (f"{pointer}{pointer_of([name])}", known.get(name, {}))
        for name in flat.get("required", ())
    ]
    if "items" in flat:
        inside.append((f"{pointer}/0", flat["items"]))
    for where, part in inside:
        try:
            made.right(part, where.count("/"))
        except NoValue:
            return where, part
    return None
