"""Convert a Swagger 2.0 document to OpenAPI 3.0, each part at its place in the file.

Parameters of the body and of forms become a request body, the other ones get a schema; media types
are those of the operation or of the document. What OpenAPI 3 has as well stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from brimgen.importers.nodes import (
    is_true,
    items_at,
    node_at,
    node_of,
    text_at,
    text_of,
    with_references,
)
from brimgen.importers.openapi.document import METHODS
from brimgen.source.nodes import Entry, MapNode, Node, ScalarNode

_PLACES = {
    "#/definitions/": "#/components/schemas/",
    "#/parameters/": "#/components/parameters/",
    "#/responses/": "#/components/responses/",
}
_OF_PARAMETERS = frozenset(
    {"name", "in", "description", "required", "allowEmptyValue", "deprecated"}
)
"""Keys of a parameter itself; all others are those of its schema."""
_STYLES: Mapping[str, Mapping[str, object]] = {
    "csv": {"explode": False},
    "multi": {"explode": True},
    "ssv": {"style": "spaceDelimited", "explode": False},
    "pipes": {"style": "pipeDelimited", "explode": False},
    "tsv": {"style": "tabDelimited", "explode": False},
}
Convert: TypeAlias = Callable[[MapNode], object]
"""Returns what stands for an object, as `_node` takes it."""

_BINARY = {"type": "string", "format": "binary"}
_JSON = "application/json"
_URLENCODED = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"


def as_openapi_3(root: MapNode) -> MapNode:
    """Return a Swagger 2.0 document as one of OpenAPI 3.0."""
    return _Conversion(root).document()


class _Conversion:
    def __init__(self, root: MapNode) -> None:
        self._root = root

    def document(self) -> MapNode:
        """Return the whole document."""
        root = self._root
        kept = ("info", "tags", "security", "externalDocs")
        members: dict[str, object] = {
            "openapi": "3.0.3",
            **_members(root, lambda key: key in kept or key.startswith("x-")),
        }
        servers = [{"url": url} for url in self._servers()]
        if servers:
            members["servers"] = servers
        members["paths"] = self._each("paths", self._path)
        members["components"] = {
            "schemas": self._each("definitions", lambda schema: schema),
            "responses": self._each(
                "responses", lambda response: self._response(response, root)
            ),
            "securitySchemes": self._each("securityDefinitions", _scheme),
        }
        moved = with_references(node_of(members, root.span), _new_place)
        assert isinstance(moved, MapNode)
        return moved

    def _servers(self) -> Iterator[str]:
        host, path = text_of(self._root, "host"), text_of(self._root, "basePath") or "/"
        schemes = _texts(self._root, "schemes") or ["https"]
        if host is None:
            yield from () if path == "/" else (path,)
        for scheme in schemes if host else ():
            yield f"{scheme}://{host}{path}"

    def _each(self, key: str, convert: Convert) -> object:
        return _each(self._root.get(key), convert)

    def _path(self, item: MapNode) -> object:
        members = _members(item, lambda key: key != "parameters")
        shared = self._parameters(item)
        for method in METHODS:
            operation = item.get(method)
            if isinstance(operation, MapNode):
                members[method] = self._operation(operation, shared)
        return node_of(members, item.span)

    def _operation(self, operation: MapNode, shared: list[MapNode]) -> Node:
        left_out = ("consumes", "produces", "schemes", "parameters", "responses")
        members = _members(operation, lambda key: key not in left_out)
        own = self._parameters(operation)
        taken = {(text_of(node, "name"), text_of(node, "in")) for node in own}
        every = own + [
            node
            for node in shared
            if (text_of(node, "name"), text_of(node, "in")) not in taken
        ]
        sent = [node for node in every if text_of(node, "in") in ("body", "formData")]
        members["parameters"] = [_parameter(node) for node in every if node not in sent]
        if sent:
            members["requestBody"] = self._body(sent, operation)
        members["responses"] = _each(
            operation.get("responses"),
            lambda response: self._response(response, operation),
        )
        return node_of(members, operation.span)

    def _parameters(self, owner: MapNode) -> list[MapNode]:
        """The parameters of a path or an operation, with references followed."""
        references = [
            (item, text_of(item, "$ref")) for item in items_at(owner, "parameters")
        ]
        nodes = [
            item if reference is None else node_at(self._root, reference)
            for item, reference in references
        ]
        return [node for node in nodes if isinstance(node, MapNode)]

    def _body(self, sent: list[MapNode], operation: MapNode) -> object:
        consumed = self._media("consumes", operation)
        body = next((node for node in sent if text_of(node, "in") == "body"), None)
        if body is not None:
            media: dict[str, object] = {"schema": body.get("schema") or {}}
            return {
                "description": text_at(body, "description"),
                "required": is_true(body.get("required")),
                "content": dict.fromkeys(consumed or [_JSON], media),
            }
        has_file = any(text_of(node, "type") == "file" for node in sent)
        required = [
            text_of(node, "name") for node in sent if is_true(node.get("required"))
        ]
        schema: dict[str, object] = {
            "type": "object",
            "properties": {
                str(text_of(node, "name")): _schema(node, keeps=("description",))
                for node in sent
            },
        }
        if required:
            schema["required"] = required
        is_form = not has_file and (
            _URLENCODED in consumed or _MULTIPART not in consumed
        )
        spread = {
            str(text_of(node, "name")): {"style": "form", **_style(node)}
            for node in sent
            if text_of(node, "type") == "array"
        }
        form: dict[str, object] = {"schema": schema}
        if spread:
            form["encoding"] = spread
        kind = _URLENCODED if is_form else _MULTIPART
        return {"required": bool(required), "content": {kind: form}}

    def _response(self, response: MapNode, owner: MapNode) -> object:
        left_out = ("schema", "examples", "headers")
        members = _members(response, lambda key: key not in left_out)
        schema = response.get("schema")
        if schema is not None:
            kinds = self._media("produces", owner) or [_JSON]
            if text_of(schema, "type") == "file":
                schema = node_of(_BINARY, schema.span)
            members["content"] = {kind: {"schema": schema} for kind in kinds}
        return node_of(members, response.span)

    def _media(self, key: str, operation: MapNode) -> list[str]:
        """The media types of an operation, or else of the document."""
        owner = self._root if operation.get(key) is None else operation
        return _texts(owner, key)


def _texts(owner: MapNode, key: str) -> list[str]:
    items = items_at(owner, key)
    return [item.text for item in items if isinstance(item, ScalarNode)]


def _members(node: MapNode, keeps: Callable[[str], bool]) -> dict[str, object]:
    """Return the values of the keys that are kept."""
    return {
        entry.key.text: entry.value for entry in node.entries if keeps(entry.key.text)
    }


def _each(node: Node | None, convert: Convert) -> object:
    """Return an object whose members, where they are objects, are converted."""
    if not isinstance(node, MapNode):
        return {}
    entries: list[Entry] = []
    for key, value in node.entries:
        is_extension = key.text.startswith("x-")
        if isinstance(value, MapNode) and not is_extension and not value.get("$ref"):
            value = node_of(convert(value), value.span)
        entries.append(Entry(key, value))
    return MapNode(node.span, tuple(entries))


def _parameter(node: MapNode) -> Node:
    members = _members(node, lambda key: key in _OF_PARAMETERS)
    if text_of(node, "type") == "array":
        members |= _style(node)
    return node_of({**members, "schema": _schema(node)}, node.span)


def _style(node: MapNode) -> Mapping[str, object]:
    return _STYLES.get(text_of(node, "collectionFormat") or "csv", {})


def _schema(node: MapNode, keeps: tuple[str, ...] = ()) -> Node:
    """The schema of a parameter, with those of its own keys that it ``keeps``."""
    written = node.get("schema")
    if written is not None:
        return written
    left_out = _OF_PARAMETERS.union(["collectionFormat"]).difference(keeps)
    members = _members(node, lambda key: key not in left_out)
    if text_of(node, "type") == "file":
        members |= _BINARY
    return node_of(members, node.span)


def _scheme(node: MapNode) -> object:
    """A security scheme: the ones that differ are those of names and of OAuth."""
    kind = text_of(node, "type")
    if kind == "basic":
        return {"type": "http", "scheme": "basic"}
    return {"type": "oauth2", "flows": {}} if kind == "oauth2" else node


def _new_place(reference: str) -> str:
    """Return where in OpenAPI 3 a reference of Swagger 2.0 leads."""
    for old, new in _PLACES.items():
        if reference.startswith(old):
            return new + reference.removeprefix(old)
    return reference
