"""Import what an OpenAPI operation sends: its parameters, its body and its security.

A template stands for a whole parameter (``${ids | comma}``), or for a property of one, where an
object has a pair for each (``${range.min}``). A body is JSON, a form (with parts or without), a
text or a file. An operation with any other body is not imported, even if the body is optional: a
tool that cannot send what the operation is for is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol
from urllib.parse import quote, urlsplit

from brimgen.frozen import dataclass, field
from brimgen.importers.names import spec_name
from brimgen.importers.nodes import (
    entries_at,
    is_true,
    items_at,
    items_of,
    text_at,
    text_of,
)
from brimgen.importers.openapi.document import (
    Api,
    CannotExpress,
    is_server,
    media_schema,
)
from brimgen.importers.schemas.keywords import Direction, is_annotation
from brimgen.model.json import Json, is_list, is_object
from brimgen.source.nodes import Entry, MapNode, Node, ScalarNode
from brimgen_runtime.grammar.headers import MULTIPART

_USUAL = {
    **dict.fromkeys(("query", "form", "cookie"), "form"),
    **dict.fromkeys(("path", "header"), "simple"),
}
_SEPARATED = {"spaceDelimited": "space", "pipeDelimited": "pipe"}
_MEMBER = re.compile(r"[^.\[\]{}|$]+")
_OF_MEMBERS = frozenset({"type", "properties", "required", "additionalProperties"})


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a value is serialized in its ``place`` (a key of `_USUAL`).

    ``explode`` is None where the document does not set it. ``is_json`` overrides the style.
    """

    place: str
    style: str
    explode: bool | None
    is_json: bool = False


def parameter_spelling(node: MapNode, place: str, *, is_json: bool) -> Spelling:
    """How a parameter is serialized."""
    style = text_of(node, "style") or _USUAL[place]
    return Spelling(place, style, _flag(node.get("explode")), is_json)


def field_spelling(node: Node | None, kinds: frozenset[str]) -> Spelling | None:
    """How a field of a form is serialized; None where its media type is no text.

    ``node`` is its encoding object, if there is one.
    """
    encoding = node if isinstance(node, MapNode) else None
    style, media = text_of(encoding, "style"), text_of(encoding, "contentType")
    explode = None if encoding is None else _flag(encoding.get("explode"))
    if style is not None or explode is not None:
        # Style and explode override the media type.
        return Spelling("form", style or "form", explode)
    usual = "application/json" if "object" in kinds else "text/plain"
    media = media or usual
    if not media.startswith(("text/", "application/json")):
        return None
    return Spelling("form", "form", None, is_json=media.startswith("application/json"))


def _flag(node: Node | None) -> bool | None:
    return None if node is None else is_true(node)


def json_types(schema: Any) -> frozenset[str]:
    """The JSON types that a schema names, without null; empty where it names none."""
    if not is_object(schema):
        return frozenset()
    types = schema.get("type")
    if isinstance(types, str) or is_list(types):
        named = [types] if isinstance(types, str) else types
        return frozenset(kind for kind in named if isinstance(kind, str)) - {"null"}
    if "properties" in schema:
        return frozenset({"object"})
    options = [schema.get(key) for key in ("anyOf", "oneOf", "allOf")]
    inner = [
        json_types(option)
        for alternatives in options
        if is_list(alternatives)
        for option in alternatives
    ]
    return frozenset[str]().union(*inner)


def parameter_templates(
    name: str, argument: str, spelling: Spelling, schema: Any
) -> dict[str, str]:
    """The template of each name under which an argument is sent. Raises CannotExpress.

    ``schema`` is that of the value, without a reference at its top.
    """
    kinds = json_types(schema)
    if spelling.is_json:
        return {name: f"${{{argument} | json}}"}
    if "object" in kinds:
        return _object_templates(name, argument, spelling, schema)
    if "array" in kinds:
        return {name: _list_template(name, argument, spelling)}
    value = f"${{{argument}}}"
    return {name: f"{_value_prefix(name, spelling)}{value}"}


