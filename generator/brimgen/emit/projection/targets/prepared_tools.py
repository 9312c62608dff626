"""Prepare the arguments of a catalog's tools once for all targets."""

from __future__ import annotations

from brimgen.emit.account import once_per_catalog
from brimgen.emit.projection.arguments import Arguments, arguments_of
from brimgen.emit.projection.ledger import ProjectionCache
from brimgen.emit.projection.passes.decimals import mark_decimals
from brimgen.frozen import dataclass, field
from brimgen.model.catalog import Catalog, Tool


@dataclass(frozen=True, slots=True)
class PreparedTools:
    """The arguments of tools, prepared on first use."""

    catalog: Catalog
    _made: dict[str, Arguments] = field(default_factory=dict[str, Arguments])
    _cache: ProjectionCache = field(default_factory=ProjectionCache)

    def of(self, tool: Tool) -> Arguments:
        """Return the arguments of ``tool``, with their decimals marked."""
        known = self._made.get(tool.name)
        if known is None:
            known = self._made[tool.name] = arguments_of(
                tool,
                lambda placed: mark_decimals(placed, tool.fields, self.catalog),
                self._cache,
            )
        return known


@once_per_catalog
def prepared_tools(catalog: Catalog) -> PreparedTools:
    """Return the prepared arguments of the tools of ``catalog``."""
    return PreparedTools(catalog)
