"""Report each key of an OpenAPI or JSON Schema document that becomes no part of a spec.

Text for readers only (contacts, licences, examples of whole messages), responses of failure, and
extensions (``x-…``) mean nothing to a tool and are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules import (
    IMPORT_KEY_WITHOUT_MEANING,
    IMPORT_NOT_KEPT,
    IMPORT_WRONG_SHAPE,
)
from brimgen.importers.nodes import is_null, references_in
from brimgen.importers.openapi.document import METHODS, Api
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode

_METHODS = " ".join(METHODS)
_OBJECTS: Mapping[str, tuple[str, str]] = {
    "root": (
        "the document",
        "openapi info paths components tags externalDocs jsonSchemaDialect security"
        " servers=[server]",
    ),
    "server": ("a server", "url description variables={variable}"),
    "variable": ("a variable of a server", "enum default description"),
    "components": (
        "`components`",
        "schemas parameters requestBodies responses examples headers links callbacks"
        " pathItems securitySchemes={scheme}",
    ),
    "scheme": (
        "a security scheme",
        "type description name in scheme bearerFormat $ref flows openIdConnectUrl deprecated",
    ),
    "path": (
        "a path",
        f"$ref summary description {_METHODS} trace servers=[server] parameters=[parameter]",
    ),
    "operation": (
        "an operation",
        "tags summary description externalDocs operationId deprecated security callbacks"
        " servers=[server] parameters=[parameter] requestBody=body responses={answer}",
    ),
    "parameter": (
        "a parameter",
        "name in description required schema deprecated style explode allowReserved example"
        " examples allowEmptyValue content={media}",
    ),
    "body": ("a body", "description required content={media}"),
    "media": ("a media type", "schema example examples encoding={encoding}"),
    "encoding": ("an encoding", "contentType headers style explode allowReserved"),
    "answer": ("an answer", "description headers links summary content={media}"),
}
"""Each kind of object in OpenAPI: what messages call it, and its keys.

