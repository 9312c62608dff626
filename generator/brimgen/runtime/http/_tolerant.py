"""Remove what a tool does not know from a response that its schema refuses.

A service may send more than the spec knows, and null for missing values; neither changes the
meaning of the rest. What remains must be valid by the unchanged schema.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from .._runtime.errors import InputError
from .._runtime.validator import Validator

UNKNOWN = "unknown"
"""The rule of a violation that is a property nobody declared."""


def tolerated(raw: Any, refused: InputError) -> Any:
    """Return ``raw``, which ``refused`` is about, without what may be left out of it.

    These are the properties that a closed object does not know, and the nulls that mean "absent"
    (the null rule). Changes ``raw`` in place, where it is of JSON's own types; the answer is None
    where nothing may be left out.
    """
    schema, value = refused.args[1:3]
    if not isinstance(schema, Validator) or value is not raw:
        return None
    # The error collects its findings before ``raw`` is changed.
    findings = schema.all_findings(raw) if refused.omitted else refused.findings
    if _forget([finding[0] for finding in findings if finding[1] == UNKNOWN], raw):
        return raw
    left = schema.drop_nulls(raw)
    return None if left is raw else left


def _forget(paths: Sequence[Any], raw: Any) -> bool:
    """Delete the properties that the paths lead to; return whether there was one."""
    found = [(_at(parent, raw), name) for parent, name in paths]
    objects = [
        (cast("dict[str, Any]", holder), name)
        for holder, name in found
        if isinstance(holder, dict)
    ]
    for holder, name in objects:
        holder.pop(name, None)
    return bool(objects)


def _at(path: Any, raw: Any) -> Any:
    """Return what a path leads to."""
    if path is None:
        return raw
    parent, step = path
    return _at(parent, raw)[step]
