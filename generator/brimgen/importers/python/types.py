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
    """One field; ``default`` is empty, or holds the value.

    ``lost`` is a part of the annotation that ``type`` cannot express in full, ``ignored`` are parts
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


def read_type(node: ast.expr, classes: Collection[str]) -> Field:
    """The field of an annotation; ``classes`` are the names of the classes of the file.

    Raises `NotUnderstood` with the part that is not understood.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _quoted(node, classes)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([node.left, node.right], node, classes)
    if isinstance(node, ast.Subscript):
        return _subscript(node, classes)
    name = last_name(node)
    if name in classes:
        return Field(str(name))
    if name in TYPES:
        return Field(TYPES[name])
    raise NotUnderstood(node)


def _quoted(node: ast.Constant, classes: Collection[str]) -> Field:
    try:
        inner = ast.parse(str(node.value), mode="eval").body
    except SyntaxError as problem:
        raise NotUnderstood(node) from problem
    for part in ast.walk(inner):
        # Otherwise diagnostics would use positions within the text.
        ast.copy_location(part, node)
    return read_type(inner, classes)


def _subscript(node: ast.Subscript, classes: Collection[str]) -> Field:
    name = last_name(node.value)
    arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "Optional":
        return _union([*arguments, ast.Constant(None)], node, classes)
    if name == "Union":
        return _union(arguments, node, classes)
    if name == "Literal":
        return _literal(arguments, node)
    if name == "Annotated":
        field = read_type(arguments[0], classes)
        text = next(filter(None, map(_text_of, arguments[1:])), None)
        field.ignored += [
            argument for argument in arguments[1:] if _text_of(argument) in (None, "")
        ]
        field.description = text or field.description
        return field
    if name in ("Required", "NotRequired", "ReadOnly"):
        field = read_type(arguments[0], classes)
        field.required = {"Required": True, "NotRequired": False}.get(
            name, field.required
        )
        return field
    if name in _OBJECTS:
        return Field("object", lost=None if _is_open(arguments) else node)
    if name in _LISTS:
        return _list(name, arguments, node, classes)
    raise NotUnderstood(node)


def _list(
    name: str, arguments: list[ast.expr], node: ast.expr, classes: Collection[str]
) -> Field:
    if name in ("tuple", "Tuple"):
        is_open = len(arguments) == 2 and isinstance(arguments[1], ast.Constant)
        if not is_open:
            raise NotUnderstood(node)
    item = read_type(arguments[0], classes)
    if item.is_optional or item.type.endswith("[]"):
        raise NotUnderstood(node)
    type = "object[]" if item.type == "object" else f"{item.type}[]"
    is_set = "set" in name
    ignored = (
        item.ignored if item.description is None else [*item.ignored, arguments[0]]
    )
    return Field(
        type, choices=item.choices, is_set=is_set, lost=item.lost, ignored=ignored
    )


def _is_open(arguments: list[ast.expr]) -> bool:
    """Whether the arguments of a mapping are ``str`` and any value."""
    names = [last_name(argument) for argument in arguments]
    return len(names) == 2 and names[0] == "str" and names[1] in _ANYTHING


def _union(parts: list[ast.expr], node: ast.expr, classes: Collection[str]) -> Field:
    flat = [alternative for part in parts for alternative in _alternatives(part)]
    without_null = [
        alternative
        for alternative in flat
        if not (isinstance(alternative, ast.Constant) and alternative.value is None)
    ]
    if len(without_null) != 1 or len(without_null) == len(flat):
        raise NotUnderstood(node)
    field = read_type(without_null[0], classes)
    field.is_optional = True
    return field


def _alternatives(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_alternatives(node.left), *_alternatives(node.right)]
    return [node]


def _literal(arguments: list[ast.expr], node: ast.expr) -> Field:
    values = [
        argument.value if isinstance(argument, ast.Constant) else ...
        for argument in arguments
    ]
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
