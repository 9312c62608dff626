"""The answers of an OpenAPI operation in; ``response`` and ``returns`` of its tool out."""

from __future__ import annotations

from brimgen.importers.api import Api, CannotSay
from brimgen.importers.bodies import JSON_MEDIA, TEXT_MEDIA
from brimgen.importers.directions import Direction
from brimgen.model.json import Json, is_object
from brimgen.regex import regex
from brimgen.source.nodes import Entry, MapNode

_CODE = regex(r"2[0-9][0-9]")
_ANY = regex(r"2[xX]{2}")


def answer_of(operation: MapNode, api: Api) -> dict[str, Json]:
    """``returns`` and ``response``, by the answers of success that have a content.

    Raises CannotSay where they hold what a tool cannot return.
    """
    responses = operation.get("responses")
    entries = responses.entries if isinstance(responses, MapNode) else ()
    coded = [each for each in entries if _CODE.fullmatch(each.key.text)]
    ranged = [each for each in entries if _ANY.fullmatch(each.key.text)]
    numbers: list[Json] = [int(each.key.text) for each in coded]
    response: dict[str, Json] = {}
    if coded and not ranged:
        response["successCodes"] = numbers
    found = [_media(each, api) for each in (*coded, *ranged)]
    media = next(filter(None, found), None)
    if media is None:
        return {"response": response} if response else {}
    document = _returned(media, response, api)
    if not all(found) and is_object(document.get("returns")):
        document["returns"] = _or_nothing(document["returns"])
    return document


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
    said: dict[str, Json] = {"response": response} if response else {}
    for each in media:
        if JSON_MEDIA.match(each.key.text):
            node = each.value.get("schema") if isinstance(each.value, MapNode) else None
            if node is None:
                return said
            schema = api.known(api.components.schema(node, Direction.ANSWER))
            return {**said, "returns": schema} if is_object(schema) else said
    if any(TEXT_MEDIA.match(each.key.text) for each in media):
        return {"response": {**response, "encoding": "text"}, "returns": "string"}
    raise CannotSay(f"it answers with {media[0].key.text}")
