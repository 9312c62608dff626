"""Convert a Swagger 2.0 document to OpenAPI 3.0, each part at its place in the file.

Parameters of the body and of forms become a request body, the other ones get a schema; media types
are those of the operation or of the document. What OpenAPI 3 has as well stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from brimgen.importers.openapi.document import METHODS, is_true, text_of
from brimgen.importers.schemas.references import node_at
from brimgen.model.json import is_list, is_object
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode

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
        members: dict[str, object] = {"openapi": "3.0.3"}
        members |= {
            entry.key.text: entry.value
            for entry in root.entries
            if entry.key.text in kept or entry.key.text.startswith("x-")
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
        return _moved(_node(members, root))

    def _servers(self) -> Iterator[str]:
        host, path = text_of(self._root, "host"), text_of(self._root, "basePath") or "/"
        schemes = _texts(self._root.get("schemes")) or ["https"]
        if host is None:
            yield from () if path == "/" else (path,)
        for scheme in schemes if host else ():
            yield f"{scheme}://{host}{path}"

    def _each(self, key: str, convert: Convert) -> object:
        return _each(self._root.get(key), convert)

    def _path(self, item: MapNode) -> object:
        members: dict[str, object] = {
            entry.key.text: entry.value for entry in item.entries
        }
        shared = self._parameters(item)
        members.pop("parameters", None)
        for method in METHODS:
            operation = item.get(method)
            if isinstance(operation, MapNode):
                members[method] = self._operation(operation, shared)
        return _node(members, item)

    def _operation(self, operation: MapNode, shared: list[MapNode]) -> Node:
        left_out = ("consumes", "produces", "schemes", "parameters", "responses")
        members: dict[str, object] = {
            entry.key.text: entry.value
            for entry in operation.entries
            if entry.key.text not in left_out
        }
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
        return _node(members, operation)

    def _parameters(self, owner: MapNode) -> list[MapNode]:
        """The parameters of a path or an operation, with references followed."""
        listed = owner.get("parameters")
        found: list[MapNode] = []
        for item in listed.items if isinstance(listed, ListNode) else ():
            reference = text_of(item, "$ref")
            node = item if reference is None else node_at(self._root, reference)
            if isinstance(node, MapNode):
                found.append(node)
        return found

    def _body(self, sent: list[MapNode], operation: MapNode) -> object:
        consumed = self._media("consumes", operation)
        body = next((node for node in sent if text_of(node, "in") == "body"), None)
        if body is not None:
            media: dict[str, object] = {"schema": body.get("schema") or {}}
            return {
                "description": text_of(body, "description") or "",
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
        members: dict[str, object] = {
            entry.key.text: entry.value
            for entry in response.entries
            if entry.key.text not in ("schema", "examples", "headers")
        }
        schema = response.get("schema")
        if schema is not None:
            kinds = self._media("produces", owner) or [_JSON]
            if text_of(schema, "type") == "file":
                schema = _node({"type": "string", "format": "binary"}, schema)
            members["content"] = {kind: {"schema": schema} for kind in kinds}
        return _node(members, response)

    def _media(self, key: str, operation: MapNode) -> list[str]:
        """The media types of an operation, or else of the document."""
        own = operation.get(key)
        return _texts(self._root.get(key) if own is None else own)


def _each(node: Node | None, convert: Convert) -> object:
    """Return an object whose members, where they are objects, are converted."""
    if not isinstance(node, MapNode):
        return {}
    entries = tuple(
        Entry(
            entry.key,
            (
                _node(convert(entry.value), entry.value)
                if isinstance(entry.value, MapNode)
                and entry.value.get("$ref") is None
                and not entry.key.text.startswith("x-")
                else entry.value
            ),
        )
        for entry in node.entries
    )
    return MapNode(node.span, entries)


def _parameter(node: MapNode) -> Node:
    members: dict[str, object] = {
        entry.key.text: entry.value
        for entry in node.entries
        if entry.key.text in _OF_PARAMETERS
    }
    if text_of(node, "type") == "array":
        members |= _style(node)
    return _node({**members, "schema": _schema(node)}, node)


def _style(node: MapNode) -> Mapping[str, object]:
    return _STYLES.get(text_of(node, "collectionFormat") or "csv", {})


def _schema(node: MapNode, keeps: tuple[str, ...] = ()) -> Node:
    """The schema of a parameter, with those of its own keys that it ``keeps``."""
    written = node.get("schema")
    if written is not None:
        return written
    members: dict[str, object] = {
        entry.key.text: entry.value
        for entry in node.entries
        if entry.key.text in keeps
        or entry.key.text not in (*_OF_PARAMETERS, "collectionFormat")
    }
    if text_of(node, "type") == "file":
        members |= {"type": "string", "format": "binary"}
    return _node(members, node)


def _scheme(node: MapNode) -> object:
    """A security scheme: the ones that differ are those of names and of OAuth."""
    kind = text_of(node, "type")
    if kind == "basic":
        return {"type": "http", "scheme": "basic"}
    return {"type": "oauth2", "flows": {}} if kind == "oauth2" else node


def _moved(node: Node) -> MapNode:
    """Return a document whose references lead to the places of OpenAPI 3."""
    moved = _with_moved_references(node)
    assert isinstance(moved, MapNode)
    return moved


def _with_moved_references(node: Node) -> Node:
    if isinstance(node, ListNode):
        return ListNode(node.span, tuple(map(_with_moved_references, node.items)))
    if not isinstance(node, MapNode):
        return node
    entries: list[Entry] = []
    for key, value in node.entries:
        if key.text == "$ref" and isinstance(value, ScalarNode):
            for old, new in _PLACES.items():
                if value.text.startswith(old):
                    text = new + value.text.removeprefix(old)
                    value = ScalarNode(value.span, text, text)
            entries.append(Entry(key, value))
        else:
            entries.append(Entry(key, _with_moved_references(value)))
    return MapNode(node.span, tuple(entries))


def _texts(node: Node | None) -> list[str]:
    items = node.items if isinstance(node, ListNode) else ()
    return [item.text for item in items if isinstance(item, ScalarNode)]


def _node(value: object, place: Node) -> Node:
    """Return plain data, which may hold nodes, as a node at ``place``."""
    span = place.span
    if isinstance(value, ScalarNode | ListNode | MapNode):
        return value
    if is_object(value):
        return MapNode(
            span,
            tuple(
                Entry(ScalarNode(span, key, key), _node(member, place))
                for key, member in value.items()
            ),
        )
    if is_list(value):
        return ListNode(span, tuple(_node(item, place) for item in value))
    assert value is None or isinstance(value, str | bool)
    return ScalarNode(span, str(value), value)
