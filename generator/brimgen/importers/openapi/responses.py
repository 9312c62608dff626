"""Import the responses of an OpenAPI operation as ``response`` and ``returns`` of its tool."""

from __future__ import annotations

import re
from typing import Any

from brimgen.importers.openapi.bodies import JSON_MEDIA, TEXT_MEDIA
from brimgen.importers.openapi.document import Api, CannotSay
from brimgen.importers.schemas.read_write_only import Direction
from brimgen.model.json import Json, is_list, is_object
from brimgen.source.nodes import Entry, MapNode

_CODE = re.compile(r"2[0-9][0-9]")
_ANY = re.compile(r"2[xX]{2}")


def answer_of(operation: MapNode, api: Api) -> dict[str, Json]:
    """``returns`` and ``response``, by the answers of success that have a content.

    ``default`` tells of success where nothing else does. Raises CannotSay where they hold what a
    tool cannot return.
    """
    coded, ranged = _successes(operation)
    numbers: list[Json] = [int(entry.key.text) for entry in coded]
    response: dict[str, Json] = {}
    if coded and not ranged:
        response["successCodes"] = numbers
    contents = [_media(entry, api) for entry in (*coded, *ranged)]
    media = next(filter(None, contents), None)
    if media is None:
        return {"response": response} if response else {}
    document = _returned(media, response, api)
    if not all(contents) and is_object(document.get("returns")):
        document["returns"] = _or_nothing(document["returns"])
    return document


def accepted(operation: MapNode, api: Api) -> str | None:
    """The media type of JSON that is asked for, where it is not the one that is usual."""
    coded, ranged = _successes(operation)
    media = [
        media_type for entry in (*coded, *ranged) for media_type in _media(entry, api)
    ]
    kinds = [x.key.text.partition(";")[0].strip() for x in media]
    json = [kind for kind in kinds if JSON_MEDIA.match(kind)]
    return None if not json or {*json} & {"application/json", "*/*"} else json[0]


def _successes(operation: MapNode) -> tuple[list[Entry], list[Entry]]:
    """The answers of success that have a code, and those that stand for any other."""
    responses = operation.get("responses")
    entries = responses.entries if isinstance(responses, MapNode) else ()
    coded = [entry for entry in entries if _CODE.fullmatch(entry.key.text)]
    ranged = [entry for entry in entries if _ANY.fullmatch(entry.key.text)]
    if not coded and not ranged:
        ranged = [entry for entry in entries if entry.key.text == "default"]
    return coded, ranged


def _result_schema(schema: dict[str, Any]) -> dict[str, Json]:
    """A schema that `returns` does not take for a type of specs, of which none is a list."""
    kinds = schema.get("type")
    if not is_list(kinds) or schema.keys() - {"type", "description"}:
        return schema
    words = {key: value for key, value in schema.items() if key != "type"}
    return {"anyOf": [{"type": kind} for kind in kinds], **words}


def _or_nothing(schema: Json) -> Json:
    """What a tool returns that may be answered without content, which is null."""
    return {"anyOf": [schema, {"type": "null"}]}


def _media(entry: Entry, api: Api) -> list[Entry]:
    node = api.followed(entry.value)
    content = node.get("content") if isinstance(node, MapNode) else None
    return list(content.entries) if isinstance(content, MapNode) else []


def _returned(
    media: list[Entry], response: dict[str, Json], api: Api
) -> dict[str, Json]:
    keys: dict[str, Json] = {"response": response} if response else {}
    for entry in media:
        if JSON_MEDIA.match(entry.key.text):
            node = (
                entry.value.get("schema") if isinstance(entry.value, MapNode) else None
            )
            schema: Any = {}
            if node is not None:
                schema = api.require_schema(
                    api.components.schema(node, Direction.ANSWER)
                )
            schema = schema if is_object(schema) else {}
            return {**keys, "returns": _result_schema(schema)}
    if any(TEXT_MEDIA.match(entry.key.text) for entry in media):
        return {"response": {**response, "encoding": "text"}, "returns": "string"}
    first = media[0].key
    raise CannotSay(f"it answers with {first.text}", place=first.span)
