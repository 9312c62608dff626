"""Import the annotation of a Python field or parameter: as a type of a spec, and as JSON Schema."""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Mapping

from brimgen.frozen import dataclass
from brimgen.frozen import field as new_field
from brimgen.model.json import Json, JsonObject
from brimgen.model.scalars import SCALARS
from brimgen.model.types import Scalar

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
    "dict": "object",
    "Dict": "object",
    "Mapping": "object",
    "list": "array",
    "List": "array",
}
_LISTS = ("list", "List", "Sequence", "Iterable", "tuple", "Tuple", "set", "frozenset")
_OBJECTS = ("dict", "Dict", "Mapping", "MutableMapping")
_ANYTHING = ("Any", "object")
_CONSTRAINED: Mapping[str, tuple[str, JsonObject]] = {
    "PositiveInt": ("int", {"exclusiveMinimum": 0}),
    "NonNegativeInt": ("int", {"minimum": 0}),
    "PositiveFloat": ("float", {"exclusiveMinimum": 0}),
    "NonNegativeFloat": ("float", {"minimum": 0}),
    "EmailStr": ("string", {"format": "email"}),
    "AnyUrl": ("string", {"format": "uri"}),
    "HttpUrl": ("string", {"format": "uri"}),
    "Path": ("string", {}),
}
"""Classes of pydantic and `pathlib` that are a type with constraints."""
_KEYWORDS: Mapping[str, str] = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
    "title": "title",
    "examples": "examples",
    "min_length": "minLength",
    "max_length": "maxLength",
}
"""Keywords of pydantic's ``Field``, and of the classes of `annotated_types` in lower case."""
_OF_LISTS = {"minLength": "minItems", "maxLength": "maxItems"}
_SILENT = ("strict", "validate_default", "repr", "init", "kw_only", "frozen")
_MAKERS: Mapping[str, Json] = {"list": [], "set": [], "tuple": [], "dict": {}}


class NotUnderstood(Exception):
    """A part of an annotation that has no counterpart in a spec."""

    def __init__(self, node: ast.expr) -> None:
        super().__init__(ast.dump(node))
        self.node = node


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that annotations may use: of classes that are read, and of other types."""

    classes: Collection[str]
    aliases: Mapping[str, ast.expr]


@dataclass(slots=True)
class Field:
    """One field or parameter.

    ``type`` is its type in a spec, None where only ``schema`` says what it is; ``options`` are the
    keys beside ``type``. ``default`` is empty, or holds the value. ``ignored`` are the parts of the
    annotation that are not read.
    """

    type: str | None
    schema: dict[str, Json]
    options: dict[str, Json] = new_field(default_factory=dict[str, Json])
    is_optional: bool = False
    description: str | None = None
    required: bool | None = None
    default: tuple[Json, ...] = ()
    ignored: list[ast.expr] = new_field(default_factory=list[ast.expr])

    @property
    def is_required(self) -> bool:
        """Whether there is no value for it where none is given."""
        return not self.default if self.required is None else self.required

    def constrain(self, keyword: str, value: Json) -> None:
        """Add a keyword of JSON Schema."""
        if self.schema.get("type") == "array":
            keyword = _OF_LISTS.get(keyword, keyword)
        self.options[keyword] = self.schema[keyword] = value

    def short_form(self) -> Json:
        """The field in its shortest form. Only with a ``type``."""
        type = f"{self.type}?" if self.is_optional else str(self.type)
        options = dict(self.options)
        # `T?` says that null is the default.
        if self.default and self.default != (None,):
            options["default"] = self.default[0]
        elif not self.is_optional and (self.default or self.required is False):
            options["required"] = False
        elif self.is_optional and self.required:
            options["required"] = True
        if self.description:
            options["description"] = self.description
        return {"type": type, **options} if options else type

    def property_schema(self) -> dict[str, Json]:
        """The field as JSON Schema."""
        schema: dict[str, Json] = self.schema
        if self.is_optional and schema:
            schema = {"anyOf": [schema, {"type": "null"}]}
        words: dict[str, Json] = {}
        if self.default and (self.is_optional or self.default != (None,)):
            words["default"] = self.default[0]
        if self.description:
            words["description"] = self.description
        return {**schema, **words}

    def take_options(self, call: ast.Call) -> None:
        """Read what pydantic's ``Field`` says; what a spec cannot say is ignored."""
        if call.args:
            self._take_default(call.args[0])
        for keyword in call.keywords:
            name, value = keyword.arg, constant(keyword.value)
            maker = _MAKERS.get(last_name(keyword.value) or "")
            if name == "default":
                self._take_default(keyword.value)
            elif name == "default_factory":
                self.required = False
                self.default = () if maker is None else (maker,)
            elif name == "description" and value:
                self.description = self.description or str(value[0])
            elif name is not None and name in _KEYWORDS and value:
                self.constrain(_KEYWORDS[name], value[0])
            elif name not in _SILENT:
                self.ignored.append(keyword.value)

    def _take_default(self, node: ast.expr) -> None:
        if not (isinstance(node, ast.Constant) and node.value is ...):
            self.required, self.default = False, constant(node)


