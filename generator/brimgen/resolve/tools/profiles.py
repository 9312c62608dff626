"""Check the profiles of other systems that tools name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules import (
    TOOLSPEC_INCOMPLETE,
    TOOLSPEC_TYPE,
    TOOLSPEC_UNDESCRIBED_INPUT,
    UNKNOWN_PROFILE,
)
from brimgen.model.catalog import Tool
from brimgen.model.project import PROFILES
from brimgen.model.types import Field, JsonType
from brimgen.resolve.fields.types import UNKNOWN
from brimgen.syntax.decls import ToolDecl
from brimgen_runtime.calls.spec_of import Unsayable, is_open, param_of, return_of


def check_tool_spec(tool: Tool, diagnostics: Diagnostics) -> None:
    """Report what a tool does not say, and what no tool spec can say."""
    for part in _lacking(tool):
        diagnostics.add(TOOLSPEC_INCOMPLETE, tool.span, tool=tool.name, what=part)
    for field in tool.caller_fields:
        _check_input(tool, field, diagnostics)
    if is_open(tool.input_schema):
        diagnostics.add(
            TOOLSPEC_TYPE,
            tool.span,
            what="the arguments of",
            tool=tool.name,
            kind="may have any name",
        )
    if tool.returns is not None and tool.returns.type is not UNKNOWN:
        try:
            return_of(tool.returns.schema)
        except Unsayable as error:
            diagnostics.add(
                TOOLSPEC_TYPE,
                tool.returns.span,
                what="what is returned by",
                tool=tool.name,
                kind=f"is {error.kinds}",
            )


def _lacking(tool: Tool) -> Iterator[str]:
    if not (tool.description or "").strip():
        yield "description"
    if not (tool.when_to_use or "").strip():
        yield "`when_to_use`"
    if not tool.caller_fields:
        yield "inputs"
    if tool.returns is None:
        yield "`returns`"
    elif not _text(tool.returns.description, tool.returns.schema):
        yield "description of its `returns`"


def _check_input(tool: Tool, field: Field, diagnostics: Diagnostics) -> None:
    if not _text(field.description, field.schema):
        diagnostics.add(
            TOOLSPEC_UNDESCRIBED_INPUT, field.span, name=field.name, tool=tool.name
        )
    if not tool.standard and "type" not in field.schema and field.type == JsonType():
        return  # its type was refused, which is reported already
    try:
        param_of(field.name, tool.input_schema)
    except Unsayable as error:
        subject = f"input `{field.name}` of"
        diagnostics.add(
            TOOLSPEC_TYPE,
            field.span,
            what=subject,
            tool=tool.name,
            kind=f"is {error.kinds}",
        )
    except KeyError:
        # The property stands in a branch of the schema, which is reported of the whole tool.
        return


def _text(text: str | None, schema: Mapping[str, object]) -> str:
    description = text if text is not None else schema.get("description")
    return description.strip() if isinstance(description, str) else ""


def check_profiles(
    decls: Iterable[ToolDecl], tools: Mapping[str, Tool], diagnostics: Diagnostics
) -> None:
    """Report what tools lack of the profiles that they name."""
    for decl in decls:
        profiles = set[str]()
        for node in decl.section.scalars("profiles"):
            if node.text in PROFILES:
                profiles.add(node.text)
            else:
                near = did_you_mean(node.text, PROFILES)
                diagnostics.add(
                    UNKNOWN_PROFILE, node.span, name=node.text, suggestions=near
                )
        tool = tools.get(decl.name.value)
        if tool is not None and decl.sound and "toolspec" in profiles:
            check_tool_spec(tool, diagnostics)
