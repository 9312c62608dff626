"""Read the files of the target ``json_schema``, which refer to each other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from brimgen.model.json import is_list, is_object
from brimgen_runtime.schema.json_pointer import steps_of


class SchemaFiles:
    """The schemas of a tree of generated files, whose ``texts`` are given by path."""

    def __init__(self, texts: Mapping[str, str | bytes]) -> None:
        self._texts = texts

    def read(self, path: str) -> Any:
        """Return the schema in a file, with that of the other file where it refers to one.

        None if there is no such file. A reference that leads nowhere, or back to where it stands,
        is left as it is.

        Raises:
            ValueError: for a file that is no JSON.
        """
        text = self._texts.get(path)
        return None if text is None else self._whole(json.loads(text), path, (path,))

    def _whole(self, value: Any, path: str, above: tuple[str, ...]) -> Any:
        if is_list(value):
            return [self._whole(item, path, above) for item in value]
        if not is_object(value):
            return value
        reference = value.get("$ref")
        if isinstance(reference, str) and not reference.startswith("#"):
            place = _place(reference, path)
            target = None if place in above else self._at(place, above)
            if is_object(target):
                own = {key: member for key, member in value.items() if key != "$ref"}
                return {**target, **own}
        return {key: self._whole(member, path, above) for key, member in value.items()}

    def _at(self, place: str, above: tuple[str, ...]) -> Any:
        path, _, pointer = place.partition("#")
        text = self._texts.get(path)
        value: Any = None if text is None else json.loads(text)
        for name in steps_of(pointer):
            value = value.get(name) if is_object(value) else None
        return self._whole(value, path, (*above, place))


def _place(reference: str, path: str) -> str:
    """Return the path and the pointer of what a file refers to."""
    relative, mark, pointer = unquote(reference).partition("#")
    parts = [*PurePosixPath(path).parent.parts]
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        else:
            parts.append(part)
    return f"{'/'.join(parts)}{mark}{pointer}"
