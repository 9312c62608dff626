"""Losses: what targets account for in, one ledger out, and what strict_loss says about it.

Targets never import each other. Each hands on what its descriptors leave out (`Emitter.losses`),
and this stage, which comes after all checks, makes one file of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from json.encoder import encode_basestring
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.descriptors import LOST
from brimgen.emit.account import Loss, Recovery
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.code import Code
from brimgen.emit.projection.json_values import json_text
from brimgen.emit.projection.tools import span_at
from brimgen.emit.render import render
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog

NAME = "losses"


@dataclass(frozen=True, slots=True)
class Ledger:
    """The view of the file: the entries, one a line, so that a change of one is a line changed."""

    entries: Code


_Order: TypeAlias = tuple[str, str, str, str]
"""Path, keyword, profile and value of a loss as text: what sets it apart among those of a tool."""


def losses_of(catalog: Catalog, emitters: Iterable[Emitter]) -> tuple[Loss, ...] | None:
    """What the descriptors of all ``emitters`` leave out, sorted; None where none makes any."""
    found = _by_tool(catalog, emitters)
    if found is None:
        return None
    return tuple([loss for losses in found.values() for loss in losses.values()])


def _by_tool(
    catalog: Catalog, emitters: Iterable[Emitter]
) -> dict[str, dict[_Order, Loss]] | None:
    """The same by tool, and then by what a line says of each; both are sorted."""
    accounts = [each.losses(catalog) for each in emitters if each.losses is not None]
    if not accounts:
        return None
    # Tool by tool: to sort few at a time is a third of the work of sorting them all.
    found: dict[str, dict[_Order, Loss]] = {}
    for loss in chain.from_iterable(accounts):
        tool, pointer, keyword, value, profile, _, part = loss
        order = f"/{part}{pointer}", keyword, profile, json_text(value)
        found.setdefault(tool, {})[order] = loss
    return {
        tool: dict(sorted(losses.items())) for tool, losses in sorted(found.items())
    }


def check_losses(catalog: Catalog, losses: Sequence[Loss], found: Diagnostics) -> None:
    """With ``strict_loss``, report each loss that nothing recovers, at its place in the spec."""
    if not catalog.project.descriptors.strict_loss:
        return
    tools = {tool.name: tool for tool in catalog.tools}
    for loss in losses:
        if loss.recovered_by is Recovery.NONE:
            tool = tools[loss.tool]
            returned = tool.returns.span if tool.returns else tool.span
            span = returned if loss.part == "output" else span_at(tool, loss.pointer)
            found.add(
                LOST,
                span,
                profile=loss.profile,
                keyword=loss.keyword,
                tool=loss.tool,
                path=loss.path,
            )


def losses_file(catalog: Catalog, emitters: Iterable[Emitter]) -> Artifact | None:
    """``losses.json``: a list, by tool, path, keyword and profile; None where there is none."""
    found = _by_tool(catalog, emitters)
    if found is None:
        return None
    lines = [
        _line(tool, order, loss)
        for name, losses in found.items()
        for tool in [encode_basestring(name)]
        for order, loss in losses.items()
    ]
    view = Ledger(Code(",\n  ".join(lines)))
    return Artifact(f"{NAME}.json", render("losses/ledger.json.j2", view))


def _line(tool: str, order: _Order, loss: Loss) -> str:
    path, keyword, profile, value = order
    before, after = _around(keyword, profile, loss.recovered_by)
    return (
        f'{{"tool": {tool}, "path": {encode_basestring(path)}, {before}{value}{after}}}'
    )


@lru_cache(maxsize=256)
def _around(keyword: str, profile: str, recovered_by: str) -> tuple[str, str]:
    """What stands before the value of a loss and after it: nearly the same of all."""
    keyword, profile, recovered_by = map(
        encode_basestring, (keyword, profile, recovered_by)
    )
    after = f', "profile": {profile}, "recovered_by": {recovered_by}'
    return f'"keyword": {keyword}, "value": ', after
