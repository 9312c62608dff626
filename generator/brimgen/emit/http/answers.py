"""Answers: what a tool returns in, the function that decodes it and its validator out."""

from __future__ import annotations

from brimgen.emit.code import Code, bracketed, py
from brimgen.emit.expressions import Call, Expression, called, laid_out
from brimgen.emit.http.imports import Imports
from brimgen.emit.http.types import Types
from brimgen.emit.names import module_name
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.http import ErrorMode, HttpBody
from brimgen.model.json import Json
from brimgen.model.leaves import LEAF
from brimgen.model.types import ListType, MapType, NullableType, RecordType, Type


def decoding(
    tool: Tool, types: Types, *, has_decimals: bool
) -> tuple[Code, tuple[Code, ...], str]:
    """The function that decodes an answer, and what it gives; ``PLAN`` has the decimals."""
    assert isinstance(tool.body, HttpBody)
    if tool.returns is None:
        head = Code("def _decode(raw: Any) -> None:")
        return head, (Code('"""Take no value: the tool returns none."""'),), "None"
    type = tool.returns.type
    result = types.annotation(type)
    doc = Code('"""Return the value of an answer. Raises InputError for any other."""')
    lines = [doc, Code("_OUTPUT.check(raw)")]
    is_json = has_decimals and _is_record(type)
    function = Code("with_digits") if is_json else types.decoder(type)
    match function:
        case Code("with_digits"):
            made = called(types.imports.name(str(function)), *_WHOLE)
            lines.append(laid_out(made, before=f"found: {result} = ", indent=4))
            lines.append(Code("return found"))
        case None:
            lines.append(Code(f"found: {result} = raw"))
            lines.append(Code("return found"))
        case Call("chained(", (outer, inner)):
            made = called(str(outer), called(str(inner), Code("raw")))
            lines.append(laid_out(made, before="return ", indent=4))
        case Call(_, (name, inner)):
            made = called(str(name), inner, Code("raw"))
            lines.append(laid_out(made, before="return ", indent=4))
        case Code("to_plain"):
            lines.append(Code(f"found: {result} = to_plain(raw)"))
            lines.append(Code("return found"))
        case _:
            made = called(str(function), Code("raw"))
            lines.append(laid_out(made, before="return ", indent=4))
    head = bracketed(["raw: Any"], before="def _decode(", after=f") -> {result}:")
    may_be_empty = tool.body.response.error_mode is ErrorMode.EMPTY
    if may_be_empty and result != "Any" and not result.endswith("None"):
        result = f"{result} | None"
    return head, tuple(lines), result


_WHOLE = Code("raw"), Code("PLAN.decimals")


def _is_record(type: Type) -> bool:
    """Whether a value is an object without a class, or has nothing else: it stays JSON."""
    match type:
        case ListType(inner) | MapType(inner) | NullableType(inner):
            return _is_record(inner)
        case _:
            return isinstance(type, RecordType)


def validator(tool: Tool, catalog: Catalog, imports: Imports) -> Code | None:
    """The statement that makes ``_OUTPUT``; None where the tool returns nothing."""
    if tool.returns is None:
        return None
    imports.of(f"..tools.{module_name(tool.name)}", "OUTPUT_SCHEMA")
    arguments: list[Expression] = [Code("OUTPUT_SCHEMA"), Code(f"tool={py(tool.name)}")]
    own = {name for name, leaf in catalog.leaves.items() if leaf.python is not None}
    if own & set(_leaves(tool.returns.schema)):
        arguments.append(Code(f"leaves={imports.of('..', '_leaves')}.PARSERS"))
    function = imports.runtime("Validator")
    return laid_out(called(function, *arguments), before="_OUTPUT = ")


def _leaves(schema: Json) -> list[str]:
    """The texts of ``x-leaf`` in a schema; one that stands in data does no harm."""
    if isinstance(schema, dict):
        name = schema.get(LEAF)
        inner = [x for each in schema.values() for x in _leaves(each)]
        return [name, *inner] if isinstance(name, str) else inner
    if isinstance(schema, list):
        return [x for each in schema for x in _leaves(each)]
    return []
