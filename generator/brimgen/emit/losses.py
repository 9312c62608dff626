"""Losses: what targets account for in, one ledger out, and what strict_loss says about it.

Targets never import each other. Each hands on what its descriptors leave out (`Emitter.losses`),
and this stage, which comes after all checks, makes one file of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from json.encoder import encode_basestring

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.descriptors import LOST
from brimgen.emit.account import Loss, Recovery
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.code import Code
from brimgen.emit.projection.tools import span_at
from brimgen.emit.projection.values import shown
from brimgen.emit.render import render
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog

NAME = "losses"


@dataclass(frozen=True, slots=True)
class Ledger:
    """The view of the file: the entries, one a line, so that a change of one is a line changed."""

    entries: Code


def losses_of(catalog: Catalog, emitters: Iterable[Emitter]) -> tuple[Loss, ...] | None:
    """What the descriptors of all ``emitters`` leave out, sorted; None where none makes any."""
    accounts = [each.losses(catalog) for each in emitters if each.losses is not None]
    if not accounts:
        return None
    # Tool by tool: to sort few at a time is a third of the work of sorting them all.
    found: dict[str, dict[tuple[str, ...], Loss]] = {}
    for loss in chain.from_iterable(accounts):
        found.setdefault(loss.tool, {})[_order(loss)] = loss
    return tuple(
        [loss for tool in sorted(found) for _, loss in sorted(found[tool].items())]
    )


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


def losses_file(losses: Iterable[Loss]) -> Artifact:
    """``losses.json``: a list, by tool, path, keyword and profile."""
    view = Ledger(Code(",\n  ".join([_line(loss) for loss in losses])))
    return Artifact(f"{NAME}.json", render("losses/ledger.json.j2", view))


def _line(loss: Loss) -> str:
    # Texts by themselves, and only the value by what writes any: for an object, an encoder would
    # be set up anew.
    before, after = _around(loss.keyword, loss.profile, loss.recovered_by)
    tool, path = encode_basestring(loss.tool), encode_basestring(loss.path)
    return f'{{"tool": {tool}, "path": {path}, {before}{shown(loss.value)}{after}}}'


@lru_cache(maxsize=256)
def _around(keyword: str, profile: str, recovered_by: str) -> tuple[str, str]:
    """What stands before the value of a loss and after it: nearly the same of all."""
    keyword, profile, recovered_by = map(
        encode_basestring, (keyword, profile, recovered_by)
    )
    after = f', "profile": {profile}, "recovered_by": {recovered_by}'
    return f'"keyword": {keyword}, "value": ', after


def _order(loss: Loss) -> tuple[str, ...]:
    return loss.path, loss.keyword, loss.profile, shown(loss.value)
