"""How PostgreSQL chooses among the functions and operators of a name.

The rules are those of its manual: operators (10.2), functions (10.3), and the common type of UNION,
CASE and the like (10.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from brimgen.sqlschema.dialects.postgres_catalogue import (
    ANYTHING,
    POLYMORPHIC,
    UNKNOWN,
    Signature,
    cast_kind,
    catalogue,
    category,
    functions,
    is_known,
    operators,
)


class Choice(NamedTuple):
    """What a call or an operator means: its signature, the types of its arguments, its result.

    ``result`` and single ``arguments`` are `ANYTHING` where they depend on a type that is not
    known. ``certain`` is False where another signature could be meant.
    """

    signature: Signature
    arguments: tuple[str, ...]
    result: str
    certain: bool = True


def resolve_operator(name: str, operands: Sequence[str]) -> tuple[Choice, ...] | None:
    """Choose the operator for its operands (one, or two).

    Several choices are returned where it depends on what is not known; none where there is no
    such operator; None where the name is of no operator.
    """
    known = operators(name)
    if known is None:
        return None
    arity = len(operands)
    found = [
        each._replace(arguments=tuple(filter(None, each.arguments)))
        for each in known
        if len([one for one in each.arguments if one]) == arity
    ]
    guess = tuple(operands)
    if arity == 2 and operands.count(UNKNOWN) == 1:
        same = next(operand for operand in operands if operand != UNKNOWN)
        guess = (same, same)
        exact = [each for each in found if each.arguments == guess]
        if exact:
            return (Choice(exact[0], exact[0].arguments, exact[0].result),)
    return _choose(found, tuple(operands))


def resolve_call(name: str, arguments: Sequence[str]) -> tuple[Choice, ...] | None:
    """Choose the function for its arguments; like `resolve_operator`."""
    known = functions(name)
    if known is None:
        return None
    expanded = [
        _expanded(each, len(arguments))
        for each in known
        if _takes(each, len(arguments))
    ]
    return _choose(expanded, tuple(arguments))


def _takes(signature: Signature, count: int) -> bool:
    most = len(signature.arguments)
    if signature.variadic:
        return count >= most - 1
    return most - signature.optional <= count <= most


def _expanded(signature: Signature, count: int) -> Signature:
    """A signature with as many arguments as are given."""
    taken = signature.arguments
    if signature.variadic:
        last = taken[-1]
        taken = (*taken[:-1], *[last] * (count - len(taken) + 1))
    return signature._replace(arguments=taken[:count])


def _choose(found: list[Signature], given: tuple[str, ...]) -> tuple[Choice, ...]:
    exact = [each for each in found if each.arguments == given]
    if exact:
        return (_choice(exact[0], given),)
    fitting = [each for each in found if _fits(each, given)]
    if len(fitting) > 1 and ANYTHING not in given:
        fitting = _narrowed(fitting, given)
    certain = len(fitting) == 1
    return tuple(_choice(each, given, certain=certain) for each in fitting)


def _fits(signature: Signature, given: tuple[str, ...]) -> bool:
    if not all(
        cast_kind(one, taken) == "i"
        for one, taken in zip(given, signature.arguments, strict=True)
    ):
        return False
    return _bind(signature, given) is not None


def _narrowed(fitting: list[Signature], given: tuple[str, ...]) -> list[Signature]:
    """Steps 4a to 4e of the manual: exact matches, preferred types, the category of unknowns."""

    def most(count: Sequence[int]) -> list[Signature]:
        best = max(count)
        return [
            each for each, number in zip(fitting, count, strict=True) if number == best
        ]

    preferred = catalogue().preferred
    fitting = most([sum(map(_same, given, each.arguments)) for each in fitting])
    if len(fitting) == 1:
        return fitting
    fitting = most(
        [
            sum(
                one == taken
                or (taken in preferred and category(one) == category(taken))
                for one, taken in zip(given, each.arguments, strict=True)
                if one != UNKNOWN
            )
            for each in fitting
        ]
    )
    if len(fitting) == 1 or UNKNOWN not in given:
        return fitting
    by_category = _of_unknown_category(fitting, given)
    if len(by_category) == 1:
        return by_category
    known = {each for each in given if each != UNKNOWN}
    if len(known) == 1:
        whole = tuple(known) * len(given)
        again = [each for each in fitting if _fits(each, whole)]
        if len(again) == 1:
            return again
    return by_category or fitting


def _same(one: str, taken: str) -> bool:
    return one == taken and one != UNKNOWN


def _of_unknown_category(
    fitting: list[Signature], given: tuple[str, ...]
) -> list[Signature]:
    preferred = catalogue().preferred
    for at, one in enumerate(given):
        if one != UNKNOWN:
            continue
        categories = {category(each.arguments[at]) for each in fitting}
        if "S" in categories:
            chosen = "S"
        elif len(categories) == 1:
            (chosen,) = categories
        else:
            return []
        fitting = [each for each in fitting if category(each.arguments[at]) == chosen]
        best = [each for each in fitting if each.arguments[at] in preferred]
        fitting = best or fitting
    return fitting


def _choice(
    signature: Signature, given: tuple[str, ...], *, certain: bool = True
) -> Choice:
    bound = _bind(signature, given) or {}
    arguments = tuple(bound.get(argument, argument) for argument in signature.arguments)
    result = bound.get(signature.result, signature.result)
    return Choice(signature, arguments, result, certain)


def _bind(signature: Signature, given: tuple[str, ...]) -> dict[str, str] | None:
    """The types that polymorphic arguments stand for; None where the given ones contradict."""
    taken = [argument for argument in signature.arguments if argument in POLYMORPHIC]
    if not taken and signature.result not in POLYMORPHIC:
        return {}
    items: set[str] = set()
    compatible: list[str] = []
    unsure = False
    for one, each in zip(given, signature.arguments, strict=True):
        if each not in POLYMORPHIC or each == "any":
            continue
        item = one
        if "array" in each and "non" not in each and one not in (UNKNOWN, ANYTHING):
            item = one.removeprefix("_")
        elif "range" in each and one not in (UNKNOWN, ANYTHING):
            item = one
        unsure = unsure or one == ANYTHING
        if one in (UNKNOWN, ANYTHING):
            continue
        compatible.append(item) if "compatible" in each else items.add(item)
    if len(items) > 1 and not unsure and not any("range" in each for each in taken):
        return None
    item = next(iter(items), ANYTHING)
    shared = common_type([*compatible, *[UNKNOWN] * (len(taken) - len(compatible))])
    if compatible and shared is None and not unsure:
        return None
    if unsure:
        item, shared = ANYTHING, ANYTHING
    return dict(_bound(item, False)) | dict(_bound(shared or ANYTHING, True))


def _bound(item: str, compatible: bool) -> Iterator[tuple[str, str]]:
    for each in POLYMORPHIC - {"any"}:
        if ("compatible" in each) is not compatible:
            continue
        if "array" in each and "non" not in each:
            yield each, f"_{item}" if item else ANYTHING
        elif "range" in each:
            yield each, item if item.endswith("range") else ANYTHING
        else:
            yield each, ANYTHING if item.endswith("range") else item


def common_type(types: Sequence[str]) -> str | None:
    """Return the type of UNION, CASE and the like (manual 10.5).

    `UNKNOWN` where all are, `ANYTHING` where one is not known, None where they do not match.
    """
    if ANYTHING in types:
        return ANYTHING
    known = [type for type in types if type != UNKNOWN]
    if not known:
        return UNKNOWN
    candidate = known[0]
    for each in known[1:]:
        if each == candidate:
            continue
        if category(each) != category(candidate) or not (
            is_known(each) and is_known(candidate)
        ):
            return None if is_known(each) and is_known(candidate) else ANYTHING
        if (
            candidate not in catalogue().preferred
            and cast_kind(candidate, each) == "i"
            and cast_kind(each, candidate) != "i"
        ):
            candidate = each
    return (
        candidate if all(cast_kind(each, candidate) == "i" for each in known) else None
    )
