"""Aliases: the arguments of a call with aliases for names in; the same with the names out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypedDict, cast

from ..schema.errors import InputError
from ..schema.json_pointer import escape_step
from ..schema.json_text import parse_json

_PORTABLE: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
"""The names that every provider but Gemini takes."""


class Place(TypedDict, total=False):
    """The aliases below one place in the arguments of a tool.

    ``names`` has the properties of an object there, by their aliases. ``properties`` are the
    places of its properties, by their names; ``further`` is the place of all others, and ``items``
    that of the items of a list. ``definitions`` are places that also describe this one, by name.
    """

    names: Mapping[str, str]
    properties: Mapping[str, Place]
    further: Place
    items: Place
    definitions: Sequence[str]


class Aliases(TypedDict):
    """The aliases of one tool."""

    arguments: Place
    definitions: Mapping[str, Place]


def own_names(
    arguments: Any, aliases: Aliases | None, *, all_aliases: bool = False
) -> Any:
    """Return the arguments of a call, JSON text or its value, with names for aliases.

    Unless ``all_aliases``, names that all providers but Gemini take have none. What is no object is
    returned as it is: a decoder refuses it.
    """
    if aliases is None:
        return arguments
    if isinstance(arguments, str | bytes | bytearray):
        try:
            value = parse_json(arguments)
        except InputError:
            return arguments
    else:
        value = arguments
    if not isinstance(value, Mapping):
        return arguments
    call = cast("Mapping[str, Any]", value)
    return with_names(call, aliases, all_aliases=all_aliases)


def with_names(
    arguments: Mapping[str, Any], aliases: Aliases, *, all_aliases: bool = True
) -> dict[str, Any]:
    """Return a copy of ``arguments`` in which each alias is replaced by the name it stands for.

    An alias stays where the name is given as well: a decoder refuses it there. Unless
    ``all_aliases``, names that all providers but Gemini take have none.
    """
    whole: dict[str, Any] = {"": arguments}
    waiting: list[tuple[Any, Any, list[Place]]] = [(whole, "", [aliases["arguments"]])]
    while waiting:
        holder, key, direct = waiting.pop()
        value = holder[key]
        places = _all_of(direct, aliases["definitions"])
        if isinstance(value, Mapping):
            named = _named(cast("Mapping[str, Any]", value), places, all_aliases)
            holder[key] = named
            waiting += [(named, name, [*_below(name, places)]) for name in named]
        elif isinstance(value, list | tuple) and places:
            items = list(cast("Sequence[Any]", value))
            inner = [place["items"] for place in places if "items" in place]
            holder[key] = items
            waiting += [(items, index, inner) for index in range(len(items))]
    return cast("dict[str, Any]", whole[""])


def with_aliases(
    text: str, aliases: Aliases | None, *, all_aliases: bool = False
) -> str:
    """Return what a model is told of a call, with the aliases for the names that they stand for.

    Unless ``all_aliases``, names that all providers but Gemini take have none.
    """
    if aliases is None:
        return text
    waiting = [aliases["arguments"], *aliases["definitions"].values()]
    told: dict[str, str] = {}
    for place in waiting:
        for alias, name in place.get("names", {}).items():
            if all_aliases or not _PORTABLE.fullmatch(name):
                told.setdefault(name, alias)
                told.setdefault(escape_step(name), alias)
        waiting += place.get("properties", {}).values()
        for inner in (place.get("further"), place.get("items")):
            waiting += [] if inner is None else [inner]
    if not told:
        return text
    # The longest first: a name may begin with another one.
    names = "|".join(map(re.escape, sorted(told, key=len, reverse=True)))
    whole = re.compile(rf"(?<![\w$-])(?:{names})(?![\w$-])")
    return whole.sub(lambda match: told[match[0]], text)


def _all_of(direct: Sequence[Place], definitions: Mapping[str, Place]) -> list[Place]:
    """Return the places and those that they refer to, each definition once."""
    places = list(direct)
    seen: set[str] = set()
    for place in places:
        for name in place.get("definitions", ()):
            if name not in seen:
                seen.add(name)
                places.append(definitions[name])
    return places


def _named(
    value: Mapping[str, Any], places: Sequence[Place], all_aliases: bool
) -> dict[str, Any]:
    names = {
        alias: name
        for place in places
        for alias, name in place.get("names", {}).items()
        if name not in value and (all_aliases or not _PORTABLE.fullmatch(name))
    }
    return {names.get(key, key): item for key, item in value.items()}


def _below(name: str, places: Sequence[Place]) -> Iterator[Place]:
    for place in places:
        declared = place.get("properties", {})
        below = declared.get(name, place.get("further"))
        if below is not None:
            yield below