def read_type(node: ast.expr, scope: Scope) -> Field:
    """Read an annotation. Raises `NotUnderstood`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _quoted(node, scope)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union(_alternatives(node), scope)
    if isinstance(node, ast.Subscript):
        return _subscript(node, scope)
    name = last_name(node) or ""
    if name in scope.classes:
        return Field(name, {"$ref": f"#/entities/{name}"})
    if name in scope.aliases:
        rest = {key: scope.aliases[key] for key in scope.aliases if key != name}
        return read_type(scope.aliases[name], Scope(scope.classes, rest))
    if name in _ANYTHING:
        return Field(None, {})
    if name in _CONSTRAINED:
        type, constraints = _CONSTRAINED[name]
        field = _scalar(type)
        for keyword, value in constraints.items():
            field.constrain(keyword, value)
        return field
    if name in TYPES:
        return _scalar(TYPES[name])
    raise NotUnderstood(node)


def last_name(node: ast.expr) -> str | None:
    """``dataclass`` for ``dataclasses.dataclass``; the function of a call."""
    if isinstance(node, ast.Call):
        return last_name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def constant(node: ast.expr) -> tuple[Json, ...]:
    """The JSON value of a literal; an empty tuple for any other expression."""
    try:
        if isinstance(node, ast.Set):
            node = ast.List(node.elts)
        value = ast.literal_eval(node)
        return (json.loads(json.dumps(value, allow_nan=False)),)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ()


def _scalar(type: str) -> Field:
    if type == "uuid":
        return Field(type, {"type": "string", "format": "uuid"})
    return Field(type, dict(SCALARS[Scalar(type)].schema))


def _quoted(node: ast.Constant, scope: Scope) -> Field:
    try:
        inner = ast.parse(str(node.value), mode="eval").body
    except SyntaxError as problem:
        raise NotUnderstood(node) from problem
    for part in ast.walk(inner):
        # Otherwise diagnostics would use positions within the text.
        ast.copy_location(part, node)
    return read_type(inner, scope)


def _subscript(node: ast.Subscript, scope: Scope) -> Field:
    name = last_name(node.value)
    arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "Optional":
        return _union([*arguments, ast.Constant(None)], scope)
    if name == "Union":
        return _union(arguments, scope)
    if name == "Literal":
        return _literal(arguments, node)
    if name == "Annotated":
        return _annotated(arguments, scope)
    if name in ("Required", "NotRequired", "ReadOnly"):
        field = read_type(arguments[0], scope)
        field.required = {"Required": True, "NotRequired": False}.get(
            name, field.required
        )
        return field
    if name in _OBJECTS and len(arguments) == 2:
        return _object(arguments, scope, node)
    if name in _LISTS:
        return _list(name, arguments, scope)
    raise NotUnderstood(node)


def _annotated(arguments: list[ast.expr], scope: Scope) -> Field:
    field = read_type(arguments[0], scope)
    for argument in arguments[1:]:
        name = last_name(argument) if isinstance(argument, ast.Call) else None
        text = _text_of(argument)
        if text:
            field.description = text
        elif isinstance(argument, ast.Call) and name == "Field":
            field.take_options(argument)
        elif isinstance(argument, ast.Call) and (name or "").lower() in _KEYWORDS:
            value = constant(argument.args[0]) if argument.args else ()
            if value:
                field.constrain(_KEYWORDS[str(name).lower()], value[0])
        else:
            field.ignored.append(argument)
    return field


def _object(arguments: list[ast.expr], scope: Scope, node: ast.expr) -> Field:
    """A mapping: its keys are texts in JSON."""
    key = read_type(arguments[0], scope)
    if key.schema.get("type") != "string" and "$ref" not in key.schema:
        field = _scalar("object")
        field.ignored.append(node)
        return field
    value = read_type(arguments[1], scope)
    if not value.schema:
        return _scalar("object")
    members: Json = value.property_schema()
    schema: dict[str, Json] = {"type": "object", "additionalProperties": members}
    if "enum" in key.schema or "$ref" in key.schema:
        schema["propertyNames"] = key.schema
    return Field(None, schema, ignored=value.ignored)


def _list(name: str, arguments: list[ast.expr], scope: Scope) -> Field:
    is_tuple = name in ("tuple", "Tuple")
    if is_tuple and not (
        len(arguments) == 2 and isinstance(arguments[1], ast.Constant)
    ):
        items = [read_type(argument, scope) for argument in arguments]
        length: dict[str, Json] = {"minItems": len(items), "maxItems": len(items)}
        schemas: list[Json] = [item.property_schema() for item in items]
        return Field(None, {"type": "array", "prefixItems": schemas, **length})
    item = read_type(arguments[0], scope)
    field = Field(
        None,
        {"type": "array", "items": item.property_schema()},
        ignored=item.ignored,
    )
    is_simple = item.type not in (None, "array") and not str(item.type).endswith("[]")
    if is_simple and not item.is_optional:
        field.type, field.options = f"{item.type}[]", dict(item.options)
        if item.description is not None:
            field.ignored = [*item.ignored, arguments[0]]
    if "set" in name:
        field.constrain("uniqueItems", True)
    return field


def _union(parts: list[ast.expr], scope: Scope) -> Field:
    flat = [alternative for part in parts for alternative in _alternatives(part)]
    kinds = [
        read_type(alternative, scope)
        for alternative in flat
        if not _is_none(alternative)
    ]
    field = kinds[0]
    if len(kinds) > 1:
        options: list[Json] = [kind.property_schema() for kind in kinds]
        ignored = [part for kind in kinds for part in kind.ignored]
        field = Field(None, {"anyOf": options}, ignored=ignored)
    field.is_optional = field.is_optional or len(kinds) < len(flat)
    return field


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _alternatives(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_alternatives(node.left), *_alternatives(node.right)]
    return [node]


def _literal(arguments: list[ast.expr], node: ast.expr) -> Field:
    values = [
        argument.value
        for argument in arguments
        if isinstance(argument, ast.Constant)
        and isinstance(argument.value, str | int | None)
    ]
    given: list[Json] = [value for value in values if value is not None]
    if len(values) < len(arguments) or not given:
        raise NotUnderstood(node)
    kinds = {type(value) for value in given}
    field = Field(None, {"enum": given})
    for word, kind in (("string", str), ("int", int)):
        if kinds == {kind}:
            field = _scalar(word)
            field.constrain("enum", given)
    field.is_optional = len(given) < len(values)
    return field


def _text_of(part: ast.expr) -> str | None:
    """A text among the metadata of ``Annotated``: bare, or in ``Doc("…")``."""
    if isinstance(part, ast.Call) and last_name(part.func) == "Doc" and part.args:
        part = part.args[0]
    if isinstance(part, ast.Constant) and isinstance(part.value, str):
        return part.value
    return None


def is_short(fields: Mapping[str, Field]) -> bool:
    """Whether types of a spec say what the fields are."""
    return all(field.type is not None for field in fields.values())


def short_forms(fields: Mapping[str, Field]) -> dict[str, Json]:
    """The fields, each in its shortest form."""
    return {name: field.short_form() for name, field in fields.items()}


def schema_of(fields: Mapping[str, Field], *, is_open: bool) -> dict[str, Json]:
    """The keywords of the JSON Schema of an object with ``fields``, and others where it is open."""
    required: list[Json] = [name for name, field in fields.items() if field.is_required]
    properties = {name: field.property_schema() for name, field in fields.items()}
    return {
        "properties": properties,
        **({"required": required} if required else {}),
        "additionalProperties": is_open,
    }


def arguments_of(fields: Mapping[str, Field]) -> dict[str, Json]:
    """``arguments`` of a spec with ``fields``: in its own types, or as JSON Schema."""
    if is_short(fields):
        mode: dict[str, Json] = {"mode": "complex"} if "properties" in fields else {}
        return {**mode, "inline": short_forms(fields)}
    schema = {"type": "object", **schema_of(fields, is_open=False)}
    return {"mode": "standard", "inline": schema}