def _value_prefix(name: str, spelling: Spelling) -> str:
    """The text before a value in its path segment."""
    match spelling.style:
        case "label" if spelling.place == "path":
            return "."
        case "matrix" if spelling.place == "path":
            return f";{quote(name, safe='')}="
        case _:
            return ""


def _list_template(name: str, argument: str, spelling: Spelling) -> str:
    style = spelling.style
    if spelling.place in ("query", "form"):
        if style == "deepObject":
            return f"${{{argument} | deep}}"
        is_spread = spelling.explode if style in _SEPARATED else _is_spread(spelling)
        if style == "form" or style in _SEPARATED:
            joined = f"${{{argument} | {_SEPARATED.get(style, 'comma')}}}"
            return f"${{{argument}}}" if is_spread else joined
    elif spelling.place == "cookie" and spelling.explode is False:
        return f"${{{argument} | comma}}"
    elif style == "simple" or (style in ("label", "matrix") and not spelling.explode):
        return f"{_value_prefix(name, spelling)}${{{argument} | comma}}"
    raise CannotExpress(f"`{name}` is a list in the style `{style}`")


def _is_spread(spelling: Spelling) -> bool:
    return spelling.explode is not False


def _object_templates(
    name: str, argument: str, spelling: Spelling, schema: Mapping[str, Any]
) -> dict[str, str]:
    if spelling.place in ("query", "form"):
        if spelling.style == "deepObject":
            return {name: f"${{{argument} | deep}}"}
        if spelling.style == "form" and _is_spread(spelling):
            return _member_templates(name, argument, schema)
    raise CannotExpress(f"`{name}` is an object in the style `{spelling.style}`")


def _member_templates(
    name: str, argument: str, schema: Mapping[str, Any]
) -> dict[str, str]:
    """A pair for each property, named by it."""
    properties = schema.get("properties")
    keywords = {key for key in schema if not is_annotation(key)}
    is_closed = keywords <= _OF_MEMBERS and not schema.get("additionalProperties")
    if not (is_object(properties) and properties and is_closed):
        raise CannotExpress(f"`{name}` is an object whose properties are not all known")
    if not all(map(_MEMBER.fullmatch, properties)) or not _MEMBER.fullmatch(argument):
        raise CannotExpress(
            f"a property of `{name}` has a name that no variable can have"
        )
    return {member: f"${{{argument}.{member}}}" for member in properties}


JSON_MEDIA = re.compile(r"application/(?:[\w.+-]+\+)?json(?![\w.+-])|\*/\*")
TEXT_MEDIA = re.compile(
    r"text/|application/(?:[\w.+-]+\+)?(?:x-)?"
    r"(?:xml|yaml|graphql|javascript|ndjson|jsonl|jsonlines|json-seq)\b"
)
_FORM = "application/x-www-form-urlencoded"
_FILE = "base64, or a data URL (`data:{media};base64,…`), or `file:PATH` where paths are allowed"
_USUAL_MEDIA = ("application/json", "*/*")


class Declare(Protocol):
    """Declares an argument, and answers its name."""

    def __call__(self, name: str, place: str, schema: Any, needed: bool, /) -> str:
        """Declare an argument that comes from ``place``."""
        ...


@dataclass(frozen=True, slots=True)
class Body:
    """The ``body`` of a request and its headers; ``left_out`` is what is not kept, and why."""

    template: Json
    headers: Mapping[str, str]
    left_out: tuple[str, str] | None = None


