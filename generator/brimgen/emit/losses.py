"""Write the ledger of what the descriptors of all targets leave out, and check ``strict_loss``.

Targets never import each other. Each hands on what its descriptors leave out (`Emitter.losses`),
and this stage, which comes after all checks, makes one file of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.targets.descriptors import LOST
from brimgen.emit.account import Loss, Recovery
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.indented import escaped, json_line
from brimgen.emit.projection.json_values import json_text
from brimgen.emit.projection.tools import span_at
from brimgen.model.catalog import Catalog
from brimgen.model.json import JsonObject

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
        order = f"/{part}{pointer}", keyword, profile, json_text(value)
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
                LOST,
                span,
                profile=loss.profile,
                keyword=loss.keyword,
                tool=loss.tool,
                path=loss.path,
            )


def losses_file(catalog: Catalog, emitters: Iterable[Emitter]) -> Artifact | None:
    """``losses.json``: a list, by tool, path, keyword and profile; None where there is none."""
    losses_by_tool = _by_tool(catalog, emitters)
    if losses_by_tool is None:
        return None
    # Each is a line, so that a change of one is a line changed.
    lines = [
        f"  {json_line(_row(order, loss))}"
        for losses in losses_by_tool.values()
        for order, loss in losses.items()
    ]
    text = ",\n".join(lines)
    return Artifact(f"{NAME}.json", escaped(f"[\n{text}\n]\n" if lines else "[\n]\n"))


def _row(order: _Order, loss: Loss) -> JsonObject:
    return {
        "tool": loss.tool,
        "path": order[0],
        "keyword": loss.keyword,
        "value": loss.value,
        "profile": loss.profile,
        "recovered_by": loss.recovered_by,
    }
