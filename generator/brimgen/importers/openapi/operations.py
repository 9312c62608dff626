"""Import one operation of an OpenAPI document as an HTTP tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from brimgen.diagnostics.rules import IMPORT_CANNOT_SAY, IMPORT_NOT_KEPT
from brimgen.importers.draft import Draft
from brimgen.importers.names import operation_name, tool_name
from brimgen.importers.openapi.bodies import JSON_MEDIA, BodyReader
from brimgen.importers.openapi.document import (
    VARIABLE,
    Api,
    CannotExpress,
    head_span,
    is_true,
    media_schema,
    text_of,
)
from brimgen.importers.openapi.responses import accepted_media_type, read_responses
from brimgen.importers.openapi.security import read_security
from brimgen.importers.openapi.styles import parameter_spelling, parameter_templates
from brimgen.importers.openapi.unmapped_keys import report_operation
from brimgen.importers.schemas.read_write_only import Direction
from brimgen.model.json import Json, is_object
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode, plain

# Headers that OpenAPI leaves to other parts of the document.
_NOT_PARAMETERS = ("accept", "content-type", "authorization")


class Operation:
    """Reads one operation.

    ``name`` is the name of its tool, ``known_as`` its name in the document.
    """

    def __init__(
        self, api: Api, path: str, item: MapNode, method: str, node: MapNode
    ) -> None:
        self._api = api
        self._path = path
        self._item = item
        self._method = method
        self._node = node
        self._identifier = text_of(node, "operationId")
        self.name = (
            tool_name(self._identifier)
            if self._identifier
            else operation_name(method, path)
        )
        self.known_as = self._identifier or f"{method} {path}"
        self._arguments: dict[str, Json] = {}
        self._required: list[str] = []
        self._sent: dict[str, dict[str, Json]] = {"query": {}, "header": {}}
        self._segments: dict[str, str] = {}
        self._cookies: list[str] = []

    def draft(self) -> Draft | None:
        """Return the tool; report it and return None where a spec cannot express it."""
        try:
            return Draft(self.name, self._node.span, self._document())
        except CannotExpress as problem:
            if problem.args:
                place = problem.place or head_span(self._node)
                self._api.diagnostics.add(
                    IMPORT_CANNOT_SAY, place, name=self.name, reason=problem
                )
            return None

    def report_left_out(self) -> None:
        """Report the parts of the operation that its tool does not have."""
        report_operation(self._item, self._node, self.name, self._api)

    def _document(self) -> dict[str, Json]:
        document: dict[str, Json] = {"type": "http_function", "name": self.name}
        words = [text_of(self._node, key) for key in ("summary", "description")]
        sentences = list(dict.fromkeys(word.strip() for word in words if word))
        if sentences:
            document["description"] = "\n\n".join(sentences)
        tags = self._node.get("tags")
        if isinstance(tags, ListNode) and tags.items:
            document["tags"] = plain(tags)
        for node in self._parameters():
            try:
                self._take_parameter(node)
            except CannotExpress as problem:
                raise problem.at(node) from None
        body = self._body()
        request = self._request(body)
        inline: dict[str, Json] = {
            "type": "object",
            "properties": self._arguments,
            **({"required": list[Json](self._required)} if self._required else {}),
            "additionalProperties": False,
            **self._api.components.definitions(self._arguments),
        }
        document["arguments"] = {"mode": "standard", "inline": inline}
        document |= request
        document |= read_responses(self._node, self._api)
        if self._identifier not in (None, self.name):
            document["x-operation-id"] = self._identifier
        deprecated = self._node.get("deprecated")
        if isinstance(deprecated, ScalarNode) and deprecated.value is True:
            document["x-deprecated"] = True
        return document

    def _parameters(self) -> Iterator[MapNode]:
        """The parameters of the operation, and those of the path that it does not replace."""
        seen: set[tuple[str | None, str | None]] = set()
        for owner in (self._node, self._item):
            listed = owner.get("parameters")
            for item in listed.items if isinstance(listed, ListNode) else ():
                node = self._api.follow(item)
                if not isinstance(node, MapNode):
                    raise CannotExpress("a parameter is no object", place=item.span)
                key = (text_of(node, "name"), text_of(node, "in"))
                if key not in seen:
                    seen.add(key)
                    yield node

    def _take_parameter(self, node: MapNode) -> None:
        name, place = text_of(node, "name"), text_of(node, "in")
        needed = is_true(node.get("required")) or place == "path"
        if name is None or place not in ("path", "query", "header", "cookie"):
            raise CannotExpress("a parameter has no name or no place")
        if place == "header" and name.casefold() in _NOT_PARAMETERS:
            return
        is_json, schema_node = self._parameter_schema(node, name)
        schema = self._described(node, self._api.schema(schema_node, Direction.REQUEST))
        argument = self._argument(name, place, schema, needed)
        spelling = parameter_spelling(node, place, is_json=is_json)
        whole = self._api.shape(schema, node)
        for key, value in parameter_templates(name, argument, spelling, whole).items():
            if place == "path":
                self._segments[key] = value
            elif place == "cookie":
                self._cookies.append(f"{key}={value}")
            elif self._sent[place].setdefault(key, value) is not value:
                raise CannotExpress(f"`{key}` stands twice in the {place}")

    @staticmethod
    def _parameter_schema(node: MapNode, name: str) -> tuple[bool, Node | None]:
        """Whether a parameter is written as JSON, and its schema."""
        content = node.get("content")
        if content is None:
            return False, node.get("schema")
        media = content.entries if isinstance(content, MapNode) else ()
        for media_type in media:
            if JSON_MEDIA.match(media_type.key.text):
                return True, media_schema(media_type)
        raise CannotExpress(f"`{name}` is written in a media type of its own")

    @staticmethod
    def _described(node: MapNode, schema: Any) -> Any:
        """Add the description and example of a parameter to its schema."""
        if not is_object(schema):
            return schema
        schema = dict(schema)
        for key in ("description", "deprecated"):
            value = node.get(key)
            if value is not None:
                schema[key] = plain(value)
        example = node.get("example")
        if example is not None:
            schema.setdefault("examples", [plain(example)])
        return schema

    def _argument(self, name: str, place: str, schema: Any, needed: bool) -> str:
        """Declare an argument and return its name; it ends with its place if the name is taken."""
        argument = name if name not in self._arguments else f"{name}_{place}"
        if argument in self._arguments:
            raise CannotExpress(f"there are two arguments `{argument}`")
        self._arguments[argument] = schema
        if needed:
            self._required.append(argument)
        return argument

    def _body(self) -> Mapping[str, Json]:
        """``body``; the headers that belong to it are sent, too."""
        node = self._api.follow(self._node.get("requestBody"))
        if not isinstance(node, MapNode):
            return {}
        try:
            body = BodyReader(self._api, self._argument).read(node)
        except CannotExpress as problem:
            raise problem.at(node) from None
        if body is None:
            self._leave_out(node, "the body", "it has no content")
            return {}
        if body.left_out is not None:
            self._leave_out(node, *body.left_out)
        self._sent["header"] |= body.headers
        return {"body": body.template}

    def _request(self, body: Mapping[str, Json]) -> dict[str, Json]:
        media = accepted_media_type(self._node, self._api)
        if media is not None:
            self._sent["header"]["Accept"] = media
        server, base = self._api.server(self._node, self._item)
        path = VARIABLE.sub(self._segment, self._sent_path())
        host = urlsplit(server).netloc
        request: dict[str, Json] = {
            "method": self._method.upper(),
            "urlTemplate": f"{server.rstrip('/')}{path}",
        }
        secured = read_security(self._node, self._api.root)
        for subject, reason in secured.left_out:
            self._leave_out(self._node, subject, reason)
        self._sent["query"] |= secured.query
        self._sent["header"] |= secured.headers
        if self._cookies:
            key = str(secured.headers.get("Cookie", ""))
            cookies = "; ".join(filter(None, (key, *self._cookies)))
            self._sent["header"]["Cookie"] = cookies
        for key, place in (("query", "query"), ("headers", "header")):
            if self._sent[place]:
                request[key] = self._sent[place]
        if secured.auth:
            request["auth"] = dict(secured.auth)
        request |= body
        document: dict[str, Json] = {}
        secrets: list[Json] = [base, *secured.secrets] if base else [*secured.secrets]
        if secrets:
            document["secrets"] = secrets
        if base is None:
            document["allowedHosts"] = [host]
        return {**document, "request": request}

    def _sent_path(self) -> str:
        """The path without a fragment, which only tells operations of one path apart."""
        return self._path.partition("#")[0].replace("${", "$${")

    def _segment(self, match: re.Match[str]) -> str:
        name = match[1]
        if name not in self._segments:
            # A variable of the path is a text that every call needs, declared or not.
            argument = self._argument(name, "path", {"type": "string"}, True)
            self._segments[name] = f"${{{argument}}}"
        return self._segments[name]

    def _leave_out(self, node: MapNode, subject: str, reason: str) -> None:
        self._api.diagnostics.add(
            IMPORT_NOT_KEPT, node.span, what=subject, name=self.name, reason=reason
        )