class BodyReader:
    """Reads the body of one operation."""

    def __init__(self, api: Api, declare: Declare) -> None:
        self._api = api
        self._declare = declare

    def read(self, node: MapNode) -> Body | None:
        """The body, or None where there is no content. Raises CannotExpress."""
        media = entries_at(node, "content")
        needed = is_true(node.get("required"))
        json = [entry for entry in media if JSON_MEDIA.match(entry.key.text)]
        for entry in sorted(json, key=lambda entry: entry.key.text not in _USUAL_MEDIA):
            return self._json(entry, needed)
        for kind in (_FORM, MULTIPART):
            for entry in media:
                if entry.key.text.startswith(kind):
                    return self._form(entry, needed, kind)
        for entry in media:
            if TEXT_MEDIA.match(entry.key.text) and self._is_text(entry):
                return self._text(entry, needed)
        for entry in media:
            if not entry.key.text.startswith("multipart/") and self._is_text(entry):
                return self._file(entry, needed)
        if media:
            first = media[0].key
            raise CannotExpress(f"its body is {first.text}", place=first.span)
        return None

    def _json(self, entry: Entry, needed: bool) -> Body:
        kind = entry.key.text
        headers = {} if kind in _USUAL_MEDIA else {"Content-Type": kind}
        fields = self._fields(entry)
        if fields is not None and (needed or not fields.get("required")):
            template: dict[str, Json] = {
                name: f"${{{self._declared(name, fields)}}}"
                for name in fields["properties"]
            }
            return Body(template, headers)
        schema = self._schema(entry)
        headers.setdefault("Content-Type", "application/json")
        return Body(f"${{{self._declare('body', 'body', schema, needed)}}}", headers)

    def _form(self, entry: Entry, needed: bool, media_type: str) -> Body:
        fields = self._fields(entry)
        if fields is None:
            raise CannotExpress("its form has no list of fields", place=entry.key.span)
        left_out = None
        if fields.get("required") and not needed:
            reason = "some of its fields are required"
            left_out = "that the form may be left out", reason
        send = self._sent_fields if media_type == _FORM else self._sent_parts
        return Body(send(entry, fields), {"Content-Type": media_type}, left_out)

    def _sent_fields(self, entry: Entry, fields: Mapping[str, Any]) -> Json:
        """The fields of a form, each as it is written."""
        encodings = _encodings(entry)
        sent: dict[str, Json] = {}
        for name, schema in fields["properties"].items():
            whole = self._api.shape(schema, entry.value)
            encoding = encodings.get(name)
            spelling = field_spelling(encoding, json_types(whole))
            if spelling is None:
                media = text_of(encoding, "contentType")
                raise CannotExpress(f"`{name}` of its form is written as {media}")
            argument = self._declared(name, fields)
            for key, value in parameter_templates(
                name, argument, spelling, whole
            ).items():
                if sent.setdefault(key, value) is not value:
                    raise CannotExpress(f"`{key}` stands twice in its form")
        return sent

    def _sent_parts(self, entry: Entry, fields: Mapping[str, Any]) -> Json:
        """The parts of a form: files, JSON, or texts; the items of a list are parts of their own.

        What a part is, its media type says, or else its type (OpenAPI 3.1, 4.8.15.1.1).
        """
        encodings = _encodings(entry)
        sent: dict[str, Json] = {}
        for name, schema in fields["properties"].items():
            whole = self._api.shape(schema, entry.value)
            items = whole.get("items") if is_object(whole) else None
            inner = whole if items is None else self._api.shape(items, entry.value)
            media = text_of(encodings.get(name), "contentType") or ""
            style = ""
            if _is_file(inner, media):
                style = " | file"
                schema = _described(schema, media.partition(",")[0])
            elif JSON_MEDIA.match(media) or (
                not media and json_types(inner) & {"object", "array"}
            ):
                if inner is not whole and not media:
                    raise CannotExpress(f"`{name}` of its form is a list of objects")
                style = " | json"
            elif media and not media.startswith("text/"):
                raise CannotExpress(f"`{name}` of its form is written as {media}")
            argument = self._declared(name, fields, schema)
            sent[name] = f"${{{argument}{style}}}"
        return sent

    def _file(self, entry: Entry, needed: bool) -> Body:
        media = entry.key.text.partition(";")[0].strip()
        schema = _described({"type": "string", **self._schema(entry)}, media)
        argument = self._declare("body", "body", schema, needed)
        headers = {} if "*" in media else {"Content-Type": media}
        return Body(f"${{{argument} | file}}", headers)

    def _text(self, entry: Entry, needed: bool) -> Body:
        schema = {"type": "string", **self._schema(entry)}
        argument = self._declare("body", "body", schema, True)
        left_out = None
        if not needed:
            left_out = "that the body may be left out", "it is a text"
        return Body(f"${{{argument}}}", {"Content-Type": entry.key.text}, left_out)

    def _is_text(self, entry: Entry) -> bool:
        schema = self._whole_body(entry)
        return is_object(schema) and schema.get("type", "string") == "string"

    def _fields(self, entry: Entry) -> dict[str, Any] | None:
        """The schema, where it is an object that is known by its properties.

        A required property that is not declared is one of any value (JSON Schema Validation
        6.5.3). Raises CannotExpress where the object takes no such property.
        """
        schema = self._whole_body(entry)
        if not (
            is_object(schema)
            and schema.get("type", "object") == "object"
            and is_object(schema.get("properties"))
            and schema["properties"]
            and all(key in _OF_MEMBERS or is_annotation(key) for key in schema)
            and not schema.get("additionalProperties")
        ):
            return None
        declared = schema["properties"]
        required = [
            name
            for name in schema.get("required", ())
            if isinstance(name, str) and name not in declared
        ]
        if required and schema.get("additionalProperties") is False:
            reason = f"its body requires `{required[0]}`, which it does not admit"
            raise CannotExpress(reason, place=entry.key.span)
        undeclared: dict[str, Any] = {name: {} for name in required}
        return {**schema, "properties": {**declared, **undeclared}}

    def _declared(
        self, name: str, fields: Mapping[str, Any], schema: Any = None
    ) -> str:
        """Declare the argument of a field, and answer its name."""
        schema = fields["properties"][name] if schema is None else schema
        return self._declare(name, "body", schema, name in fields.get("required", ()))

    def _schema(self, entry: Entry) -> Any:
        return self._api.schema(media_schema(entry), Direction.REQUEST)

    def _whole_body(self, entry: Entry) -> Any:
        node = media_schema(entry)
        if node is None:
            return {}
        schema = self._api.components.schema(node, Direction.REQUEST, is_whole=True)
        return self._api.require_schema(schema)


