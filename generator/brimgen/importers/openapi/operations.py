"""Import one operation of an OpenAPI document as an HTTP tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from brimgen.diagnostics.rules import IMPORT_CANNOT_SAY, IMPORT_NOT_KEPT
from brimgen.importers.draft import Draft
from brimgen.importers.names import operation_name, tool_name
from brimgen.importers.nodes import entries_at, is_true, items_at, text_of
from brimgen.importers.openapi.document import (
    VARIABLE,
    Api,
    CannotExpress,
    head_span,
    media_schema,
)
from brimgen.importers.openapi.requests import (
    JSON_MEDIA,
    TEXT_MEDIA,
    BodyReader,
    parameter_spelling,
    parameter_templates,
    read_security,
)
from brimgen.importers.openapi.unmapped_keys import report_operation
from brimgen.importers.schemas.keywords import Direction
from brimgen.model.json import Json, is_list, is_object
from brimgen.source.nodes import MapNode, Node, plain

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
        self._responses = _Responses(node, api)
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
        tags = items_at(self._node, "tags")
        if tags:
            document["tags"] = [*map(plain, tags)]
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
        document |= self._responses.document()
        if self._identifier not in (None, self.name):
            document["x-operation-id"] = self._identifier
        if is_true(self._node.get("deprecated")):
            document["x-deprecated"] = True
        return document

    def _parameters(self) -> Iterator[MapNode]:
        """The parameters of the operation, and those of the path that it does not replace."""
        seen: set[tuple[str | None, str | None]] = set()
        for owner in (self._node, self._item):
            for item in items_at(owner, "parameters"):
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
        for media_type in entries_at(node, "content"):
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
        media = self._responses.accepted()
        if media is not None:
            self._sent["header"]["Accept"] = media
        server, base = self._api.server(self._node, self._item)
        path = VARIABLE.sub(self._segment, self._sent_path())
        host = urlsplit(server).netloc
        request: dict[str, Json] = {
            "method": self._method.upper(),
            "urlTemplate": f"{server.rstrip('/')}{path}",
        }
        secured = read_security(
            self._node, self._api.root, is_elsewhere=base is not None
        )
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
            document["allowedHosts"] = [*dict.fromkeys((host, *secured.hosts))]
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


_CODE = re.compile(r"2[0-9][0-9]")
_ANY = re.compile(r"2[xX]{2}")


class _Responses:
    """The responses of success of an operation: those with a code, and those for a range of codes.

    ``default`` counts as success where no other response does.
    """

    def __init__(self, operation: MapNode, api: Api) -> None:
        self._api = api
        entries = entries_at(operation, "responses")
        coded = [entry for entry in entries if _CODE.fullmatch(entry.key.text)]
        ranged = [entry for entry in entries if _ANY.fullmatch(entry.key.text)]
        if not coded and not ranged:
            ranged = [entry for entry in entries if entry.key.text == "default"]
        self._codes: list[Json] = (
            [] if ranged else [int(each.key.text) for each in coded]
        )
        self._contents = [
            entries_at(api.follow(entry.value), "content")
            for entry in (*coded, *ranged)
        ]

    def accepted(self) -> str | None:
        """The value of ``Accept``; None where it is the usual JSON."""
        media = [entry.key.text for content in self._contents for entry in content]
        kinds = [kind.partition(";")[0].strip() for kind in media]
        json = [kind for kind in kinds if JSON_MEDIA.match(kind)]
        return None if not json or {*json} & {"application/json", "*/*"} else json[0]

    def document(self) -> dict[str, Json]:
        """The keys ``response`` and ``returns`` of a tool."""
        response: dict[str, Json] = {"successCodes": self._codes} if self._codes else {}
        media = next(filter(None, self._contents), None)
        if media is None:
            return {"response": response} if response else {}
        returned: Json = "bytes"
        for entry in media:
            if JSON_MEDIA.match(entry.key.text):
                schema = self._api.schema(media_schema(entry), Direction.ANSWER)
                returned = _result_schema(schema) if is_object(schema) else {}
                break
        else:
            # What is no text is bytes: a model gets them as base64, which JSON can say.
            is_text = any(TEXT_MEDIA.match(entry.key.text) for entry in media)
            response["encoding"] = "text" if is_text else "base64"
            returned = "string" if is_text else "bytes"
        if is_object(returned):
            if not all(self._contents):
                # Null stands for a response without content.
                returned = {"anyOf": [returned, {"type": "null"}]}
            returned = {**returned, **self._api.components.definitions(returned)}
        return {**({"response": response} if response else {}), "returns": returned}


def _result_schema(schema: dict[str, Any]) -> dict[str, Json]:
    """A schema that `returns` cannot mistake for a type of specs: ``type`` is no list."""
    kinds = schema.get("type")
    if not is_list(kinds) or schema.keys() - {"type", "description"}:
        return schema
    words = {key: value for key, value in schema.items() if key != "type"}
    return {"anyOf": [{"type": kind} for kind in kinds], **words}
