"""Run the steps from declarations to a catalog, in order."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.model.catalog import Catalog
from brimgen.model.project import Project
from brimgen.resolve.entities.entities import EntityShapes
from brimgen.resolve.entities.inheritance import Flattener
from brimgen.resolve.fields.canonical_schema import opened
from brimgen.resolve.index import Index, index_names
from brimgen.resolve.standard.budget import Budget
from brimgen.resolve.tools.bundles import BundleRegistry
from brimgen.resolve.tools.profiles import check_profiles
from brimgen.resolve.tools.ready import connection_of, needs_schema, ready_tool
from brimgen.resolve.tools.tools import ToolMaker
from brimgen.resolve.waivers import imported_files, read_waivers
from brimgen.syntax.decls import SpecSet, ToolDecl, ToolKind


def resolve(specs: SpecSet, project: Project, diagnostics: Diagnostics) -> Catalog:
    """Return what the specs mean: all of it that is sound, with everything else reported."""
    index = index_names(specs, project, diagnostics)
    _report_schemas(specs, project, diagnostics)
    flattener = Flattener(index, diagnostics)
    shapes = EntityShapes(index, flattener, project, diagnostics, Budget(diagnostics))
    shapes.make_all()
    registry = BundleRegistry(diagnostics, index.doubts)
    registry.add(index.bundles)
    maker = ToolMaker(index, shapes, flattener, project, registry, diagnostics)
    decls = _completed(index, project, diagnostics)
    tools = [tool for decl in decls if (tool := maker.make(decl)) is not None]
    if any(entity.recursive for entity in shapes.entities.values()):
        from brimgen.resolve.entities.endless import check_endless

        used = {name for tool in tools for name in tool.entities_read}
        check_endless(shapes.entities, used, diagnostics)
    check_profiles(decls, {tool.name: tool for tool in tools}, diagnostics)
    catalog = Catalog(
        project=project,
        entities=dict(sorted(shapes.entities.items())),
        enums=dict(sorted(shapes.enums.items())),
        tools=tuple(sorted(tools, key=lambda tool: tool.name)),
        waivers=read_waivers(specs),
        imported=imported_files(specs),
        leaves=dict(sorted(index.leaves.items())),
        bundles=tuple(bundle for _, bundle in sorted(registry.bundles.items())),
    )
    return catalog if project.closed else opened(catalog)


def _completed(
    index: Index, project: Project, diagnostics: Diagnostics
) -> tuple[ToolDecl, ...]:
    """Write the statements of ready-made tools, and what others leave to their database."""
    connections = project.connections
    ready = tuple(ready_tool(decl, connections, diagnostics) for decl in index.tools)
    if not any(needs_schema(decl, index) for decl in ready):
        return ready
    from brimgen.resolve.tools.complete_tool import complete

    return tuple(complete(decl, index, connections, diagnostics) for decl in ready)


def _report_schemas(specs: SpecSet, project: Project, diagnostics: Diagnostics) -> None:
    """Report what is wrong with the schemas of the connections that statements are for."""
    if not any(connection.schema for connection in project.connections.values()):
        return
    used = {connection_of(tool) for tool in specs.tools if tool.kind is ToolKind.SQL}
    from brimgen.sql.known_schema import known_schema

    for name in sorted(used & project.connections.keys()):
        schema = known_schema(project.connections[name])
        if schema is not None:
            diagnostics.extend(schema.reported)
