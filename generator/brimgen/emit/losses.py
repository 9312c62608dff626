"""Write the ledger of what the descriptors of all targets leave out, and check ``strict_loss``.

Targets never import each other. Each hands on what its descriptors leave out (`Emitter.losses`),
and this stage, which comes after all checks, makes one file of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import DESCRIPTOR_LOSS
from brimgen.emit.account import Loss, Recovery
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.indented import json_line
from brimgen.emit.projection.tools import span_at
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.json import Json, JsonObject
from brimgen.schema.walk import followed, inner_schemas, is_object, split_definitions
from brimgen_runtime.schema.json_values import escaped

NAME = "losses"


_Order: TypeAlias = tuple[str, str, str, str]
"""Path, keyword, profile and value of a loss as text: what sets it apart among those of a tool."""


def losses_of(catalog: Catalog, emitters: Iterable[Emitter]) -> tuple[Loss, ...] | None:
    """What the descriptors of all ``emitters`` leave out, sorted; None where none makes any."""
    losses_by_tool = _by_tool(catalog, emitters)
    if losses_by_tool is None:
        return None
    return tuple(
        [loss for losses in losses_by_tool.values() for loss in losses.values()]
    )


def _by_tool(
    catalog: Catalog, emitters: Iterable[Emitter]
) -> dict[str, dict[_Order, Loss]] | None:
    """The same by tool, and then by what a line says of each; both are sorted."""
    accounts = [
        emitter.losses(catalog) for emitter in emitters if emitter.losses is not None
    ]
    if not accounts:
        return None
    # Tool by tool: to sort few at a time is a third of the work of sorting them all.
    losses_by_tool: dict[str, dict[_Order, Loss]] = {}
    for loss in chain.from_iterable(accounts):
        tool, pointer, keyword, value, profile, _, part = loss
        order = f"/{part}{pointer}", keyword, profile, json_line(value)
        losses_by_tool.setdefault(tool, {})[order] = loss
    return {
        tool: dict(sorted(losses.items()))
        for tool, losses in sorted(losses_by_tool.items())
    }


def check_losses(
    catalog: Catalog, losses: Sequence[Loss], diagnostics: Diagnostics
) -> None:
    """With ``strict_loss``, report each loss that nothing recovers, at its place in the spec."""
    if not catalog.project.descriptors.strict_loss:
        return
    tools = {tool.name: tool for tool in catalog.tools}
    for loss in losses:
        if loss.recovered_by is Recovery.NONE:
            tool = tools[loss.tool]
            returned = tool.returns.span if tool.returns else tool.span
            span = returned if loss.part == "output" else span_at(tool, loss.pointer)
            diagnostics.add(
                DESCRIPTOR_LOSS,
                span,
                profile=loss.profile,
                keyword=loss.keyword,
                tool=loss.tool,
                path=loss.path,
            )


def losses_file(catalog: Catalog, emitters: Iterable[Emitter]) -> Artifact | None:
    """``losses.json``: a list, by tool, path, keyword and profile; None where there is none.

    What a schema loses that stands in several places of a tool is listed for the first of them.
    """
    losses_by_tool = _by_tool(catalog, emitters)
    if losses_by_tool is None:
        return None
    tools = {tool.name: tool for tool in catalog.tools}
    rows: list[JsonObject] = []
    for name, losses in losses_by_tool.items():
        first = _FirstPlaces(tools[name])
        rows += [
            {
                "tool": name,
                "path": loss.path,
                "keyword": loss.keyword,
                "value": loss.value,
                "profile": loss.profile,
                "recovered_by": loss.recovered_by,
            }
            for order, loss in losses.items()
            if (path := first.path(loss)) == loss.path
            or (path, *order[1:]) not in losses
        ]
    # Each is a line, so that a change of one is a line changed.
    text = ",\n".join(f"  {json_line(row)}" for row in rows)
    return Artifact(f"{NAME}.json", escaped(f"[\n{text}\n]\n" if rows else "[\n]\n"))


_OWN_WORDS = frozenset({"default", "deprecated", "description", "examples", "title"})
"""What one of several places of a schema may say by itself."""


class _FirstPlaces:
    """Finds in the schemas of a tool which objects stand in them several times, as entities do."""

    def __init__(self, tool: Tool) -> None:
        self._tool = tool
        self._places: dict[str, Mapping[str, str]] = {}

    def path(self, loss: Loss) -> str:
        """Return the path of ``loss`` in the first place of the schema that it stands in."""
        steps = loss.pointer.split("/")
        if loss.part not in ("input", "output") or len(steps) < _SHORTEST:
            return loss.path
        if loss.part not in self._places:
            self._places[loss.part] = self._later(loss.part)
        places = self._places[loss.part]
        for end in range(2, len(steps) + (loss.keyword not in _OWN_WORDS)):
            first = places.get("/".join(steps[:end]))
            if first is not None:
                return f"/{loss.part}{'/'.join([first, *steps[end:]])}"
        return loss.path

    def _later(self, part: str) -> Mapping[str, str]:
        """Return the later places of objects with the first one of each."""
        returns = self._tool.returns
        schema = self._tool.input_schema
        if part == "output" and returns is not None:
            schema = returns.schema
        body, definitions = split_definitions(schema)
        first: dict[str, str] = {}
        later: dict[str, str] = {}
        waiting: list[tuple[str, Json]] = [("", body)]
        while waiting:
            pointer, node = waiting.pop()
            if not is_object(node):
                continue
            name = str(node.get("$ref", "")).removeprefix("#/$defs/")
            if name in definitions:
                place = first.setdefault(name, pointer)
                if place != pointer:
                    later[pointer] = place
                    continue
            whole = followed(node, schema)
            waiting += reversed([*inner_schemas(whole, pointer)])
        return later


_SHORTEST = 4
"""Steps to the least place inside of an object that can stand in another one."""
