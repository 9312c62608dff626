"""Read the names of documents, say why a name is invalid, and label documents without one."""

from __future__ import annotations

import re
import unicodedata
from string import ascii_letters, digits

from brimgen.diagnostics import did_you_mean
from brimgen.diagnostics.rules import BAD_NAME
from brimgen.source.nodes import Entry, MapNode, ScalarNode, Text
from brimgen.syntax.reader import Reader, head, is_null, shortened

NAME = re.compile(
    r"\A(?!(?i:con|prn|aux|nul|(?:com|lpt)[0-9])\Z)[A-Za-z][A-Za-z0-9_-]{0,63}\Z"
)
"""Names of tools and of all that they use. Files are named after them, and no file on Windows can
have the name of a device."""
_LONGEST = 64
_CHARACTERS = frozenset(f"{ascii_letters}{digits}_-")
_SPACES = {" ": "a space", "\t": "a tab", "\n": "a line end"}
# Letters that are written as two where there is a keyboard without them.
_WRITTEN_OUT = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "ß": "ss",
        "æ": "ae",
        "ø": "o",
        "œ": "oe",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "Æ": "Ae",
        "Ø": "O",
        "Œ": "Oe",
        "ẞ": "Ss",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "þ": "th",
        "Þ": "Th",
    }
)
_OWNERS = {"entity": "an entity", "leaf": "a leaf", "bundle": "a bundle"}


def misspelt_entries(root: MapNode, key: str) -> list[Entry]:
    """The entries of a document whose keys are slips of ``key``."""
    return [
        entry
        for entry in root.entries
        if entry.key.text != key and did_you_mean(entry.key.text, (key,))
    ]


def misspelt_value(root: MapNode, key: str) -> ScalarNode | None:
    """Return the value of the only key that looks like a typo of ``key``, which is reported when it
    is read.
    """
    values = [misspelt_entry.value for misspelt_entry in misspelt_entries(root, key)]
    value = values[0] if len(values) == 1 else None
    return value if isinstance(value, ScalarNode) else None


def name_of(reader: Reader, root: MapNode, kind: str) -> Text | None:
    """The name of a document of the type ``kind``, or None after a report."""
    node = root.get("name")
    if node is None or is_null(node):
        intended = misspelt_value(root, "name") or root.get("tool_name")
        if isinstance(intended, ScalarNode) and NAME.match(intended.text):
            return Text(intended.text, intended.span)
        if intended is None and not (root.is_partial or misspelt_entries(root, "name")):
            from brimgen.diagnostics.helps import missing

            place, empty = root.get("type"), root.entry("name")
            at = head(root) if place is None else place.span
            at = at if empty is None else empty.key.span
            rule = missing(f"the {kind}", "name")
            suggestions, owner = _suggested_name(root), f"the {kind}"
            reader.report(rule, at, suggestions=suggestions, owner=owner, key="name")
        return None
    if not isinstance(node, ScalarNode):
        return None
    if NAME.match(node.text) is None:
        reader.report(
            BAD_NAME,
            node.span,
            suggestions=valid_spelling(node.text),
            name=shortened(node.text),
            owner=_OWNERS.get(kind, "a tool"),
            reason=why_invalid(node.text),
        )
        return None
    return Text(node.text, node.span)


def why_invalid(name: str) -> str:
    """Return the first reason why ``name`` is invalid."""
    if not name.strip():
        return "it is empty"
    invalid = next(
        (character for character in name if character not in _CHARACTERS), ""
    )
    if invalid:
        shown_as = _SPACES.get(invalid, f"`{shortened(invalid)}`")
        return f"{shown_as} cannot stand in one"
    if name[0] not in ascii_letters:
        return f"it begins with `{name[0]}`, and not with a letter"
    if len(name) > _LONGEST:
        return f"it has {len(name)} characters"
    return "it is a device on Windows, where no file can be named after it"


def valid_spelling(name: str) -> tuple[str, ...]:
    """Return the name in plain letters, with `_` for invalid characters, if that makes it valid."""
    plain = unicodedata.normalize(
        "NFKD", unicodedata.normalize("NFC", name).translate(_WRITTEN_OUT)
    )
    unaccented = "".join(
        character for character in plain if not unicodedata.combining(character)
    )
    tidy = re.sub(r"[^A-Za-z0-9-]+", "_", unaccented).strip("_-")
    return (tidy,) if NAME.match(tidy) else ()


def _suggested_name(root: MapNode) -> tuple[str, ...]:
    """Suggest a name from another key."""
    for key in ("slug", "command_name", "operationId", "id"):
        node = root.get(key)
        if isinstance(node, ScalarNode) and NAME.match(node.text):
            return (f"name: {node.text}",)
    return ()


class Labels:
    """Labels for documents without a sound name, whose other parts are read and reported.

    A label holds nothing of the refused name, so that no other name is near it.
    """

    def __init__(self) -> None:
        self._count = 0

    def of(self, root: MapNode) -> Text:
        """The label of the next one: ``(unnamed)``, ``(unnamed 2)``."""
        self._count += 1
        label = "(unnamed)" if self._count == 1 else f"(unnamed {self._count})"
        node = root.get("name")
        return Text(label, head(root) if node is None else node.span)
