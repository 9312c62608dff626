"""Known: parts of a schema in; another right value, or the part that has none, out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from brimgen.agreement.instances import Instances, NoValue
from brimgen.agreement.parts import pointer_of

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


def stuck(
    made: Instances, schema: Any, pointer: str = ""
) -> tuple[str, Mapping[str, Any]]:
    """The innermost part of a schema without a known value that has none itself, and where."""
    flat = made.flat(schema)
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
            return stuck(made, part, where)
    return pointer, flat