def _encodings(media: Entry) -> dict[str, Node]:
    entries = entries_at(media.value, "encoding")
    return {entry.key.text: entry.value for entry in entries}


def _is_file(schema: Any, media: str) -> bool:
    """Whether a part is a file: its schema or its media type says so."""
    if not is_object(schema) or "string" not in (json_types(schema) or {"string"}):
        return False
    is_binary = schema.get("format") == "binary" or "contentMediaType" in schema
    is_plain = not media or media.startswith("text/") or JSON_MEDIA.match(media)
    return (is_binary and "contentEncoding" not in schema) or not is_plain


def _described(schema: Mapping[str, Any], media: str) -> dict[str, Any]:
    """Return the schema of a file, or of a list of files, that says how it is written."""
    if is_object(schema.get("items")):
        return {**schema, "items": _described(schema["items"], media)}
    is_one = media and "*" not in media
    hint = _FILE.format(media=media if is_one else "image/png")
    said = str(schema.get("description", "")).strip()
    said = f"{said.rstrip('.')}. As {hint}." if said else f"A file: {hint}."
    kept = {k: v for k, v in schema.items() if k not in _OF_FILES}
    return {**kept, "description": said}


_OF_FILES = frozenset({"format", "contentMediaType", "minLength", "maxLength"})
"""Keywords of a string that is a file; they are about its bytes."""


