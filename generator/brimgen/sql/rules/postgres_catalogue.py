"""The functions, operators, casts and types of PostgreSQL.

`catalogues/postgres.txt` is what a server says of itself. A type that is not known here is
`ANYTHING`, which fits wherever some type would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
