"""Import the annotation of a Python field as the type of a spec's field."""

from __future__ import annotations

import ast
from collections.abc import Collection

from brimgen.frozen import dataclass
from brimgen.frozen import field as new_field
from brimgen.model.json import Json
from brimgen.model.scalars import SCALARS

TYPES = {
    "str": "string",
    "int": "int",
    "float": "float",
    "bool": "bool",
    **{
        row.python_class[1]: scalar.value
        for scalar, row in SCALARS.items()
        if row.python_class
    },
    "UUID": "uuid",
    "Any": "primitive",
    "dict": "object",
    "Dict": "object",
    "Mapping": "object",
    "list": "array",
    "List": "array",
}
_LISTS = ("list", "List", "Sequence", "Iterable", "tuple", "Tuple", "set", "frozenset")
_OBJECTS = ("dict", "Dict", "Mapping")
_ANYTHING = ("Any", "object")


class NotUnderstood(Exception):
    """A part of an annotation that has no counterpart in a spec."""

    def __init__(self, node: ast.expr) -> None:
        super().__init__(ast.dump(node))
        self.node = node


@dataclass(slots=True)
class Field:
    """What is known of one field; ``default`` is empty, or has the value.

    ``lost`` is a part of the annotation that says more than ``type`` can, ``ignored`` are those
    that are not read at all.
    """

    type: str
    choices: list[Json] | None = None
    is_optional: bool = False
    is_set: bool = False
    description: str | None = None
    required: bool | None = None
    default: tuple[Json, ...] = ()
    lost: ast.expr | None = None
    ignored: list[ast.expr] = new_field(default_factory=list[ast.expr])

    def shortest_form(self) -> Json:
        """The field in its shortest form."""
        type = f"{self.type}?" if self.is_optional else self.type
        options: dict[str, Json] = {}
        if self.choices is not None:
            options["enum"] = self.choices
        if self.is_set:
            options["uniqueItems"] = True
        # `T?` says that null is the default.
        if self.default and self.default != (None,):
            options["default"] = self.default[0]
        elif self.required is False and not self.is_optional:
            options["required"] = False
        if self.description:
            options["description"] = self.description
        return {"type": type, **options} if options else type


def last_name(node: ast.expr) -> str | None:
    """``Decimal`` of ``Decimal`` and of ``decimal.Decimal``."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Call):
        return last_name(node.func)
    return None


def read_type(node: ast.expr, known: Collection[str]) -> Field:
    """The field that an annotation says; ``known`` are the classes of the file.

    Raises `NotUnderstood` with the part that is not.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _quoted(node, known)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([node.left, node.right], node, known)
    if isinstance(node, ast.Subscript):
        return _subscript(node, known)
    name = last_name(node)
    if name in known:
        return Field(str(name))
    if name in TYPES:
        return Field(TYPES[name])
    raise NotUnderstood(node)


def _quoted(node: ast.Constant, known: Collection[str]) -> Field:
    try:
        inner = ast.parse(str(node.value), mode="eval").body
    except SyntaxError as problem:
        raise NotUnderstood(node) from problem
    for each in ast.walk(inner):
        # Otherwise a part of the text is told at its place in the text.
        ast.copy_location(each, node)
    return read_type(inner, known)


def _subscript(node: ast.Subscript, known: Collection[str]) -> Field:
    name = last_name(node.value)
    inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "Optional":
        return _union([*inside, ast.Constant(None)], node, known)
    if name == "Union":
        return _union(inside, node, known)
    if name == "Literal":
        return _literal(inside, node)
    if name == "Annotated":
        field = read_type(inside[0], known)
        text = next(filter(None, map(_text_of, inside[1:])), None)
        field.ignored += [each for each in inside[1:] if _text_of(each) in (None, "")]
        field.description = text or field.description
        return field
    if name in ("Required", "NotRequired", "ReadOnly"):
        field = read_type(inside[0], known)
        field.required = {"Required": True, "NotRequired": False}.get(
            name, field.required
        )
        return field
    if name in _OBJECTS:
        return Field("object", lost=None if _is_open(inside) else node)
    if name in _LISTS:
        return _list(name, inside, node, known)
    raise NotUnderstood(node)


def _list(
    name: str, inside: list[ast.expr], node: ast.expr, known: Collection[str]
) -> Field:
    if name in ("tuple", "Tuple"):
        is_open = len(inside) == 2 and isinstance(inside[1], ast.Constant)
        if not is_open:
            raise NotUnderstood(node)
    item = read_type(inside[0], known)
    if item.is_optional or item.type.endswith("[]"):
        raise NotUnderstood(node)
    type = "object[]" if item.type == "object" else f"{item.type}[]"
    is_set = "set" in name
    ignored = item.ignored if item.description is None else [*item.ignored, inside[0]]
    return Field(
        type, choices=item.choices, is_set=is_set, lost=item.lost, ignored=ignored
    )


def _is_open(inside: list[ast.expr]) -> bool:
    """Whether the arguments of a mapping say no more than that it is an object."""
    names = [last_name(each) for each in inside]
    return len(names) == 2 and names[0] == "str" and names[1] in _ANYTHING


def _union(parts: list[ast.expr], node: ast.expr, known: Collection[str]) -> Field:
    flat = [alternative for part in parts for alternative in _alternatives(part)]
    some = [
        each
        for each in flat
        if not (isinstance(each, ast.Constant) and each.value is None)
    ]
    if len(some) != 1 or len(some) == len(flat):
        raise NotUnderstood(node)
    field = read_type(some[0], known)
    field.is_optional = True
    return field


def _alternatives(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_alternatives(node.left), *_alternatives(node.right)]
    return [node]


def _literal(inside: list[ast.expr], node: ast.expr) -> Field:
    values = [each.value if isinstance(each, ast.Constant) else ... for each in inside]
    texts: list[Json] = [value for value in values if isinstance(value, str)]
    numbers: list[Json] = [
        value
        for value in values
        if isinstance(value, int) and not isinstance(value, bool)
    ]
    nulls = values.count(None)
    for type, choices in (("string", texts), ("int", numbers)):
        if choices and len(choices) + nulls == len(values):
            return Field(type, choices=choices, is_optional=bool(nulls))
    raise NotUnderstood(node)


def _text_of(part: ast.expr) -> str | None:
    """A text among the metadata of ``Annotated``: bare, or in ``Doc("…")``."""
    if isinstance(part, ast.Call) and last_name(part.func) == "Doc" and part.args:
        part = part.args[0]
    if isinstance(part, ast.Constant) and isinstance(part.value, str):
        return part.value
    return None
