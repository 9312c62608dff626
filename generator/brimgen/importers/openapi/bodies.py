"""Import the body of an OpenAPI operation as a template with headers.

A body is JSON, a form (with parts or without), a text or a file. An operation with any other body
is not imported, even if the body is optional: a tool that cannot send what the operation is for is
worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol

from brimgen.frozen import dataclass
from brimgen.importers.openapi.document import (
    Api,
    CannotExpress,
    is_true,
    media_schema,
    text_of,
)
from brimgen.importers.openapi.styles import (
    field_spelling,
    json_types,
    parameter_templates,
)
from brimgen.importers.schemas.keywords import is_annotation
from brimgen.importers.schemas.read_write_only import Direction
from brimgen.model.json import Json, is_object
from brimgen.source.nodes import Entry, MapNode
from brimgen_runtime.grammar.headers import MULTIPART

JSON_MEDIA = re.compile(r"application/(?:[\w.+-]+\+)?json(?![\w.+-])|\*/\*")
TEXT_MEDIA = re.compile(
    r"text/|application/(?:[\w.+-]+\+)?(?:x-)?"
    r"(?:xml|yaml|graphql|javascript|ndjson|jsonl|jsonlines|json-seq)\b"
)
_FORM = "application/x-www-form-urlencoded"
_IN_PARTS = "multipart/"
_FILE = "base64, or a data URL (`data:{media};base64,…`), or `file:PATH` where paths are allowed"
_USUAL = ("application/json", "*/*")
_OF_FIELDS = frozenset({"type", "properties", "required", "additionalProperties"})


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
        content = node.get("content")
        media = list(content.entries) if isinstance(content, MapNode) else []
        needed = is_true(node.get("required"))
        json = [entry for entry in media if JSON_MEDIA.match(entry.key.text)]
        for entry in sorted(json, key=lambda entry: entry.key.text not in _USUAL):
            return self._json(entry, needed)
        for entry in media:
            if entry.key.text.startswith(_FORM):
                return self._form(entry, needed)
        for entry in media:
            if entry.key.text.startswith(MULTIPART):
                return self._form(entry, needed, MULTIPART)
        for entry in media:
            if TEXT_MEDIA.match(entry.key.text) and self._is_text(entry):
                return self._text(entry, needed)
        for entry in media:
            if not entry.key.text.startswith(_IN_PARTS) and self._is_text(entry):
                return self._file(entry, needed)
        if media:
            first = media[0].key
            raise CannotExpress(f"its body is {first.text}", place=first.span)
        return None

    def _json(self, entry: Entry, needed: bool) -> Body:
        kind = entry.key.text
        headers = {} if kind in _USUAL else {"Content-Type": kind}
        fields = self._fields(entry)
        if fields is not None and (needed or not fields.get("required")):
            return Body(self._template(fields), headers)
        schema = self._schema(entry)
        headers.setdefault("Content-Type", "application/json")
        return Body(f"${{{self._declare('body', 'body', schema, needed)}}}", headers)

    def _form(self, entry: Entry, needed: bool, media_type: str = _FORM) -> Body:
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
        encodings = (
            entry.value.get("encoding") if isinstance(entry.value, MapNode) else None
        )
        required = fields.get("required", ())
        sent: dict[str, Json] = {}
        for name, schema in fields["properties"].items():
            whole = self._api.shape(schema, entry.value)
            encoding = encodings.get(name) if isinstance(encodings, MapNode) else None
            spelling = field_spelling(encoding, json_types(whole))
            if spelling is None:
                media = text_of(encoding, "contentType")
                raise CannotExpress(f"`{name}` of its form is written as {media}")
            argument = self._declare(name, "body", schema, name in required)
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
        encodings = (
            entry.value.get("encoding") if isinstance(entry.value, MapNode) else None
        )
        sent: dict[str, Json] = {}
        for name, schema in fields["properties"].items():
            whole = self._api.shape(schema, entry.value)
            items = whole.get("items") if is_object(whole) else None
            inner = whole if items is None else self._api.shape(items, entry.value)
            encoding = encodings.get(name) if isinstance(encodings, MapNode) else None
            media = text_of(encoding, "contentType") or ""
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
            needed = name in fields.get("required", ())
            argument = self._declare(name, "body", schema, needed)
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
            and all(key in _OF_FIELDS or is_annotation(key) for key in schema)
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

    def _template(self, fields: Mapping[str, Any]) -> dict[str, Json]:
        """An object or form with an argument for each property."""
        required = fields.get("required", ())
        return {
            name: f"${{{self._declare(name, 'body', value, name in required)}}}"
            for name, value in fields["properties"].items()
        }

    def _schema(self, entry: Entry) -> Any:
        return self._api.schema(media_schema(entry), Direction.REQUEST)

    def _whole_body(self, entry: Entry) -> Any:
        node = media_schema(entry)
        if node is None:
            return {}
        schema = self._api.components.written_out(node, Direction.REQUEST)
        return self._api.require_schema(schema)


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
