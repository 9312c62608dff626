"""Lower the type and the validator of a tool's answer."""

from __future__ import annotations

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.annotations import annotation
from brimgen.emit.codecs.module_names import ModuleNames
from brimgen.emit.codecs.python import PYTHON
from brimgen.emit.codecs.schemas import leaf_names
from brimgen.emit.names import module_name
from brimgen.emit.python_text import attribute, call, either
from brimgen.model.catalog import Returns, Tool
from brimgen.model.http import ErrorMode, HttpBody
from brimgen.model.types import JsonType, NullableType, ScalarType, Type

_NONE = Code("None")


def result_type(tool: Tool, names: ModuleNames) -> Code:
    """Return the type of what a call gives."""
    assert isinstance(tool.body, HttpBody)
    if tool.returns is None:
        return _NONE
    result = annotation(tool.returns.type, names)
    may_be_empty = tool.body.response.error_mode is ErrorMode.EMPTY
    if may_be_empty and result != Code("Any") and not _may_be_none(tool.returns.type):
        return either([result, _NONE])
    return result


def _may_be_none(type: Type) -> bool:
    """Whether the annotation of a type includes None."""
    match type:
        case NullableType() | JsonType():
            return True
        case ScalarType(scalar):
            codec = PYTHON[scalar]
            return codec.is_open and not codec.container
        case _:
            return False


def validator(tool: Tool, returns: Returns, names: ModuleNames) -> Code:
    """Return the expression of the validator of a tool's answers."""
    arguments = [
        names.take(f"..tools.{module_name(tool.name)}", "OUTPUT_SCHEMA"),
        Code(f"tool={py(tool.name)}"),
    ]
    own = {name for name, leaf in names.leaves.items() if leaf.python is not None}
    if not own.isdisjoint(leaf_names(returns.schema)):
        parsers = attribute(names.leaf_module(), "PARSERS")
        arguments.append(Code(f"leaves={parsers}"))
    return call(names.runtime("Validator"), *arguments)