@dataclass(slots=True)
class Security:
    """The ``auth`` of a tool; what ``auth`` cannot express is in ``query`` and ``headers``.

    ``left_out`` are the requirements that no tool can express, each with the reason. ``hosts`` are
    those that give tokens; with ``is_elsewhere`` the host of the service is not known, and the
    program brings the tokens.
    """

    auth: Mapping[str, Json] = field(default_factory=dict[str, Json])
    query: dict[str, Json] = field(default_factory=dict[str, Json])
    headers: dict[str, Json] = field(default_factory=dict[str, Json])
    secrets: list[str] = field(default_factory=list[str])
    left_out: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    hosts: list[str] = field(default_factory=list[str])
    is_elsewhere: bool = False

    def require(self, name: str, scheme: Node | None, scopes: Node) -> None:
        """Add what the security scheme ``name`` wants to be sent."""
        secret = spec_name(name).upper().replace("-", "_") or "SECRET"
        value = f"${{{secret}}}"
        kind, place = text_of(scheme, "type"), text_of(scheme, "in")
        way = text_at(scheme, "scheme").casefold()
        if not isinstance(scheme, MapNode):
            self._leave_out(name, "it is declared nowhere")
        elif kind == "apiKey" and place in ("header", "query", "cookie"):
            self.secrets.append(secret)
            self._set_api_key(place, text_at(scheme, "name"), value)
        elif kind == "oauth2" and not self.is_elsewhere and _client_token_url(scheme):
            url = _client_token_url(scheme)
            auth = {"type": "oauth2", "tokenUrl": url}
            pair = (f"{secret}_CLIENT_ID", f"{secret}_CLIENT_SECRET")
            auth["clientId"], auth["clientSecret"] = (f"${{{each}}}" for each in pair)
            if scope := " ".join(
                each.text for each in items_of(scopes) if isinstance(each, ScalarNode)
            ):
                auth["scope"] = scope
            self.hosts.append(urlsplit(url).netloc)
            self._set_auth(name, auth, *pair)
        elif kind in ("oauth2", "openIdConnect") or (kind, way) == ("http", "bearer"):
            self._set_auth(name, {"type": "bearer", "token": value}, secret)
        elif (kind, way) == ("http", "basic"):
            pair = (f"{secret}_USERNAME", f"{secret}_PASSWORD")
            user, password = (f"${{{variable}}}" for variable in pair)
            auth = {"type": "basic", "username": user, "password": password}
            self._set_auth(name, auth, *pair)
        else:
            reason = f"there is no way to send {way or kind or 'nothing'}"
            self._leave_out(name, reason)

    def _leave_out(self, name: str, reason: str) -> None:
        self.left_out.append((f"security `{name}`", reason))

    def _set_auth(self, name: str, auth: Mapping[str, Json], *secrets: str) -> None:
        if self.auth:
            self._leave_out(name, "there is another one beside it")
            return
        self.auth = auth
        self.secrets += secrets

    def _set_api_key(self, place: str, name: str, value: str) -> None:
        if place == "cookie":
            sent = self.headers.get("Cookie")
            self.headers["Cookie"] = (
                f"{sent}; {name}={value}" if sent else f"{name}={value}"
            )
        elif not self.auth:
            self.auth = {"type": "api_key", "in": place, "name": name, "value": value}
        else:
            (self.query if place == "query" else self.headers)[name] = value


def read_security(operation: MapNode, root: MapNode, *, is_elsewhere: bool) -> Security:
    """Return the security of an operation: the first alternative that a spec can express.

    An empty alternative allows calls without security; it is used where no other can be expressed.
    """
    owner = root if operation.get("security") is None else operation
    schemes = {
        entry.key.text: entry.value
        for entry in entries_at(root, "components", "securitySchemes")
    }
    tried = Security()
    for item in items_at(owner, "security"):
        secured = Security(is_elsewhere=is_elsewhere)
        for entry in item.entries if isinstance(item, MapNode) else ():
            name = entry.key.text
            secured.require(name, schemes.get(name), entry.value)
        is_empty = not (secured.secrets or secured.left_out)
        if not is_empty and not secured.left_out:
            return secured
        if not tried.left_out:
            tried = Security(left_out=secured.left_out)
    return tried


def _client_token_url(scheme: Node) -> str:
    """The URL of the tokens of a scheme whose only flow is that of clients; else empty."""
    flows = entries_at(scheme, "flows")
    urls = [
        text_at(each.value, "tokenUrl")
        for each in flows
        if each.key.text == "clientCredentials"
    ]
    return urls[0] if urls and len(flows) == 1 and is_server(urls[0]) else ""
