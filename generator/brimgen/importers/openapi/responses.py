"""Import the responses of an OpenAPI operation as ``response`` and ``returns`` of its tool."""

from __future__ import annotations

import re
from typing import Any

from brimgen.importers.openapi.bodies import JSON_MEDIA, TEXT_MEDIA
from brimgen.importers.openapi.document import Api, media_schema
from brimgen.importers.schemas.read_write_only import Direction
from brimgen.model.json import Json, is_list, is_object
from brimgen.source.nodes import Entry, MapNode

_CODE = re.compile(r"2[0-9][0-9]")
_ANY = re.compile(r"2[xX]{2}")


def read_responses(operation: MapNode, api: Api) -> dict[str, Json]:
    """The keys ``returns`` and ``response`` of a tool, from the responses of success.

    ``default`` counts as success where no other response does. What is neither JSON nor text is
    returned as bytes.
    """
    coded, ranged = _success_responses(operation)
    numbers: list[Json] = [int(entry.key.text) for entry in coded]
    response: dict[str, Json] = {}
    if coded and not ranged:
        response["successCodes"] = numbers
    contents = [_media_types(entry, api) for entry in (*coded, *ranged)]
    media = next(filter(None, contents), None)
    if media is None:
        return {"response": response} if response else {}
    document = _read_content(media, response, api)
    if not all(contents) and is_object(document.get("returns")):
        document["returns"] = _or_null(document["returns"])
    returned = document.get("returns")
    if is_object(returned):
        document["returns"] = {**returned, **api.components.definitions(returned)}
    return document


def accepted_media_type(operation: MapNode, api: Api) -> str | None:
    """The value of ``Accept``; None where it is the usual JSON."""
    coded, ranged = _success_responses(operation)
    media = [
        media_type
        for entry in (*coded, *ranged)
        for media_type in _media_types(entry, api)
    ]
    kinds = [entry.key.text.partition(";")[0].strip() for entry in media]
    json = [kind for kind in kinds if JSON_MEDIA.match(kind)]
    return None if not json or {*json} & {"application/json", "*/*"} else json[0]


def _success_responses(operation: MapNode) -> tuple[list[Entry], list[Entry]]:
    """The responses of success with a code, and those for a range of codes."""
    responses = operation.get("responses")
    entries = responses.entries if isinstance(responses, MapNode) else ()
    coded = [entry for entry in entries if _CODE.fullmatch(entry.key.text)]
    ranged = [entry for entry in entries if _ANY.fullmatch(entry.key.text)]
    if not coded and not ranged:
        ranged = [entry for entry in entries if entry.key.text == "default"]
    return coded, ranged


def _result_schema(schema: dict[str, Any]) -> dict[str, Json]:
    """A schema that `returns` cannot mistake for a type of specs: ``type`` is no list."""
    kinds = schema.get("type")
    if not is_list(kinds) or schema.keys() - {"type", "description"}:
        return schema
    words = {key: value for key, value in schema.items() if key != "type"}
    return {"anyOf": [{"type": kind} for kind in kinds], **words}


def _or_null(schema: Json) -> Json:
    """A schema or null: null stands for a response without content."""
    return {"anyOf": [schema, {"type": "null"}]}


def _media_types(entry: Entry, api: Api) -> list[Entry]:
    node = api.follow(entry.value)
    content = node.get("content") if isinstance(node, MapNode) else None
    return list(content.entries) if isinstance(content, MapNode) else []


def _read_content(
    media: list[Entry], response: dict[str, Json], api: Api
) -> dict[str, Json]:
    keys: dict[str, Json] = {"response": response} if response else {}
    for entry in media:
        if JSON_MEDIA.match(entry.key.text):
            schema = api.schema(media_schema(entry), Direction.ANSWER)
            returned = _result_schema(schema) if is_object(schema) else {}
            return {**keys, "returns": returned}
    if any(TEXT_MEDIA.match(entry.key.text) for entry in media):
        return {"response": {**response, "encoding": "text"}, "returns": "string"}
    # Any other content is bytes: a model gets them as base64, which JSON can say.
    return {"response": {**response, "encoding": "base64"}, "returns": "bytes"}
