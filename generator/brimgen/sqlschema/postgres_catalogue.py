"""The functions, operators, casts and types of PostgreSQL, and how it chooses among them.

`catalogues/postgres.txt` is what a server says of itself. `resolve` follows the rules of
PostgreSQL's manual for operators (10.2) and functions (10.3); a type that is not known here is
`ANYTHING`, which fits wherever some type would.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from brimgen.frozen import dataclass

UNKNOWN = "unknown"
"""The type of a string literal, of NULL and of a parameter, until what is beside it tells more."""
ANYTHING = ""
"""A type that is not known here."""
_ELEMENTS = frozenset({"anyelement", "anynonarray", "anyenum"})
_COMPATIBLE = frozenset({"anycompatible", "anycompatiblenonarray"})
_POLYMORPHIC = frozenset(
    {"any", "anyarray", "anycompatiblearray", "anyrange", "anymultirange"}
    | {"anycompatiblerange", "anycompatiblemultirange"}
    | _ELEMENTS
    | _COMPATIBLE
)


class Signature(NamedTuple):
    """One function or operator of a name.

    ``optional`` of the last ``arguments`` may be left out; ``variadic`` repeats the last one.
    ``kind`` is f for a function, a aggregate, w window function, s function that returns a set.
    """

    arguments: tuple[str, ...]
    result: str
    kind: str = "f"
    optional: int = 0
    variadic: bool = False
    strict: bool = True


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What the server says of itself; signatures are read when their name is asked for."""

    categories: Mapping[str, str]
    preferred: frozenset[str]
    casts: Mapping[tuple[str, str], str]
    operators: Mapping[str, Sequence[str]]
    functions: Mapping[str, Sequence[str]]


class Choice(NamedTuple):
    """What a call or an operator means: its signature, the types of its arguments, its result.

    ``result`` and single ``arguments`` are `ANYTHING` where they depend on a type that is not
    known. ``certain`` is False where another signature could be meant.
    """

    signature: Signature
    arguments: tuple[str, ...]
    result: str
    certain: bool = True


@cache
def catalogue() -> Catalogue:
    """Read the catalogue, once."""
    path = Path(__file__).parent / "catalogues" / "postgres.txt"
    categories: dict[str, str] = {}
    preferred: set[str] = set()
    casts: dict[tuple[str, str], str] = {}
    operators: dict[str, Sequence[str]] = {}
    functions: dict[str, Sequence[str]] = {}
    for line in path.read_text(encoding="ascii").splitlines():
        subject, name, *rest = line.split(" ")
        if subject == "function":
            functions[name] = (*functions.get(name, ()), *rest)
        elif subject == "operator":
            operators[name] = rest
        elif subject == "cast":
            casts |= {(name, target): rest[0] for target in rest[1:]}
        elif subject == "type":
            categories[name] = rest[0][0]
            if rest[0].endswith("*"):
                preferred.add(name)
    return Catalogue(categories, frozenset(preferred), casts, operators, functions)


@cache
def operators(name: str) -> tuple[Signature, ...] | None:
    """Return the operators of a name; None if there is none."""
    texts = catalogue().operators.get(name)
    return None if texts is None else _readable(map(_signature, texts))


@cache
def functions(name: str) -> tuple[Signature, ...] | None:
    """Return the functions of a name; None if there is none."""
    texts = catalogue().functions.get(name)
    if texts is None:
        return None
    made: list[Signature] = []
    kind = "f"
    for text in texts:
        if len(text) == 1:
            kind = text
        else:
            made.append(_signature(text, kind))
    return _readable(made)


def _readable(signatures: Iterable[Signature]) -> tuple[Signature, ...]:
    """Those whose types are all in the catalogue."""
    return tuple(
        each
        for each in signatures
        if all(one.removeprefix("_") in _named() for one in each.arguments)
    )


@cache
def _named() -> frozenset[str]:
    return frozenset((*catalogue().categories, ""))


def _signature(text: str, kind: str = "f") -> Signature:
    strict = not text.startswith("!")
    taken, _, result = text.removeprefix("!").partition(">")
    taken, _, optional = taken.partition("=")
    names = tuple(taken.split(",")) if taken else ()
    variadic = bool(names) and names[-1].startswith("*")
    if variadic:
        names = (*names[:-1], names[-1][1:])
    return Signature(names, result, kind, int(optional or 0), variadic, strict)


def category(type: str) -> str:
    """Return the category of a type: A for arrays, E for enums."""
    if type.startswith("_"):
        return "A"
    if type.startswith("enum "):
        return "E"
    return catalogue().categories.get(type, "U")


def is_known(type: str) -> bool:
    """Whether the catalogue has a type: else it is one of the schema's own."""
    item = type.removeprefix("_")
    return item in catalogue().categories or item.startswith("enum ")


def cast_kind(source: str, target: str) -> str:
    """Return how a type is cast to another one.

    i implicitly, a where it is stored, e where the author says so, empty where it cannot be.
    """
    if source in (target, UNKNOWN) or ANYTHING in (source, target):
        return "i"
    if not (is_known(source) and is_known(target)):
        return "i"
    if target in _POLYMORPHIC or target in _ELEMENTS:
        return "i" if _fits_polymorphic(source, target) else ""
    if source.startswith("_") and target.startswith("_"):
        return cast_kind(source[1:], target[1:])
    found = catalogue().casts.get((source, target), "")
    if found:
        return found
    if category(target) == "S":
        return "a"
    return "e" if category(source) == "S" or "record" in (source, target) else ""


def _fits_polymorphic(source: str, target: str) -> bool:
    if target.endswith("array") and "non" not in target:
        return source.startswith("_") or source in ("int2vector", "oidvector")
    if target.endswith("nonarray"):
        return not source.startswith("_")
    if target == "anyenum":
        return source.startswith("enum ")
    if target.endswith("multirange"):
        return source.endswith("multirange")
    if target.endswith("range"):
        return source.endswith("range") and not source.endswith("multirange")
    return True


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
        same = next(each for each in operands if each != UNKNOWN)
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
    arguments = tuple(bound.get(each, each) for each in signature.arguments)
    result = bound.get(signature.result, signature.result)
    return Choice(signature, arguments, result, certain)


def _bind(signature: Signature, given: tuple[str, ...]) -> dict[str, str] | None:
    """The types that polymorphic arguments stand for; None where the given ones contradict."""
    taken = [each for each in signature.arguments if each in _POLYMORPHIC]
    if not taken and signature.result not in _POLYMORPHIC:
        return {}
    items: set[str] = set()
    compatible: list[str] = []
    unsure = False
    for one, each in zip(given, signature.arguments, strict=True):
        if each not in _POLYMORPHIC or each == "any":
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
    for each in _POLYMORPHIC - {"any"}:
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
    known = [each for each in types if each != UNKNOWN]
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
