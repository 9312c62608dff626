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
    _arguments: dict[str, Arguments] = field(default_factory=dict[str, Arguments])
    _cache: ProjectionCache = field(default_factory=ProjectionCache)

    def of(self, tool: Tool) -> Arguments:
        """Return the arguments of ``tool``, with their decimals marked."""
        arguments = self._arguments.get(tool.name)
        if arguments is None:
            arguments = self._arguments[tool.name] = arguments_of(
                tool,
                lambda placed: mark_decimals(placed, tool.fields, self.catalog),
                self._cache,
            )
        return arguments


@once_per_catalog
def prepared_tools(catalog: Catalog) -> PreparedTools:
    """Return the prepared arguments of the tools of ``catalog``."""
    tokens = catalog.project.descriptors.tool_budget
    return PreparedTools(catalog, _cache=ProjectionCache(tokens))
