"""Write the path of a resource as an RFC 6570 URI template (descriptors.md)."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from brimgen.model.catalog import Catalog, ResourceBody, Tool
from brimgen.model.paths import PathLiteral

_SCHEME = re.compile(r"\A[A-Za-z][A-Za-z0-9+.-]*\Z")
_VARIABLE = re.compile(r"\A[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*\Z")
_SEGMENT_SAFE = "!$&'()*+,;=:@-._~"


def is_scheme(text: str) -> bool:
    """Whether ``text`` is a URI scheme (RFC 3986, 3.1)."""
    return bool(_SCHEME.match(text))


def is_variable(name: str) -> bool:
    """Whether ``name`` is a variable name that the SDKs read; they accept no percent-encoded
    ones.
    """
    return bool(_VARIABLE.match(name))


def scheme_of(catalog: Catalog, tool: Tool) -> str:
    """Return the scheme of a resource's URI: the one it asks for, or the name of the package."""
    return tool.mcp.uri_scheme or catalog.project.package.replace("_", "-")


def query_of(tool: Tool, body: ResourceBody) -> tuple[str, ...]:
    """Return the names of a resource's query parameters that a caller may send."""
    callers = {field.name for field in tool.caller_fields}
    return tuple(name for name in body.query if name in callers)


def uri_template(catalog: Catalog, tool: Tool, body: ResourceBody) -> str:
    """Return the URI template: ``shop:///docs/{category}/{+remainder}{?page}``.

    The remainder keeps its slashes.
    """
    parts = [f"{scheme_of(catalog, tool)}://"]
    for segment in body.segments:
        if isinstance(segment, PathLiteral):
            parts.append("/" + quote(unquote(segment.text), safe=_SEGMENT_SAFE))
        else:
            parts.append(f"/{{{'+' if segment.rest else ''}{segment.name}}}")
    query = query_of(tool, body)
    if query:
        parts.append(f"{{?{','.join(query)}}}")
    return "".join(parts)
