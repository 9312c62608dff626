"""One imported tool as a spec document (`Draft`), formats that make drafts, and their choice."""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from fnmatch import fnmatchcase
from typing import Any

from brimgen.diagnostics import Diagnostics, Rule, Span, did_you_mean
from brimgen.diagnostics.rules import (
    IMPORT_KEY_WITHOUT_MEANING,
    IMPORT_UNKNOWN_KEY,
    IMPORT_WRONG_SHAPE,
)
from brimgen.frozen import dataclass
from brimgen.importers.nodes import is_null, is_true, items_at, text_at
from brimgen.model.json import Json
from brimgen.source.nodes import Entry, MapNode, Node, ScalarNode, plain
from brimgen.syntax import reader, shapes
from brimgen.syntax.reader import ITEM, Reader, described, similar_keys


class Choice:
    """The tools that the user selects by name, or all tools; and the server that they call.

    In ``names``, ``*`` stands for any text. ``server`` is the URL that replaces those of a
    document; ``calls_none`` says that one was chosen which no operation needs.
    """

    def __init__(self, names: tuple[str, ...] = (), server: str | None = None) -> None:
        self._names, self._server = names, server
        self._asked: list[str] = []
        self.is_all = not names
        self.calls_none = server is not None

    def takes(self, name: str) -> bool:
        """Whether the tool of this name is wanted."""
        self._asked.append(name)
        return self.is_all or any(fnmatchcase(name, each) for each in self._names)

    def server(self) -> str | None:
        """The URL of the server that was chosen; None where the document's own are."""
        self.calls_none = False
        return self._server

    def missed(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The names that no tool has, each with suggestions."""
        for name in dict.fromkeys(self._names):
            if not any(fnmatchcase(asked, name) for asked in self._asked):
                yield name, did_you_mean(name, self._asked)


@dataclass(frozen=True, slots=True)
class Draft:
    """One imported spec: its name, its source, and its document."""

    name: str
    span: Span
    document: Mapping[str, Json]

    @property
    def kind(self) -> str:
        """What the document is: an ``entity``, a ``bundle``, or else a ``tool``."""
        type_ = str(self.document["type"])
        return type_ if type_ in ("entity", "bundle") else "tool"


@dataclass(frozen=True, slots=True)
class Format:
    """A format of whole documents; with ``wrappers``, of the tools in a document.

    ``read`` makes drafts of what ``fits``: of a document, of the chosen parts alone. It reports and
    leaves out what is wrong. ``wrappers`` are keys under which a document holds its list of tools.
    """

    name: str
    summary: str
    fits: Callable[[MapNode], bool]
    read: Callable[[MapNode, Diagnostics, Choice], Iterable[Draft]]
    wrappers: tuple[str, ...] = ()


class PartReader(Reader):
    """Reads the parts of one mapping by the shapes of keys; it is sound while none is wrong."""

    __slots__ = ("_errors_before", "node", "subject")

    def __init__(self, node: MapNode, subject: str, diagnostics: Diagnostics) -> None:
        super().__init__(diagnostics)
        self.node = node
        self.subject = subject
        self._errors_before = diagnostics.errors

    @property
    def sound(self) -> bool:
        """Whether nothing was wrong, inner parts included."""
        return self.diagnostics.errors == self._errors_before

    def refusal(
        self,
        item: str,
        key: str,
        node: Node,
        expected: str,
        actual: str,
        is_choice: bool,
    ) -> tuple[Rule, dict[str, Any]]:
        """Return the rule of a refused part, and what its message says."""
        return IMPORT_WRONG_SHAPE, {
            "what": f"{item}`{key}` of {self.subject}",
            "expected": f"{expected}, not {actual or described(node)}",
        }

    def draft(self, document: Mapping[str, Json]) -> tuple[Draft, ...]:
        """Return the draft of a spec; nothing where something was wrong."""
        draft = Draft(str(document["name"]), self.node.span, document)
        return (draft,) if self.sound else ()

    def text(self, key: str, *, needed: bool = True) -> str | None:
        """A string."""
        has_text = self._has(key, shapes.text, needed)
        return text_at(self.node, key) if has_text else None

    def texts(self, *keys: str, **renamed: str) -> dict[str, Json]:
        """The strings of a spec: those under ``keys``, and those ``renamed`` ones that are called
        otherwise here; what is left out or empty is not among them.
        """
        names = {**dict(zip(keys, keys, strict=True)), **renamed}
        texts = {name: self.text(key, needed=False) for name, key in names.items()}
        return {name: text for name, text in texts.items() if text}

    def flag(self, key: str) -> bool | None:
        """True or false, or nothing."""
        has_flag = self._has(key, shapes.flag, needed=False)
        return is_true(self.node.get(key)) if has_flag else None

    def mapping(self, key: str, *, needed: bool = True) -> MapNode | None:
        """An object."""
        self._has(key, shapes.mapping, needed)
        node = self.node.get(key)
        return node if isinstance(node, MapNode) else None

    def objects(self, key: str, subject: str) -> Iterator[PartReader]:
        """The objects of a list."""
        self._has(key, shapes.items, needed=True)
        subject = f"{subject} of {self.subject}"
        for item in items_at(self.node, key):
            is_object = shapes.mapping(self, f"{ITEM}{key}", item)
            if is_object and isinstance(item, MapNode):
                yield PartReader(item, subject, self.diagnostics)

    def inner(self, key: str, *, needed: bool = False) -> PartReader | None:
        """An object, to be read as well."""
        node = self.mapping(key, needed=needed)
        return None if node is None else PartReader(node, f"`{key}`", self.diagnostics)

    def schema(
        self, key: str, under: str = "arguments", *, needed: bool = False
    ) -> dict[str, Json]:
        """Return the key ``under`` with a JSON Schema, where there is one."""
        node = self.mapping(key, needed=needed)
        if node is None:
            return {}
        schema: Json = plain(node)
        if under == "arguments":
            schema = {"mode": "standard", "inline": schema}
        return {under: schema}

    def only(self, known: Collection[str]) -> None:
        """Report every key that is not ``known``."""
        for entry in self.node.entries:
            key = entry.key.text
            if key not in known:
                self.report(
                    IMPORT_UNKNOWN_KEY,
                    entry.key.span,
                    what=self.subject,
                    key=key,
                    suggestions=similar_keys(key, known),
                )

    def rest(
        self, known: Collection[str], under: str, kept: Collection[str] = ()
    ) -> dict[str, Json]:
        """Return the values of the keys that are not ``known``, to be kept ``under`` one key.

        A key that is not one of those to be ``kept`` and looks like a known one is reported: it
        is probably misspelt.
        """
        for entry in self.node.entries:
            key = entry.key.text
            is_misspelt = key not in known and key not in kept
            near = did_you_mean(key, (*known, *kept)) if is_misspelt else ()
            if near:
                self.without_meaning(entry, f"it is kept under `{under}`", near)
        return {
            entry.key.text: plain(entry.value)
            for entry in self.node.entries
            if entry.key.text not in known
        }

    def kept(
        self, known: Collection[str], under: str, kept: Collection[str] = ()
    ) -> dict[str, Json]:
        """Return the key ``under`` with the `rest`, where there is any."""
        rest = self.rest(known, under, kept)
        return {under: rest} if rest else {}

    def without_meaning(
        self, entry: Entry, reason: str, suggestions: Sequence[str] = ()
    ) -> None:
        """Report a key that has no effect."""
        self.report(
            IMPORT_KEY_WITHOUT_MEANING,
            entry.key.span,
            key=entry.key.text,
            what=self.subject,
            reason=reason,
            suggestions=suggestions,
        )

    def _has(self, key: str, shape: reader.Shape, needed: bool) -> bool:
        """Whether a part has a shape; one that has not is reported, as one that is ``needed``."""
        node = self.node.get(key) or ScalarNode(self.node.span, "", None)
        return (needed or not is_null(node)) and shape(self, key, node)


def own_arguments(inline: Mapping[str, Json]) -> dict[str, Json]:
    """Return ``arguments`` with their types; one called ``properties`` is no JSON Schema."""
    return {**({"mode": "complex"} if "properties" in inline else {}), "inline": inline}
