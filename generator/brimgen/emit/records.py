"""Records: objects without a name in the catalog in, the ``TypedDict`` classes of a module out."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Iterator

from brimgen.emit.code import Code, bracketed, fits, py
from brimgen.emit.names import class_name
from brimgen.model.types import (
    EntityType,
    EnumType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Type,
    UnionType,
)
from brimgen.regex import regex

_NAMES = regex(r"[^\W\d]\w*")
Annotate = Callable[[Type], str]
"""What writes the annotation of a value, and notes down what it needs imported."""


class Records:
    """The records of one module, each under a name that nothing else in it has.

    ``taken`` are the names that the module has already. ``classes`` are the definitions by name,
    parts before what holds them; ``words`` what they need of ``typing``.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self.classes: dict[Code, Code] = {}
        self.words: set[str] = set()
        self._known: list[tuple[RecordType, Code]] = []
        self._taken = set(taken)

    def name(self, type: RecordType, annotate: Annotate) -> Code:
        """The class of a record, whose names are all known (``extra`` is None); equal ones share
        it. ``annotate`` is asked for the types of its members.
        """
        for known, name in self._known:
            if known == type:
                return name
        wanted = class_name(type.name)
        name, number = wanted, 2
        while name in self._taken:
            name, number = Code(f"{wanted}{number}"), number + 1
        self._taken.add(name)
        self._known.append((type, name))
        members = {each.name: annotate(each.type) for each in type.fields}
        for field in type.fields:
            if not field.required:
                self.words.add("NotRequired")
                members[field.name] = f"NotRequired[{members[field.name]}]"
        self.words.add("TypedDict")
        self.classes[name] = _typed_dict(name, members)
        return name


def named(type: Type) -> Iterator[str]:
    """The entities and enums that are part of a type: no record may be called as they are."""
    match type:
        case EntityType() | EnumType():
            yield type.name
        case ListType(inner) | MapType(inner) | NullableType(inner):
            yield from named(inner)
        case UnionType():
            for each in type.options:
                yield from named(each)
        case RecordType():
            for field in type.fields:
                yield from named(field.type)
        case _:
            pass


def _typed_dict(name: Code, members: dict[str, str]) -> Code:
    """The class; as a call where a name is none of Python's, or means a type beside it."""
    used = {each for member in members.values() for each in _NAMES.findall(member)}
    if members and used.isdisjoint(members) and all(map(_is_attribute, members)):
        lines = [f"    {each}: {member}" for each, member in members.items()]
        body = "\n".join(
            each if fits(each) else f"{each}  # fmt: skip" for each in lines
        )
        about = '    """A result, or a part of one, by the names of its spec."""'
        return Code(f"class {name}(TypedDict):\n{about}\n\n{body}")
    items = [f"{py(each)}: {py(str(member))}" for each, member in members.items()]
    inner = bracketed(items, before="{", after="},", indent=4) if items else "{},"
    return Code(f"{name} = TypedDict(\n    {py(str(name))},\n    {inner}\n)")


def _is_attribute(name: str) -> bool:
    return (
        name.isidentifier()
        and name.isascii()
        and not keyword.iskeyword(name)
        and not name.startswith("__")
    )
