"""Decode a response into the value that the tool returns, or explain why there is none.

A service may send more than the spec knows, and null for missing values; neither changes the
meaning of the rest. Both are removed from a response that its schema refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar, cast

from .._runtime import parse_json
from .._runtime.decode import to_plain
from .._runtime.encode import to_json_value
from .._runtime.errors import MISSING, REDACTED, InputError, Violation
from .._runtime.validator import Validator
from ._excerpts import declared, is_compressed
from ._outcome import ErrorCode, Failed, HttpError, Ok, Result
from ._plan import Place, Plan
from ._transport import Answer

T = TypeVar("T")

_MOST_VIOLATIONS = 20
UNKNOWN = "unknown"
"""The rule of a violation that is a property nobody declared."""


class _Unreadable(ValueError):
    """An answer that is not what it should be."""


class _Empty(_Unreadable):
    """An answer without JSON."""


def read(plan: Plan, answer: Answer, decode: Callable[[Any], T]) -> Result[T]:
    """Return the value of an answer that has a success code, checked by the output schema."""
    try:
        raw = _raw(plan, answer)
    except _Unreadable as problem:
        nothing = _nothing(decode) if isinstance(problem, _Empty) else None
        if nothing is not None:
            return nothing
        message = f"{plan.tool}: the answer {problem}"
        return _failed("invalid_response", message, answer)
    first: InputError | None = None
    while True:
        try:
            return Ok(decode(raw), with_digits(raw, plan.decimals))
        except InputError as refused:
            first = first or refused
            reduced = None if plan.is_strict else tolerated(raw, refused)
            if reduced is None:
                return _unfit(plan, answer, _explaining(first, refused))
            raw = reduced
        except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError):
            return _unfit(plan, answer)


def _nothing(decode: Callable[[Any], T]) -> Ok[T] | None:
    """Return the value of an answer without content, where null is one."""
    try:
        return Ok(decode(None), None)
    except (ValueError, TypeError, LookupError, ArithmeticError):
        return None


def _unfit(
    plan: Plan, answer: Answer, violations: tuple[Violation, ...] = ()
) -> Failed:
    message = f"{plan.tool}: the answer is not what the tool returns"
    return _failed("invalid_output", message, answer, violations)


def _explaining(first: InputError, last: InputError) -> tuple[Violation, ...]:
    """Return the violations that explain why an answer was refused.

    Unknown properties were removed and do no harm. But where a property is missing, an unknown one
    beside it may be that property under another name, so it is named as well.
    """
    violations = [*last.violations]
    if first is not last:
        lacking = {
            _holder(violation)
            for violation in violations
            if violation.rule == "required"
        }
        violations += [
            violation
            for violation in first.violations
            if violation.rule == UNKNOWN and _holder(violation) in lacking
        ]
    return tuple(map(_without_value, violations[:_MOST_VIOLATIONS]))


def _holder(violation: Violation) -> str:
    """Return the pointer of the object that lacks a property, or does not know it."""
    return violation.pointer.rpartition("/")[0]


def _failed(
    code: ErrorCode,
    message: str,
    answer: Answer,
    violations: tuple[Violation, ...] = (),
) -> Failed:
    return Failed(
        HttpError(
            code=code,
            message=message,
            status=answer.status,
            violations=violations,
            detail="; ".join(violation.message for violation in violations) or None,
        )
    )


def _without_value(violation: Violation) -> Violation:
    """Return a violation without the value: an answer may echo what it was sent."""
    if violation.value is MISSING:
        return violation
    name = violation.pointer[1:] or "output"
    message = f"{name}: expected {violation.expected}"
    return Violation(
        violation.pointer, violation.rule, violation.expected, REDACTED, message
    )


def _raw(plan: Plan, answer: Answer) -> Any:
    if plan.reads is None:
        return None
    if is_compressed(answer):
        raise _Unreadable("is compressed, which was not asked for, and is not read")
    if plan.reads == "text":
        return _text(answer)
    if not answer.body.strip():
        raise _Empty("is empty")
    try:
        return parse_json(answer.body)
    except InputError as refused:
        kind = declared(answer)[0]
        if kind is not None and "json" not in kind and answer.body.lstrip()[:1] == b"<":
            raise _Unreadable(f"is {kind}, and not JSON") from None
        raise _Unreadable(f"is {refused.violations[0].expected}") from None


def _text(answer: Answer) -> str:
    name = declared(answer)[1]
    if name is None:
        raise _Unreadable("is in a character set that is not read here")
    try:
        return answer.body.decode(name)
    except UnicodeDecodeError:
        raise _Unreadable(f"has bytes that are no {name.upper()}") from None


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
    reduced = schema.drop_nulls(raw)
    return None if reduced is raw else reduced


def _forget(paths: Sequence[Any], raw: Any) -> bool:
    """Delete the properties that the paths lead to; return whether there was one."""
    pairs = [(_value_at(parent, raw), name) for parent, name in paths]
    objects = [
        (cast("dict[str, Any]", holder), name)
        for holder, name in pairs
        if isinstance(holder, dict)
    ]
    for holder, name in objects:
        holder.pop(name, None)
    return bool(objects)


def _value_at(path: Any, raw: Any) -> Any:
    """Return what a path leads to."""
    if path is None:
        return raw
    parent, step = path
    return _value_at(parent, raw)[step]


def with_digits(raw: Any, decimals: tuple[Place, ...]) -> Any:
    """Return ``raw``, as it was parsed, as JSON in which only what stands at ``decimals`` can be a
    Decimal: where no int or float says it exactly, as in ``to_dict`` of a generated class.

    Every other number is an int or the float nearest to it.
    """
    return _converted(raw, _tree(decimals)) if decimals else to_plain(raw)


class _Tree(dict[str | None, "_Tree"]):
    """The places of decimals, by their first step; an empty tree stands for every place."""


@lru_cache(maxsize=256)
def _tree(places: tuple[Place, ...]) -> _Tree:
    tree = _Tree()
    for place in places:
        node = tree
        for step in place:
            node = node.setdefault(step, _Tree())
    return tree


def _converted(raw: Any, tree: _Tree) -> Any:
    if not tree:
        return to_json_value(raw)
    wildcard = tree.get(None)
    if isinstance(raw, dict):
        items = cast("Any", raw).items()
        return {
            name: _converted_item(item, tree.get(name, wildcard))
            for name, item in items
        }
    if isinstance(raw, list):
        return [_converted_item(item, wildcard) for item in cast("Any", raw)]
    return to_plain(raw)


def _converted_item(raw: Any, tree: _Tree | None) -> Any:
    return to_plain(raw) if tree is None else _converted(raw, tree)
