"""Lower the type and the validator of a tool's answer."""

from __future__ import annotations

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.annotations import Records, annotation, named
from brimgen.emit.codecs.schemas import leaf_names
from brimgen.emit.http.module_imports import Imports
from brimgen.emit.http.types import TAKEN, Types, may_be_none
from brimgen.emit.names import class_name, classes_of, module_name
from brimgen.emit.python_text import attribute, call, either
from brimgen.frozen import dataclass, replace
from brimgen.model.catalog import Catalog, Returns, Tool
from brimgen.model.http import ErrorMode, HttpBody


@dataclass(frozen=True, slots=True)
class Decoding:
    """How an answer is checked, the type of a call's result, and the classes that it needs."""

    result: Code
    validator: Code | None = None
    records: tuple[Code, ...] = ()
    begins_with_class: bool = False


def decoding(tool: Tool, catalog: Catalog, types: Types) -> Decoding:
    """Return how an answer is decoded; ``PLAN`` says where it has decimals."""
    assert isinstance(tool.body, HttpBody)
    if tool.returns is None:
        return Decoding(_NONE)
    type = tool.returns.type
    records = Records([*TAKEN, *classes_of(tool.name), *map(class_name, named(type))])
    result = annotation(type, replace(types, records=records))
    may_be_empty = tool.body.response.error_mode is ErrorMode.EMPTY
    if may_be_empty and result != Code("Any") and not may_be_none(type):
        result = either([result, _NONE])
    for word in records.words:
        types.imports.name(word)
    validator = _validator(tool, tool.returns, catalog, types.imports)
    classes = tuple(records.classes.values())
    return Decoding(result, validator, classes, records.begins_with_class)


_NONE = Code("None")


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
