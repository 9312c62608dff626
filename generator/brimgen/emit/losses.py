"""Write the ledger of what the descriptors of all targets leave out, and check ``strict_loss``.

Targets never import each other. Each hands on what its descriptors leave out (`Emitter.losses`),
and this stage, which comes after all checks, makes one file of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from json.encoder import encode_basestring
from typing import NamedTuple, TypeAlias

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.targets.descriptors import LOST
from brimgen.emit.account import Loss, Recovery
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.code import Code
from brimgen.emit.projection.json_values import json_text
from brimgen.emit.projection.tools import span_at
from brimgen.emit.render import render
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog

NAME = "losses"


class Line(NamedTuple):
    """A loss, each part of it as JSON."""

    tool: Code
    path: Code
    keyword: Code
    value: Code
    profile: Code
    recovered_by: Code


@dataclass(frozen=True, slots=True)
class Ledger:
    """The view of the file: each loss is a line, so that a change of one is a line changed."""

    losses: Sequence[Line]


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
    lines = [
        _line(tool, order, loss)
        for name, losses in losses_by_tool.items()
        for tool in [_text(name)]
        for order, loss in losses.items()
    ]
    text = render("losses/ledger.json.j2", Ledger(lines))
    return Artifact(f"{NAME}.json", text)


def _line(tool: Code, order: _Order, loss: Loss) -> Line:
    path, keyword, profile, value = order
    return Line(
        tool,
        Code(encode_basestring(path)),
        _text(keyword),
        Code(value),
        _text(profile),
        _text(loss.recovered_by),
    )


@lru_cache(maxsize=256)
def _text(text: str) -> Code:
    """Return ``text`` in JSON; keywords and profiles recur in nearly all lines."""
    return Code(encode_basestring(text))
