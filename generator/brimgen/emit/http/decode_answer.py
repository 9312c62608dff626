"""Write the decoder and the validator of a tool's answer."""

from __future__ import annotations

from brimgen.emit.annotations import Records, annotation, named
from brimgen.emit.code import Code, py
from brimgen.emit.http.module_imports import Imports
from brimgen.emit.http.types import TAKEN, Chained, Partial, Types, may_be_none
from brimgen.emit.names import class_name, classes_of, module_name
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import (
    attribute,
    either,
    keyword,
    spread,
)
from brimgen.emit.python_text.statements import (
    assigned,
    function,
    parameter,
    returned,
)
from brimgen.frozen import dataclass, replace
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.http import ErrorMode, HttpBody
from brimgen.model.json import Json
from brimgen.model.leaves import LEAF
from brimgen.model.types import ListType, MapType, NullableType, RecordType, Type


@dataclass(frozen=True, slots=True)
class Decoding:
    """The function that decodes an answer, its result type, and the classes that it needs."""

    head: Code
    body: tuple[Code, ...]
    result: Code
    records: tuple[Code, ...] = ()
    begins_with_class: bool = False


def decoding(tool: Tool, types: Types, *, has_decimals: bool) -> Decoding:
    """Return how an answer is decoded; ``PLAN`` says where it has decimals."""
    assert isinstance(tool.body, HttpBody)
    if tool.returns is None:
        head = laid_out(function("_decode", [_GIVEN], _NONE))
        about = Code('"""Take no value: the tool returns none."""')
        return Decoding(head, (about,), _NONE)
    type = tool.returns.type
    records = Records([*TAKEN, *classes_of(tool.name), *map(class_name, named(type))])
    is_read = has_decimals and _holds_open(type)
    types = replace(types, records=records, is_read=is_read)
    result = annotation(type, types)
    doc = Code('"""Return the value of an answer. Raises InputError for any other."""')
    lines = [doc, Code("_OUTPUT.check(raw)")]
    raw = Code("raw")
    if is_read:
        read = spread(types.imports.name("with_digits"), raw, Code("PLAN.decimals"))
        lines.append(laid_out(assigned("kept", read), 4))
        raw = Code("kept")
    lines += _returned(types.decoder(type), raw, result)
    head = laid_out(function("_decode", [_GIVEN], result))
    may_be_empty = tool.body.response.error_mode is ErrorMode.EMPTY
    if may_be_empty and result != Code("Any") and not may_be_none(type):
        result = either([result, _NONE])
    for word in records.words:
        types.imports.name(word)
    classes = tuple(records.classes.values())
    return Decoding(head, tuple(lines), result, classes, records.begins_with_class)


_NONE = Code("None")
_GIVEN = parameter("raw", Code("Any"))


def _returned(decoder: Code | None, raw: Code, result: Code) -> list[Code]:
    """Return the statements that return what ``decoder`` makes of an answer."""
    is_any = False
    match decoder:
        case None:
            made, is_any = raw, True
        case Chained():
            made = spread(decoder.outer, spread(decoder.inner, raw))
        case Partial():
            made = spread(decoder.function, decoder.given, raw)
            is_any = decoder.function == Code("record")
        case _:
            made, is_any = spread(decoder, raw), decoder == Code("to_plain")
    if not is_any:
        return [laid_out(returned(made), 4)]
    return [laid_out(assigned("found", made, result), 4), Code("return found")]


def _holds_open(type: Type) -> bool:
    """Whether a type contains an object with unknown properties: it stays JSON."""
    match type:
        case ListType(inner) | MapType(inner) | NullableType(inner):
            return _holds_open(inner)
        case RecordType():
            is_open = type.extra is not None
            return is_open or any(_holds_open(each.type) for each in type.fields)
        case _:
            return False


def validator(tool: Tool, catalog: Catalog, imports: Imports) -> Code | None:
    """Return the statement that defines ``_OUTPUT``; None where the tool returns nothing."""
    if tool.returns is None:
        return None
    imports.of(f"..tools.{module_name(tool.name)}", "OUTPUT_SCHEMA")
    arguments: list[Code] = [Code("OUTPUT_SCHEMA"), keyword("tool", py(tool.name))]
    own = {name for name, leaf in catalog.leaves.items() if leaf.python is not None}
    if own & set(_leaves(tool.returns.schema)):
        leaves = imports.of("..", "_leaves")
        arguments.append(keyword("leaves", attribute(leaves, "PARSERS")))
    validator_call = spread(imports.runtime("Validator"), *arguments)
    return laid_out(assigned("_OUTPUT", validator_call))


def _leaves(schema: Json) -> list[str]:
    """Return the texts of ``x-leaf`` in a schema; one that stands in data does no harm."""
    if isinstance(schema, dict):
        name = schema.get(LEAF)
        inner = [x for each in schema.values() for x in _leaves(each)]
        return [name, *inner] if isinstance(name, str) else inner
    if isinstance(schema, list):
        return [x for each in schema for x in _leaves(each)]
    return []
