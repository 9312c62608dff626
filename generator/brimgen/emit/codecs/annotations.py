"""Write the annotation of decoded values by their type, and the classes of unnamed objects."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, assert_never

from brimgen.emit.code import STEP, Code, py, skipped_unless_fits
from brimgen.emit.codecs.python import PYTHON, PythonCodec
from brimgen.emit.names import class_name
from brimgen.emit.python_text import (
    either,
    mapping,
    subscript,
)
from brimgen.model.leaves import Leaf, Shipped
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    JsonType,
    LeafType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
    UnionType,
)

_LIST, _DICT, _STR, _NONE = map(Code, ("list", "dict", "str", "None"))


class Records:
    """The records of one module, each under a name that nothing else in it has.

    ``taken`` are the names that the module has already. ``classes`` are the definitions by name,
    parts before what holds them.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self.classes: dict[Code, Code] = {}
        self._records: list[tuple[RecordType, Code]] = []
        self._taken = set(taken)

    def annotation(self, type: RecordType, names: Names) -> Code:
        """The ``TypedDict`` of a record, which equal records share; a record with free names is a
        plain dictionary.
        """
        if type.extra is not None:
            return subscript(_DICT, _STR, names.standard("Any"))
        for record, name in self._records:
            if record == type:
                return name
        base = class_name(type.name)
        name, number = base, 2
        while name in self._taken:
            name, number = Code(f"{base}{number}"), number + 1
        self._taken.add(name)
        self._records.append((type, name))
        members = {field.name: annotation(field.type, names) for field in type.fields}
        for field in type.fields:
            if not field.required:
                wrapper = names.standard("NotRequired")
                members[field.name] = subscript(wrapper, members[field.name])
        names.standard("TypedDict")
        write = _class if _can_be_class(members) else _called
        self.classes[name] = write(name, members)
        return name


class Names(Protocol):
    """The names in annotations of one module; each name that is asked for is imported.

    ``leaves`` are those of the catalog.
    """

    @property
    def leaves(self) -> Mapping[str, Leaf]:
        """The leaves of the catalog."""
        ...

    def standard(self, name: str) -> Code:
        """A name of the standard library, such as ``Any``."""
        ...

    def date(self, name: str) -> Code:
        """A class of the module ``datetime``."""
        ...

    def entity(self, name: str) -> Code:
        """The class of an entity or enum."""
        ...

    def own_leaf(self, name: str) -> Code:
        """The class that the project has for a leaf."""
        ...

    def record(self, type: RecordType) -> Code:
        """The annotation of an object without a name."""
        ...

    def literal(self, choices: Sequence[Code], plain: str) -> Code:
        """A ``Literal`` of ``choices``, or what stands for one that is too long; ``plain`` is the
        type of all of them.
        """
        ...


def annotation(type: Type, names: Names) -> Code:
    """The annotation of a decoded value."""
    match type:
        case ScalarType():
            return _scalar(type, names)
        case EntityType() | EnumType():
            return names.entity(type.name)
        case LeafType():
            return _leaf(names.leaves[type.name], names)
        case ListType():
            return subscript(_LIST, annotation(type.item, names))
        case MapType():
            return subscript(_DICT, _STR, annotation(type.value, names))
        case NullableType():
            return optional(annotation(type.inner, names))
        case UnionType():
            options = (_scalar(option, names) for option in _options(type))
            return either([*dict.fromkeys(options)])
        case RecordType():
            return names.record(type)
        case JsonType():
            return names.standard("Any")
        case _:
            assert_never(type)


def optional(inner: Code) -> Code:
    """``inner`` or None."""
    return inner if inner == "Any" else either([inner, _NONE])


def _scalar(type: ScalarType, names: Names) -> Code:
    codec = PYTHON[type.scalar]
    if is_literal(type):
        return names.literal([*map(py, type.choices)], codec.name)
    plain = class_of(codec, names)
    if codec.container == "dict":
        return subscript(_DICT, _STR, plain)
    return subscript(_LIST, plain) if codec.container else plain


def class_of(codec: PythonCodec, names: Names) -> Code:
    """The class of the values of a scalar."""
    if codec.module == "datetime":
        return names.date(codec.name)
    return names.standard(codec.name) if codec.module else Code(codec.name)


def is_literal(type: ScalarType) -> bool:
    """Whether the choices of a scalar can stand in a ``Literal``, and say more than its type."""
    return (
        bool(type.choices)
        and SCALARS[type.scalar].has_literals
        and not PYTHON[type.scalar].is_parsed
        and not any(isinstance(choice, float) for choice in type.choices)
    )


def _options(type: UnionType) -> Sequence[ScalarType]:
    """The options of a union, those with choices as one: ``Literal["a", 1]``."""
    with_choices = [option for option in type.options if is_literal(option)]
    if len(with_choices) < 2:
        return type.options
    choices = tuple(choice for item in with_choices for choice in item.choices)
    without_choices = [option for option in type.options if option not in with_choices]
    return [ScalarType(with_choices[0].scalar, choices), *without_choices]


def _leaf(leaf: Leaf, names: Names) -> Code:
    if leaf.python is not None:
        return names.own_leaf(leaf.name)
    match leaf.shipped:
        case Shipped.UUID:
            return names.standard("UUID")
        case Shipped.TIMESTAMP:
            return names.date("datetime")
        case Shipped.URL | None:
            return _scalar(ScalarType(leaf.scalar), names)


def named(type: Type) -> Iterator[str]:
    """The names of the entities and enums in a type: no record may have one of them."""
    match type:
        case EntityType() | EnumType():
            yield type.name
        case ListType(inner) | MapType(inner) | NullableType(inner):
            yield from named(inner)
        case UnionType():
            for option in type.options:
                yield from named(option)
        case RecordType():
            for field in type.fields:
                yield from named(field.type)
        case _:
            pass


def _can_be_class(members: dict[str, Code]) -> bool:
    """Whether each member can be an attribute, and no annotation uses the name of one."""
    used = {
        node.id
        for member in members.values()
        for node in ast.walk(ast.parse(member))
        if isinstance(node, ast.Name)
    }
    is_free = bool(members) and used.isdisjoint(members)
    return is_free and all(map(_is_attribute, members))


def _class(name: Code, members: dict[str, Code]) -> Code:
    lines = [
        f"    {key}: {member}{skipped_unless_fits(f'{key}: {member}', STEP)}"
        for key, member in members.items()
    ]
    body = "\n".join(lines)
    docstring = '    """A result, or a part of one, by the names of its spec."""'
    return Code(f"class {name}(TypedDict):\n{docstring}\n\n{body}")


def _called(name: Code, members: dict[str, Code]) -> Code:
    # A type in quotes is looked up later, so it may be defined below.
    items = [(py(key), py(str(member))) for key, member in members.items()]
    return Code(f"{name} = TypedDict({py(str(name))}, {mapping(items)})")


def _is_attribute(name: str) -> bool:
    return (
        name.isidentifier()
        and name.isascii()
        and not keyword.iskeyword(name)
        and not name.startswith("__")
    )
