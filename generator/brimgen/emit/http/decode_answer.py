"""Lower the decoder and the validator of a tool's answer."""

from __future__ import annotations

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.annotations import Records, annotation, named
from brimgen.emit.codecs.conversions import (
    Call,
    Conversion,
    Members,
    expression,
    keeps,
)
from brimgen.emit.codecs.schemas import leaf_names
from brimgen.emit.http.module_imports import Imports
from brimgen.emit.http.types import TAKEN, Types, may_be_none
from brimgen.emit.http.view import AnswerDecoder
from brimgen.emit.names import class_name, classes_of, module_name
from brimgen.emit.python_text import attribute, call, either
from brimgen.frozen import dataclass, replace
from brimgen.model.catalog import Catalog, Returns, Tool
from brimgen.model.http import ErrorMode, HttpBody
from brimgen.model.types import ListType, MapType, NullableType, RecordType, Type


@dataclass(frozen=True, slots=True)
class Decoding:
    """How an answer is checked and decoded: the validator, the type of a call's result, and the
    classes that it needs.
    """

    result: Code
    decode: AnswerDecoder | None
    validator: Code | None = None
    records: tuple[Code, ...] = ()
    begins_with_class: bool = False


def decoding(
    tool: Tool, catalog: Catalog, types: Types, *, has_decimals: bool
) -> Decoding:
    """Return how an answer is decoded; ``PLAN`` says where it has decimals."""
    assert isinstance(tool.body, HttpBody)
    if tool.returns is None:
        return Decoding(_NONE, None)
    type = tool.returns.type
    records = Records([*TAKEN, *classes_of(tool.name), *map(class_name, named(type))])
    is_read = has_decimals and _holds_open(type)
    types = replace(types, records=records, is_read=is_read)
    result = annotation(type, types)
    if is_read:
        types.imports.name("with_digits")
    value, is_any = _value(types.decoder(type), Code("kept" if is_read else "raw"))
    decode = AnswerDecoder(
        result=result,
        keeps_digits=is_read,
        value=value,
        is_any=is_any,
    )
    may_be_empty = tool.body.response.error_mode is ErrorMode.EMPTY
    if may_be_empty and result != Code("Any") and not may_be_none(type):
        result = either([result, _NONE])
    for word in records.words:
        types.imports.name(word)
    validator = _validator(tool, tool.returns, catalog, types.imports)
    classes = tuple(records.classes.values())
    return Decoding(result, decode, validator, classes, records.begins_with_class)


_NONE = Code("None")


def _value(decoder: Conversion, raw: Code) -> tuple[Code, bool]:
    """Return what ``decoder`` makes of an answer, and whether its type is unknown."""
    if keeps(decoder):
        return raw, True
    is_plain = isinstance(decoder, Call) and decoder.function == "to_plain"
    return expression(decoder, raw), is_plain or isinstance(decoder, Members)


def _holds_open(type: Type) -> bool:
    """Whether a type contains an object with unknown properties: it stays JSON."""
    match type:
        case ListType(inner) | MapType(inner) | NullableType(inner):
            return _holds_open(inner)
        case RecordType():
            is_open = type.extra is not None
            return is_open or any(_holds_open(field.type) for field in type.fields)
        case _:
            return False


def _validator(
    tool: Tool, returns: Returns, catalog: Catalog, imports: Imports
) -> Code:
    """Return the expression of the validator of a tool's answers."""
    arguments = [
        imports.of(f"..tools.{module_name(tool.name)}", "OUTPUT_SCHEMA"),
        Code(f"tool={py(tool.name)}"),
    ]
    parsers = _parsers(returns, catalog, imports)
    if parsers is not None:
        arguments.append(Code(f"leaves={parsers}"))
    return call(imports.runtime("Validator"), *arguments)


def _parsers(returns: Returns, catalog: Catalog, imports: Imports) -> Code | None:
    """Return the parsers of the project's own types; None where an answer has none of these."""
    own_leaves = {
        name for name, leaf in catalog.leaves.items() if leaf.python is not None
    }
    if own_leaves.isdisjoint(leaf_names(returns.schema)):
        return None
    return attribute(imports.of("..", "_leaves"), "PARSERS")
