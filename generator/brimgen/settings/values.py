"""Nodes of a configuration file in; checked values out, and a report of each wrong one."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Callable, Collection
from typing import TypeVar

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules.output import UNKNOWN_SETTING, WRONG_SETTING
from brimgen.model.catalog import PROFILES, Project
from brimgen.model.fields import Zone
from brimgen.model.http import HostPattern
from brimgen.regex import regex
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode

MODELS = ("pydantic", "msgspec", "typeddict")

LONGEST_PACKAGE = 64
_MOST_LISTED = 30
"""More names than these help nobody who has misspelt one."""
_PACKAGE = (
    "a Python identifier in ASCII, of at most 64 characters, that is no word of Python, no module "
    "of its standard library and no device of Windows"
)
_DEVICE = regex(r"con|prn|aux|nul|(?:com|lpt)[0-9]", re.IGNORECASE)

_T = TypeVar("_T")


class SettingReader:
    """Takes settings out of a mapping; a wrong one is reported and left at its default.

    ``-`` and ``_`` are one in names. `rest` must come last: it reports what nobody took.
    """

    def __init__(self, root: MapNode, found: Diagnostics, *, prefix: str = "") -> None:
        self._entries = {each.key.text.replace("-", "_"): each for each in root.entries}
        self._known: list[str] = []
        self._prefix = prefix
        self.found = found

    def take(
        self, name: str, read: Callable[[Node], _T | None], expected: str, default: _T
    ) -> _T:
        """The setting ``name`` as ``read`` understands it (None: it does not), or ``default``."""
        entry = self.entry(name)
        if entry is None:
            return default
        value = read(entry.value)
        if value is None:
            self.wrong(name, expected, entry.value)
            return default
        return value

    def entry(self, name: str) -> Entry | None:
        """The setting ``name`` as it was written, or None."""
        self._known.append(name)
        return self._entries.pop(name, None)

    def wrong(self, name: str, expected: str, node: Node) -> None:
        """Report a setting of the wrong kind or value."""
        self.found.add(
            WRONG_SETTING,
            node.span,
            name=self._prefix + name,
            expected=expected,
            got=_words(node),
        )

    def rest(self) -> None:
        """Report every setting that nobody took."""
        for name, entry in self._entries.items():
            near = self._meant(name)
            known = dict.fromkeys(self._known)
            lists = not near and len(known) <= _MOST_LISTED
            self.found.add(
                UNKNOWN_SETTING,
                entry.key.span,
                name=self._prefix + entry.key.text,
                among=f": there are {', '.join(known)}" if lists else "",
                suggestions=near,
            )

    def _meant(self, name: str) -> tuple[str, ...]:
        word = _OTHER_WORDS.get(name.casefold())
        if word in self._known and not self._prefix:
            return (word,)
        return did_you_mean(name, self._known)


_OTHER_WORDS = {
    "output": "out",
    "output_dir": "out",
    "output_folder": "out",
    "out_dir": "out",
    "input": "specs",
    "source": "specs",
    "sources": "specs",
    "emitters": "targets",
    "formats": "format",
}
"""What settings are called elsewhere, where it is no slip of what they are called here."""


def take_project(reader: SettingReader) -> Project:
    """The settings that the model knows: those about meaning and output."""
    default = Project()
    return Project(
        package=reader.take("package", _package, _PACKAGE, default.package),
        closed=reader.take("closed", _bool, "true or false", default.closed),
        leaf_formats=reader.take(
            "leaf_formats", _bool, "true or false", default.leaf_formats
        ),
        models=take_names(reader, "models", MODELS) or default.models,
        second_opinion=reader.take(
            "second_opinion", _bool, "true or false", default.second_opinion
        ),
        allowed_hosts=reader.take(
            "allowed_hosts", _hosts, "a list of hosts", default.allowed_hosts
        ),
        tz=Zone(take_choice(reader, "tz", [each.value for each in Zone], default.tz)),
        profiles=take_names(reader, "profiles", PROFILES) or default.profiles,
        include_disabled=reader.take(
            "include_disabled", _bool, "true or false", default.include_disabled
        ),
    )


def take_names(
    reader: SettingReader, name: str, known: Collection[str]
) -> tuple[str, ...] | None:
    """A list of ``known`` words, each once; None where the setting is absent or wrong."""
    expected = f"a list of {_listing(known)}"
    return reader.take(name, lambda node: _names(node, known), expected, None)


def take_choice(
    reader: SettingReader, name: str, known: Collection[str], default: str
) -> str:
    """One of ``known`` words."""
    expected = f"one of {_listing(known)}"
    return reader.take(name, lambda node: _choice(node, known), expected, default)


def take_text(reader: SettingReader, name: str, default: str) -> str:
    """A text that is not empty and that can be a path."""
    return reader.take(name, _path, "a text", default)


def package_fault(name: str) -> str | None:
    """Why ``name`` cannot be the name of a generated package; None where it can.

    It is a folder and a module that stands beside those of others: what hides a module of the
    standard library, or what some file systems cannot hold, would break more than itself.
    """
    if not (name.isascii() and name.isidentifier()):
        return "is not a Python identifier in ASCII"
    if len(name) > LONGEST_PACKAGE:
        return f"has more than {LONGEST_PACKAGE} characters"
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return "is a word of Python itself"
    if name.startswith("__"):
        return "is a name that Python keeps for itself"
    if name in sys.stdlib_module_names:
        return "is a module of Python's standard library"
    if _DEVICE.fullmatch(name):
        return "is the name of a device on Windows"
    return None


def _texts(node: Node) -> tuple[str, ...] | None:
    if not isinstance(node, ListNode):
        return None
    texts = [_text(each) for each in node.items]
    return None if None in texts else tuple(each for each in texts if each is not None)


def _hosts(node: Node) -> tuple[HostPattern, ...] | None:
    texts = _texts(node)
    hosts = [HostPattern.parse(each) for each in texts or ()]
    if texts is None or None in hosts:
        return None
    return tuple(each for each in hosts if each is not None)


def _package(node: Node) -> str | None:
    name = _text(node)
    return name if name is not None and package_fault(name) is None else None


def _text(node: Node) -> str | None:
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return node.value or None
    return None


def _path(node: Node) -> str | None:
    text = _text(node)
    return None if text is None or "\0" in text else text


def _bool(node: Node) -> bool | None:
    if isinstance(node, ScalarNode) and isinstance(node.value, bool):
        return node.value
    return None


def _choice(node: Node, known: Collection[str]) -> str | None:
    text = _text(node)
    return text if text in known else None


def _names(node: Node, known: Collection[str]) -> tuple[str, ...] | None:
    if not isinstance(node, ListNode):
        return None
    names = [_choice(each, known) for each in node.items]
    chosen = tuple(dict.fromkeys(each for each in names if each is not None))
    return None if None in names or not chosen else chosen


def _listing(known: Collection[str]) -> str:
    return ", ".join(f"`{each}`" for each in known)


def _words(node: Node) -> str:
    match node:
        case MapNode():
            return "a mapping"
        case ListNode(items=()):
            return "an empty list"
        case ListNode(items=items):
            return "a list of " + ", ".join(_words(each) for each in items)
        case ScalarNode(text=text):
            return f"`{text}`" if text else "nothing"
