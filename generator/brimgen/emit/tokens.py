"""Estimate the tokens that descriptors take of every request.

`model.tokens` says how they are counted.
"""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import DESCRIPTOR_TOO_LONG
from brimgen.emit.account import Loss
from brimgen.emit.artifact import Emitter
from brimgen.emit.projection.ledger import BUDGET
from brimgen.emit.projection.passes.cut_depth import largest_branch
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.tokens import estimate


@dataclass(frozen=True, slots=True)
class Size:
    """About how many tokens one descriptor takes."""

    profile: str
    tool: str
    tokens: int


def sizes(catalog: Catalog, emitters: Iterable[Emitter]) -> tuple[Size, ...]:
    """The size of each descriptor that ``emitters`` make, in their order."""
    return tuple(
        Size(descriptor.profile, descriptor.tool, estimate(descriptor.json))
        for emitter in emitters
        if emitter.descriptors is not None
        for descriptor in emitter.descriptors(catalog)
    )


def check_cuts(
    catalog: Catalog, losses: Iterable[Loss], diagnostics: Diagnostics
) -> None:
    """Report each tool of which a descriptor says less than there is, because it is too long."""
    cuts = {loss.tool: loss for loss in losses if loss.keyword == BUDGET}
    for tool in catalog.tools:
        cut = cuts.get(tool.name)
        if cut is not None:
            diagnostics.add(
                DESCRIPTOR_TOO_LONG,
                tool.span,
                profile=cut.profile,
                tool=tool.name,
                tokens=cut.value,
                branch=f"`/{cut.part}{_largest_branch(tool, cut)}`",
            )


def _largest_branch(tool: Tool, cut: Loss) -> str:
    """The part of the arguments or the result of a tool that takes most tokens."""
    if cut.part == "output" and tool.returns is not None:
        return largest_branch(tool.returns.schema)
    return largest_branch(tool.input_schema)
