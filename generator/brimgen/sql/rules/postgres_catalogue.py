"""The functions, operators, casts and types of PostgreSQL.

`catalogues/postgres.txt` is what a server says of itself. A type that is not known here is
`ANYTHING`, which fits wherever some type would. Among the functions and operators of a name is
chosen by the rules of the manual: operators (10.2), functions (10.3), and the common type of
UNION, CASE and the like (10.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from brimgen.frozen import dataclass

UNKNOWN = "unknown"
"""The type of a string literal, of NULL and of a parameter, until what is beside it decides."""
ANYTHING = ""
"""A type that is not known here."""
_ELEMENTS = frozenset({"anyelement", "anynonarray", "anyenum"})
_COMPATIBLE = frozenset({"anycompatible", "anycompatiblenonarray"})
POLYMORPHIC = frozenset(
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
    """What the server says of itself; signatures are read when their name is asked for.

    ``offered`` are the functions that people call; the others stand behind operators and the like.
    """

    categories: Mapping[str, str]
    preferred: frozenset[str]
    casts: Mapping[tuple[str, str], str]
    operators: Mapping[str, Sequence[str]]
    functions: Mapping[str, Sequence[str]]
    offered: frozenset[str]
    outputs: Mapping[str, str]


@cache
def catalogue() -> Catalogue:
    """Read the catalogue, once."""
    path = Path(__file__).parent / "catalogues" / "postgres.txt"
    categories: dict[str, str] = {}
    preferred: set[str] = set()
    casts: dict[tuple[str, str], str] = {}
    operators: dict[str, Sequence[str]] = {}
    functions: dict[str, Sequence[str]] = {}
    offered: set[str] = set()
    outputs: dict[str, str] = {}
    for line in path.read_text(encoding="ascii").splitlines():
        subject, name, *rest = line.split(" ")
        if subject in ("function", "internal"):
            functions[name] = (*functions.get(name, ()), *rest)
            if subject == "function":
                offered.add(name)
        elif subject == "operator":
            operators[name] = rest
        elif subject == "outputs":
            outputs[name] = ANYTHING if name in outputs else rest[0]
        elif subject == "cast":
            casts |= {(name, target): rest[0] for target in rest[1:]}
        elif subject == "type":
            categories[name] = rest[0][0]
            if rest[0].endswith("*"):
                preferred.add(name)
    return Catalogue(
        categories,
        frozenset(preferred),
        casts,
        operators,
        functions,
        frozenset(offered),
        outputs,
    )


def outputs_of(name: str) -> tuple[tuple[str, str], ...]:
    """Return the named columns of a function, each with its type; none where it has none."""
    text = catalogue().outputs.get(name, "")
    pairs = [output.partition(":") for output in text.split(",") if output]
    return tuple((column, type) for column, _, type in pairs)


@cache
def operators(name: str) -> tuple[Signature, ...] | None:
    """Return the operators of a name; None if there is none."""
    texts = catalogue().operators.get(name)
    return None if texts is None else tuple(map(_signature, texts))


@cache
def functions(name: str) -> tuple[Signature, ...] | None:
    """Return the functions of a name; None if there is none."""
    texts = catalogue().functions.get(name)
    if texts is None:
        return None
    signatures: list[Signature] = []
    kind = "f"
    for text in texts:
        if len(text) == 1:
            kind = text
        else:
            signature = _signature(text, kind)
            arguments = tuple(
                argument if argument.removeprefix("_") in _type_names() else ANYTHING
                for argument in signature.arguments
            )
            signatures.append(signature._replace(arguments=arguments))
    return tuple(signatures)


@cache
def _type_names() -> frozenset[str]:
    return frozenset(catalogue().categories)


def _signature(text: str, kind: str = "f") -> Signature:
    strict = not text.startswith("!")
    taken, _, result = text.removeprefix("!").partition(">")
    taken, _, optional = taken.partition("=")
    arguments = taken.split(",") if taken else []
    variadic = bool(arguments) and arguments[-1].startswith("*")
    names = tuple(argument.removeprefix("*") for argument in arguments)
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
    if target in POLYMORPHIC:
        return "i" if _fits_polymorphic(source, target) else ""
    if source.startswith("_") and target.startswith("_"):
        return cast_kind(source[1:], target[1:])
    kind = catalogue().casts.get((source, target), "")
    if kind:
        return kind
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
    signatures = operators(name)
    if signatures is None:
        return None
    arity = len(operands)
    candidates = [
        signature._replace(arguments=tuple(filter(None, signature.arguments)))
        for signature in signatures
        if len([argument for argument in signature.arguments if argument]) == arity
    ]
    guess = tuple(operands)
    if arity == 2 and operands.count(UNKNOWN) == 1:
        same = next(operand for operand in operands if operand != UNKNOWN)
        guess = (same, same)
        exact = [signature for signature in candidates if signature.arguments == guess]
        if exact:
            return (Choice(exact[0], exact[0].arguments, exact[0].result),)
    return _choose(candidates, tuple(operands))


def resolve_call(name: str, arguments: Sequence[str]) -> tuple[Choice, ...] | None:
    """Choose the function for its arguments; like `resolve_operator`."""
    signatures = functions(name)
    if signatures is None:
        return None
    expanded = [
        _expand(signature, len(arguments))
        for signature in signatures
        if _takes(signature, len(arguments))
    ]
    return _choose(expanded, tuple(arguments))


def _takes(signature: Signature, count: int) -> bool:
    most = len(signature.arguments)
    if signature.variadic:
        return count >= most - 1
    return most - signature.optional <= count <= most


def _expand(signature: Signature, count: int) -> Signature:
    """A signature with as many arguments as are given."""
    taken = signature.arguments
    if signature.variadic:
        last = taken[-1]
        taken = (*taken[:-1], *[last] * (count - len(taken) + 1))
    return signature._replace(arguments=taken[:count])


def _choose(candidates: list[Signature], types: tuple[str, ...]) -> tuple[Choice, ...]:
    exact = [signature for signature in candidates if signature.arguments == types]
    if exact:
        return (_choice(exact[0], types),)
    fitting = [signature for signature in candidates if _fits(signature, types)]
    if len(fitting) > 1 and ANYTHING not in types:
        fitting = _narrow(fitting, types)
    certain = len(fitting) == 1
    return tuple(_choice(signature, types, certain=certain) for signature in fitting)


def _fits(signature: Signature, types: tuple[str, ...]) -> bool:
    if not all(
        cast_kind(one, taken) == "i"
        for one, taken in zip(types, signature.arguments, strict=True)
    ):
        return False
    return _bind(signature, types) is not None


def _narrow(fitting: list[Signature], types: tuple[str, ...]) -> list[Signature]:
    """Steps 4a to 4e of the manual: exact matches, preferred types, the category of unknowns."""

    def most(count: Sequence[int]) -> list[Signature]:
        best = max(count)
        return [
            signature
            for signature, number in zip(fitting, count, strict=True)
            if number == best
        ]

    preferred = catalogue().preferred
    fitting = most(
        [sum(map(_is_exact, types, signature.arguments)) for signature in fitting]
    )
    if len(fitting) == 1:
        return fitting
    fitting = most(
        [
            sum(
                one == taken
                or (taken in preferred and category(one) == category(taken))
                for one, taken in zip(types, signature.arguments, strict=True)
                if one != UNKNOWN
            )
            for signature in fitting
        ]
    )
    if len(fitting) == 1 or UNKNOWN not in types:
        return fitting
    by_category = _narrow_by_category(fitting, types)
    if len(by_category) == 1:
        return by_category
    known_types = {type for type in types if type != UNKNOWN}
    if len(known_types) == 1:
        whole = tuple(known_types) * len(types)
        again = [signature for signature in fitting if _fits(signature, whole)]
        if len(again) == 1:
            return again
    return by_category or fitting


def _is_exact(one: str, taken: str) -> bool:
    return one == taken and one != UNKNOWN


def _narrow_by_category(
    fitting: list[Signature], types: tuple[str, ...]
) -> list[Signature]:
    preferred = catalogue().preferred
    for at, one in enumerate(types):
        if one != UNKNOWN:
            continue
        categories = {category(signature.arguments[at]) for signature in fitting}
        if "S" in categories:
            chosen = "S"
        elif len(categories) == 1:
            (chosen,) = categories
        else:
            return []
        fitting = [
            signature
            for signature in fitting
            if category(signature.arguments[at]) == chosen
        ]
        best = [
            signature for signature in fitting if signature.arguments[at] in preferred
        ]
        fitting = best or fitting
    return fitting


def _choice(
    signature: Signature, types: tuple[str, ...], *, certain: bool = True
) -> Choice:
    bound = _bind(signature, types) or {}
    arguments = tuple(bound.get(argument, argument) for argument in signature.arguments)
    result = bound.get(signature.result, signature.result)
    return Choice(signature, arguments, result, certain)


def _bind(signature: Signature, types: tuple[str, ...]) -> dict[str, str] | None:
    """The types that polymorphic arguments stand for; None where the given ones contradict."""
    taken = [argument for argument in signature.arguments if argument in POLYMORPHIC]
    if not taken and signature.result not in POLYMORPHIC:
        return {}
    items: set[str] = set()
    compatible: list[str] = []
    unsure = False
    for type, parameter in zip(types, signature.arguments, strict=True):
        if parameter not in POLYMORPHIC or parameter == "any":
            continue
        unsure = unsure or type == ANYTHING
        if type in (UNKNOWN, ANYTHING):
            continue
        is_array = "array" in parameter and "non" not in parameter
        item = type.removeprefix("_") if is_array else type
        if "compatible" in parameter:
            compatible.append(item)
        else:
            items.add(item)
    if (
        len(items) > 1
        and not unsure
        and not any("range" in argument for argument in taken)
    ):
        return None
    item = next(iter(items), ANYTHING)
    shared = common_type([*compatible, *[UNKNOWN] * (len(taken) - len(compatible))])
    if compatible and shared is None and not unsure:
        return None
    if unsure:
        item, shared = ANYTHING, ANYTHING
    return dict(_bindings(item, False)) | dict(_bindings(shared or ANYTHING, True))


def _bindings(item: str, compatible: bool) -> Iterator[tuple[str, str]]:
    for pseudo_type in POLYMORPHIC - {"any"}:
        if ("compatible" in pseudo_type) is not compatible:
            continue
        if "array" in pseudo_type and "non" not in pseudo_type:
            yield pseudo_type, f"_{item}" if item else ANYTHING
        elif "range" in pseudo_type:
            yield pseudo_type, item if item.endswith("range") else ANYTHING
        else:
            yield pseudo_type, ANYTHING if item.endswith("range") else item


def common_type(types: Sequence[str]) -> str | None:
    """Return the type of UNION, CASE and the like (manual 10.5).

    `UNKNOWN` where all are, `ANYTHING` where one is not known, None where they do not match.
    """
    if ANYTHING in types:
        return ANYTHING
    known_types = [type for type in types if type != UNKNOWN]
    if not known_types:
        return UNKNOWN
    candidate = known_types[0]
    for next_type in known_types[1:]:
        if next_type == candidate:
            continue
        if category(next_type) != category(candidate) or not (
            is_known(next_type) and is_known(candidate)
        ):
            return None if is_known(next_type) and is_known(candidate) else ANYTHING
        if (
            candidate not in catalogue().preferred
            and cast_kind(candidate, next_type) == "i"
            and cast_kind(next_type, candidate) != "i"
        ):
            candidate = next_type
    return (
        candidate
        if all(cast_kind(type, candidate) == "i" for type in known_types)
        else None
    )
