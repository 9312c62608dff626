"""Lower: a catalog in, the module of its resources out."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

from brimgen.emit.code import Code, bracketed, fits, header, py
from brimgen.emit.imports import exported, import_from, module_order
from brimgen.emit.lexical import called, lexical
from brimgen.emit.names import classes_of, module_name
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, ResourceBody, Tool
from brimgen.model.paths import PathLiteral
from brimgen.model.types import JsonType

_NEEDED = ("python", "resources")
_RESERVED = frozenset(["RESOURCES"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourcesModule:
    """The view of ``<package>/resources.py``."""

    header: Code
    imports: tuple[Code, ...]
    exported: Code
    resources: tuple[Code, ...]
    table: Code


def routed(catalog: Catalog) -> tuple[tuple[Tool, ResourceBody], ...]:
    """The resources, each with its body."""
    return tuple(
        (tool, tool.body)
        for tool in catalog.tools
        if isinstance(tool.body, ResourceBody) and tool.is_for(*_NEEDED)
    )


def constant(tool: Tool) -> Code:
    """The name of a tool's constant."""
    name = module_name(tool.name).upper()
    return Code(f"{name}_" if name in _RESERVED else name)


def lower(catalog: Catalog) -> ResourcesModule:
    """The view of ``<package>/resources.py``; the table has those that are switched on."""
    found = routed(catalog)
    names = {"Match", "Resource", "Resources"}
    names |= {"Variable" for _, body in found if body.segments != _literals(body)}
    names |= {"Query" for _, body in found if body.query}
    listed = [constant(tool) for tool, _ in found if tool.enabled]
    names_of_all = [
        "RESOURCES",
        "Match",
        "Resource",
        *(constant(tool) for tool, _ in found),
    ]
    return ResourcesModule(
        header=header(),
        imports=(
            import_from("._engine.routes", names),
            *(
                import_from(f".tools.{module_name(tool.name)}", [_input(tool)])
                for tool, _ in sorted(
                    found, key=lambda each: module_order(module_name(each[0].name))
                )
            ),
        ),
        exported=exported(names_of_all),
        resources=tuple(_resource(tool, body, catalog) for tool, body in found),
        table=bracketed(listed, before="RESOURCES: Final = Resources(", after=")"),
    )


def _literals(body: ResourceBody) -> tuple[PathLiteral, ...]:
    return tuple(each for each in body.segments if isinstance(each, PathLiteral))


def _input(tool: Tool) -> Code:
    return classes_of(tool.name)[0]


def _resource(tool: Tool, body: ResourceBody, catalog: Catalog) -> Code:
    fields = {each.name: each for each in tool.fields}
    segments: list[str] = []
    for segment in body.segments:
        if isinstance(segment, PathLiteral):
            segments.append(py(unquote(segment.text)))
            continue
        field = fields[segment.name]
        read = lexical(field, catalog)
        read = read._replace(kind="string") if field.type == JsonType() else read
        arguments = read.arguments(segment.name)
        segments.append(
            called("Variable", [*arguments, *(["rest=True"] if segment.rest else [])])
        )
    queries = [
        called("Query", lexical(fields[name], catalog).arguments(name))
        for name in body.query
    ]
    scheme = tool.mcp.uri_scheme or catalog.project.package.replace("_", "-")
    rows = [f"{py(tool.name)},", f"{_input(tool)},", f"path={py(body.path)},"]
    rows.append(_listed("segments", segments))
    rows += [_listed("query", queries)] if queries else []
    rows.append(f"scheme={py(scheme)},")
    mime_type = tool.mcp.mime_type or body.mime_type
    rows += [] if mime_type is None else [f"mime_type={py(mime_type)},"]
    text = tool.description
    rows += [] if text is None else [f"description={py(text)},"]
    body_text = "".join(f"    {each}\n" for each in rows)
    return Code(f"{constant(tool)}: Final = Resource(\n{body_text})")


def _listed(keyword: str, items: Sequence[str]) -> Code:
    text = bracketed(items, before=f"{keyword}=[", after="],", indent=4)
    return text if all(map(fits, text.split("\n"))) else Code(f"{text}  # fmt: skip")
