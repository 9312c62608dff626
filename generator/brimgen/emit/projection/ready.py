"""Ready: a catalog in, the schemas of its tools out as all targets start from them, made once."""

from __future__ import annotations

from dataclasses import field

from brimgen.emit.account import once
from brimgen.emit.projection import Prepared, prepare
from brimgen.emit.projection.decimals import mark_decimals
from brimgen.emit.projection.ledger import Sayings
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Tool


@dataclass(frozen=True, slots=True)
class Ready:
    """The arguments of tools, prepared when they are first asked for."""

    catalog: Catalog
    _made: dict[tuple[str, bool], Prepared] = field(
        default_factory=dict[tuple[str, bool], Prepared]
    )
    _sayings: Sayings = field(default_factory=Sayings)

    def of(self, tool: Tool, *, closed: bool) -> Prepared:
        """The arguments of ``tool``: as they are published, or ``closed`` as they are enforced."""
        closed = closed and tool.closed_input_schema is not None
        key = (tool.name, closed)
        if key not in self._made:
            schema = tool.enforced_schema if closed else tool.input_schema
            self._made[key] = prepare(
                schema,
                tool.name,
                lambda placed: mark_decimals(placed, tool.caller_fields, self.catalog),
                self._sayings,
            )
        return self._made[key]


@once
def ready(catalog: Catalog) -> Ready:
    """What is prepared of the tools of ``catalog``."""
    return Ready(catalog)