Behind a key stands the kind of its value: one object, a ``[list]`` or a ``{map}`` of them.
"""

_LOST = {
    ("operation", "callbacks"): "no tool is called back",
    ("path", "summary"): "the words of an operation are its own",
    ("path", "description"): "the words of an operation are its own",
    ("encoding", "headers"): "the parts of a form have no headers",
}


def report_document(root: MapNode, diagnostics: Diagnostics) -> None:
    """Report the keys of an OpenAPI document, outside of its operations, that are not imported."""
    walk = _Walk(diagnostics, None)
    for entry in root.entries:
        if entry.key.text == "webhooks":
            report_key(entry, "the document", "no tool is called back", diagnostics)
        if entry.key.text == "components" and isinstance(entry.value, MapNode):
            walk.object(entry.value, "components", "`components`")
    walk.object(root, "root", "the document", {"webhooks"})


def report_operation(item: MapNode, node: MapNode, name: str, api: Api) -> None:
    """Report the keys of an operation and its path that its tool does not have."""
    walk = _Walk(api.diagnostics, api)
    walk.object(item, "path", name)
    walk.object(node, "operation", name)


def report_key(entry: Entry, name: str, reason: str, diagnostics: Diagnostics) -> None:
    """Report a key that OpenAPI knows and no tool has; ``name`` is what it stands in."""
    if not is_null(entry.value):
        subject = f"`{entry.key.text}`"
        diagnostics.add(
            IMPORT_NOT_KEPT, entry.key.span, what=subject, name=name, reason=reason
        )


class _Walk:
    """Walks through the objects of a document, as `_KEYS` knows them."""

    def __init__(self, diagnostics: Diagnostics, api: Api | None) -> None:
        self._diagnostics = diagnostics
        self._api = api

    def object(
        self, node: MapNode, kind: str, name: str, reported: set[str] | None = None
    ) -> None:
        """Report the keys of an object that have no counterpart, and continue below it."""
        words = (word.partition("=") for word in _OBJECTS[kind][1].split())
        keys = {key: inner for key, _, inner in words}
        for entry in node.entries:
            key = entry.key.text
            if key.startswith("x-") or key in (reported or ()):
                continue
            if key not in keys:
                reason = "OpenAPI has no such key, and extensions begin with `x-`"
                suggestions = did_you_mean(key, keys)
                self._unknown(entry, _OBJECTS[kind][0], reason, suggestions)
            elif (kind, key) in _LOST:
                report_key(entry, name, _LOST[kind, key], self._diagnostics)
            else:
                for inner in self._objects_under(entry, keys[key]):
                    self.object(inner, keys[key].strip("[]{}"), name)

    def _unknown(
        self, entry: Entry, what: str, reason: str, suggestions: Sequence[str] = ()
    ) -> None:
        self._diagnostics.add(
            IMPORT_KEY_WITHOUT_MEANING,
            entry.key.span,
            key=entry.key.text,
            what=what,
            reason=reason,
            suggestions=suggestions,
        )

    def _objects_under(self, entry: Entry, kind: str) -> Iterator[MapNode]:
        """The objects under a key."""
        value: Node = entry.value
        if kind.startswith("["):
            nodes = value.items if isinstance(value, ListNode) else ()
        elif kind.startswith("{"):
            entries = value.entries if isinstance(value, MapNode) else ()
            nodes = tuple(
                member.value for member in entries if self._is_read(member, kind)
            )
        else:
            nodes = (value,) if kind else ()
        for node in nodes:
            self._beside_reference(node)
            target = self._api.follow(node) if self._api is not None else node
            if isinstance(target, MapNode):
                yield target

    def _beside_reference(self, node: Node) -> None:
        """Report keys beside a reference, which have no effect."""
        if not (isinstance(node, MapNode) and node.get("$ref") is not None):
            return
        for entry in node.entries:
            key = entry.key.text
            if key not in ("$ref", "summary", "description") and key[:2] != "x-":
                reason = "it stands beside a `$ref`"
                report_key(entry, "a reference", reason, self._diagnostics)

    def _is_read(self, entry: Entry, kind: str) -> bool:
        """Whether an entry of a map is an object of the kind; report it otherwise."""
        key = entry.key.text
        if key.startswith("x-") or is_null(entry.value):
            return False
        is_code = key == "default" or (len(key) == 3 and key[0].isdigit())
        if kind == "{answer}" and not is_code:
            reason = "they are known by their status codes"
            self._unknown(entry, "the answers", reason)
            return False
        if not isinstance(entry.value, MapNode):
            subject = f"`{key}`, {_OBJECTS[kind.strip('{}')][0]},"
            self._diagnostics.add(
                IMPORT_WRONG_SHAPE, entry.value.span, what=subject, expected="a mapping"
            )
        return True


def report_wrong_schemas(schemas: Mapping[str, Node], diagnostics: Diagnostics) -> None:
    """Report the named schemas that are no schemas."""
    for reference, node in schemas.items():
        name = reference.rpartition("/")[2]
        is_boolean = isinstance(node, ScalarNode) and isinstance(node.value, bool)
        if isinstance(node, MapNode) or is_boolean or is_null(node):
            continue
        subject = f"the schema `{name}`"
        diagnostics.add(
            IMPORT_WRONG_SHAPE, node.span, what=subject, expected="a mapping"
        )


def report_unused_definitions(
    schemas: Mapping[str, Node],
    taken: Mapping[str, object],
    root: Node,
    diagnostics: Diagnostics,
) -> None:
    """Report the named schemas that are no entities, and that nothing refers to."""
    report_wrong_schemas(schemas, diagnostics)
    referred = set(references_in(root))
    for reference, node in schemas.items():
        if reference in taken or reference in referred:
            continue
        if isinstance(node, MapNode):
            name = reference.rpartition("/")[2]
            reason = "it is no object with properties, and nothing refers to it"
            subject = "the schema" if reference != "#" else "the document itself"
            diagnostics.add(
                IMPORT_NOT_KEPT, node.span, what=subject, name=name, reason=reason
            )
