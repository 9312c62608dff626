"""Decode a response into the value that the tool returns, or explain why there is none.

A service may learn new properties and new values of an enum, send null for what it does not have,
and answer with another code of success. None of that changes the meaning of the rest, so it is
kept, and told to the log; a tool with ``strict_results`` refuses it.
"""

from __future__ import annotations

import logging
from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from ..records.results import with_digits
from ..schema.errors import MISSING, REDACTED, InputError, Violation
from ..schema.json_text import parse_json
from ..schema.lenient import leniently
from ..schema.validator import Validator
from ._excerpts import declared, is_compressed
from ._outcome import ErrorCode, Failed, HttpError, Ok, Result
from ._plan import Plan
from ._relaxed import relaxed
from ._transport import Answer

T = TypeVar("T")

_LOG = logging.getLogger(__name__)
_MOST_VIOLATIONS = 20
UNKNOWN = "unknown"
"""The rule of a violation that is a property nobody declared."""


class _Unreadable(ValueError):
    """An answer that is not what it should be."""


class _Empty(_Unreadable):
    """An answer without JSON."""


def read(plan: Plan, answer: Answer, decode: Callable[[Any], T]) -> Result[T]:
    """Return the value of an answer that has a success code, checked by the output schema."""
    if plan.success_codes and answer.status not in plan.success_codes:
        _tell(plan, f"its status {answer.status} is not among those of the tool")
    try:
        raw = _raw(plan, answer)
    except _Unreadable as problem:
        if isinstance(problem, _Empty) and _may_be_nothing(plan, answer):
            nothing: Ok[Any] = Ok(None, None)
            return nothing
        message = f"{plan.tool}: the answer {problem}"
        return _failed("invalid_response", message, answer)
    output = plan.output
    try:
        if output is None or output.is_valid(raw):
            return Ok(decode(raw), with_digits(raw, plan.decimals))
        if plan.is_strict:
            return _unfit(plan, answer, output.violations(raw))
        return _read_leniently(plan, output, answer, raw, decode)
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError):
        return _unfit(plan, answer, [])


def _may_be_nothing(plan: Plan, answer: Answer) -> bool:
    """Return whether an answer without content is a success.

    200 promises the value, so it needs one, except where null is one.
    """
    if plan.output is None or plan.output.is_valid(None):
        return True
    if plan.is_strict or answer.status == 200:
        return False
    _tell(plan, f"with status {answer.status} it has no content, so there is no value")
    return True


def _read_leniently(
    plan: Plan,
    output: Validator,
    answer: Answer,
    raw: Any,
    decode: Callable[[Any], T],
) -> Result[T]:
    """Return the value of an answer that is not quite what the tool returns."""
    lenient = _relaxed(output)
    kept = lenient.drop_nulls(raw)
    news = output.violations(raw)
    if not lenient.is_valid(kept):
        return _unfit(plan, answer, _explaining(lenient.violations(kept), news))
    with leniently():
        value = Ok(decode(kept), with_digits(kept, plan.decimals))
    told = [_without_value(each).message for each in news[:_MOST_VIOLATIONS]]
    _tell(plan, "; ".join(told))
    return value


def _tell(plan: Plan, what: str) -> None:
    _LOG.warning("%s: the answer is tolerated: %s", plan.tool, what)


@lru_cache(maxsize=256)
def _relaxed(output: Validator) -> Validator:
    leaves = output.compiler().leaves
    return Validator(relaxed(output.schema), tool=output.tool, leaves=leaves)


def _unfit(plan: Plan, answer: Answer, violations: Sequence[Violation]) -> Failed:
    message = f"{plan.tool}: the answer is not what the tool returns"
    told = tuple(map(_without_value, violations[:_MOST_VIOLATIONS]))
    return _failed("invalid_output", message, answer, told)


def _explaining(
    wrong: Sequence[Violation], news: Sequence[Violation]
) -> list[Violation]:
    """Return the violations that explain why an answer was refused.

    Unknown properties do no harm. But where a property is missing, an unknown one beside it may be
    that property under another name, so it is named as well.
    """
    lacking = {_holder(each) for each in wrong if each.rule == "required"}
    beside = [
        each for each in news if each.rule == UNKNOWN and _holder(each) in lacking
    ]
    return [*wrong, *beside]


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
    if plan.reads == "base64":
        return b64encode(answer.body).decode("ascii")
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
