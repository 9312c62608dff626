"""Tell which files a build lacks, by the targets that it makes and the tools of the specs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from brimgen.agreement.list_laws import STORE, store_file
from brimgen.agreement.page_laws import ALL_TOOLS, index_file
from brimgen.agreement.report import Fault, Subject
from brimgen.agreement.typescript_laws import TYPESCRIPT
from brimgen.emit.account import Descriptor
from brimgen.emit.names import module_name
from brimgen.model.catalog import (
    Catalog,
    Entity,
    EnumEntity,
    PythonBody,
    ResourceBody,
    SqlBody,
    TemplateBody,
    Tool,
)
from brimgen.model.http import HttpBody
from brimgen.model.targets import TARGETS

_CALLED = (PythonBody, SqlBody, HttpBody)


def missing_files(
    catalog: Catalog, files: Mapping[str, str], targets: Collection[str]
) -> Iterator[Fault]:
    """Yield the files of ``targets`` that are not among ``files``."""
    reported: set[str] = set()
    options = catalog.project.descriptors
    if options.profiles and "mcp" not in options.profiles:
        targets = {*targets} - {"mcp", "server"}
    for subject, target, path in _wanted(catalog):
        if target in targets and path not in files and path not in reported:
            reported.add(path)
            yield Fault(subject, target, path, "is missing")


def missing_descriptors(
    catalog: Catalog, files: Mapping[str, str], descriptors: Sequence[Descriptor]
) -> Iterator[Fault]:
    """Yield the files of ``descriptors`` that are not among ``files``.

    A file is a list of all tools, or describes one tool if the project asks for that.
    """
    root = f"python/{catalog.project.package}/descriptors"
    per_tool = catalog.project.descriptors.per_tool
    tools = {tool.name: tool for tool in catalog.tools}
    lists = dict(_list_names(root))
    reported: set[str] = set()
    for descriptor in descriptors:
        name, tool = lists[descriptor.profile], tools[descriptor.tool]
        path = f"{name}/{tool.name}.json" if per_tool else f"{name}.json"
        if path not in files and path not in reported:
            reported.add(path)
            yield Fault(tool, descriptor.profile, path, "is missing")


def _list_names(root: str) -> Iterator[tuple[str, str]]:
    """The list of descriptors of each profile, without the ending of its file."""
    for target in TARGETS:
        for profile in target.profiles:
            folder = "/".join(profile.split("_", 1))
            yield profile, f"{root}/{folder}/{target.stored or target.forms[0]}"


def _wanted(catalog: Catalog) -> Iterator[tuple[Subject, str, str]]:
    """The files that targets surely make, each with its target and one that it is about."""
    package = f"python/{catalog.project.package}"
    for tool in catalog.tools:
        for target, path in (*_own_files(tool, package), *_lists(tool, package)):
            if tool.enabled and tool.is_for(target):
                yield tool, target, path
        if tool.enabled and tool.is_for("docs"):
            yield tool, "docs", index_file(catalog)
        yield tool, "catalogue", ALL_TOOLS
        yield tool, "commands", "commands/available_commands.json"
        yield tool, "typescript", TYPESCRIPT
        yield tool, "python", f"{package}/__init__.py"
        stored = store_file(catalog, tool)
        is_request = isinstance(tool.body, HttpBody) and not tool.hidden_fields
        if stored is not None and is_request and tool.is_for("flexigpt"):
            yield tool, "flexigpt", stored
    named: list[Entity | EnumEntity] = [*catalog.entities.values()]
    named += catalog.enums.values()
    for entity in named:
        yield entity, "json_schema", f"json_schema/entities/{entity.name}.json"
    for bundle in catalog.bundles:
        yield bundle, "flexigpt", STORE
        yield bundle, "bundles", f"{package}/bundles.json"


def _own_files(tool: Tool, package: str) -> Iterator[tuple[str, str]]:
    """The files of one tool, with their targets."""
    module = f"{module_name(tool.name)}.py"
    schemas = f"json_schema/tools/{tool.name}"
    yield "json_schema", f"{schemas}.input.json"
    if tool.returns is not None:
        yield "json_schema", f"{schemas}.output.json"
    yield "python", f"{package}/tools/{module}"
    yield "docs", f"docs/tools/{tool.name}.md"
    if isinstance(tool.body, SqlBody):
        yield "sql", f"sql/{tool.name}.json"
        yield "sql", f"{package}/sql/{module}"
    if isinstance(tool.body, HttpBody) and tool.is_for("python"):
        yield "http", f"{package}/http/{module}"


def _lists(tool: Tool, package: str) -> Iterator[tuple[str, str]]:
    """The files that hold a tool beside others, with their targets."""
    yield "openapi", "openapi/openapi.json"
    if tool.is_for("python"):
        if isinstance(tool.body, TemplateBody):
            yield "prompts", f"{package}/prompts.py"
        if isinstance(tool.body, ResourceBody):
            yield "resources", f"{package}/resources.py"
        if isinstance(tool.body, PythonBody | ResourceBody):
            yield "handlers", f"{package}/handlers.py"
        if not (isinstance(tool.body, PythonBody) and tool.body.handler is None):
            yield "service", f"{package}/service.py"
    lists = f"{package}/descriptors/mcp"
    if isinstance(tool.body, TemplateBody):
        yield "mcp", f"{lists}/prompts.json"
    elif isinstance(tool.body, ResourceBody):
        form = "resource_templates" if tool.caller_fields else "resources"
        yield "mcp", f"{lists}/{form}.json"
    if isinstance(tool.body, _CALLED) and tool.is_for("mcp"):
        yield "server", f"{package}/mcp_server.py"
