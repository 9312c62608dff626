"""Read mappings by tables of keys; report missing, unknown and wrongly shaped keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Protocol, TypeAlias

from brimgen.diagnostics import Diagnostics, Note, Rule, Severity, Span, did_you_mean
from brimgen.diagnostics.rules import SYNONYM_TWICE, UNKNOWN_CHOICE, UNKNOWN_KEY
from brimgen.frozen import dataclass, field
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode, Text
from brimgen.syntax.words_of_others import DIFFERENT_VALUES, FALSE_FRIENDS, SYNONYMS


def as_prose(entry: Entry) -> ScalarNode:
    """Join the words of a refused value to a text, so that it is not also reported as missing."""
    words = " ".join(_words(entry.value))
    return ScalarNode(entry.value.span, words, words, quoted=True)


def _words(node: Node) -> Iterator[str]:
    match node:
        case ScalarNode():
            yield node.text
        case ListNode():
            for item in node.items:
                yield from _words(item)
        case MapNode():
            for key, value in node.entries:
                yield key.text
                yield from _words(value)


ITEM = "an item of "


class Reader:
    """Reports the mistakes of the parse stage, and counts its errors.

    The count lets a declaration say whether its own part was sound.
    """

    __slots__ = ("diagnostics", "errors")

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self.errors: int = 0

    def count_partial(self, node: MapNode) -> None:
        """Count the errors that were reported in a mapping before it is read here."""
        self.errors += node.is_partial

    def report(
        self,
        rule: Rule,
        span: Span,
        /,
        *,
        notes: Sequence[Note] = (),
        suggestions: Sequence[str] = (),
        **values: object,
    ) -> None:
        """Add a diagnostic; see `Diagnostics.add`."""
        self.errors += rule.severity is Severity.ERROR
        self.diagnostics.add(rule, span, notes=notes, suggestions=suggestions, **values)

    def refuse(
        self,
        key: str,
        node: Node,
        *,
        expected: str,
        suggestions: Sequence[str] = (),
        actual: str = "",
        is_choice: bool = False,
    ) -> bool:
        """Report that ``node`` is not what ``key`` asks for, and return False.

        ``actual`` says what it is instead; ``is_choice`` that words are ``expected``. The key of an
        item of a list begins with `ITEM`.
        """
        own_key = key.removeprefix(ITEM)
        item = "" if own_key == key else ITEM
        rule, values = self.refusal(item, own_key, node, expected, actual, is_choice)
        self.report(rule, node.span, suggestions=suggestions, **values)
        return False

    def refusal(
        self,
        item: str,
        key: str,
        node: Node,
        expected: str,
        actual: str,
        is_choice: bool,
    ) -> tuple[Rule, dict[str, Any]]:
        """Return the rule of a refused value, and what its message says; see `refuse`."""
        actual = actual or described(node)
        if is_choice:
            rule, word = UNKNOWN_CHOICE, "choices"
        else:
            from brimgen.diagnostics.helps import wrong_kind

            rule, word = wrong_kind(expected, actual), "expected"
        quoted = f"{item}`{shortened(key)}`"
        return rule, {word: expected, "key": quoted, "actual": actual}


Shape: TypeAlias = Callable[[Reader, str, Node], bool]
"""Whether a value is what its key asks for; one that is not is reported."""


class Refusal(Protocol):
    """A function that reports an unknown key."""

    def __call__(
        self, reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
    ) -> str | None:
        """Report ``entry``, which stands in ``owner``, where only ``keys`` may stand.

        Returns the known key that was meant, if it is certain.
        """


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys that a mapping may have.

    ``shapes`` gives each key the shape of its value, ``texts`` what editors show of it;
    ``synonyms`` are other words for these keys. A null counts as absent, but for the keys in
    ``nullable``.
    """

    shapes: Mapping[str, Shape]
    synonyms: Mapping[str, str] = field(default_factory=dict[str, str])
    nullable: frozenset[str] = frozenset()
    texts: Mapping[str, str] = field(default_factory=dict[str, str])

    def standard(self, word: str) -> str | None:
        """The standard name of a key, or None for an unknown word."""
        return word if word in self.shapes else self.synonyms.get(word)

    def __iter__(self) -> Iterator[str]:
        yield from self.shapes
        yield from self.synonyms


def table(
    rows: Mapping[str, tuple[Shape, str]],
    synonyms: Mapping[str, str] | None = None,
    nullable: frozenset[str] = frozenset(),
) -> Keys:
    """Make a table of its ``rows``: the shape of each key, and its text."""
    shapes = {key: shape for key, (shape, _) in rows.items()}
    texts = {key: text for key, (_, text) in rows.items()}
    return Keys(shapes, synonyms or {}, nullable, texts)


_PROSE = frozenset({"description", "title", "when_to_use"})


def similar_keys(word: str, keys: Iterable[str]) -> tuple[str, ...]:
    """Return at most two of ``keys`` that an unknown word probably stands for."""
    known = tuple(keys)

    if word in FALSE_FRIENDS:
        return tuple(
            false_friend
            for false_friend in FALSE_FRIENDS[word]
            if false_friend in known
        )
    synonyms = (synonym for synonym in SYNONYMS.get(word, ()) if synonym in known)
    return did_you_mean(word, known) or tuple(synonyms)[:1]


def refuse_unknown(
    reader: Reader, entry: Entry, /, *, owner: str, keys: Keys
) -> str | None:
    """Report an unknown key; return the known one as which its value can be read."""
    word = entry.key.text
    near = similar_keys(word, keys)
    if len({keys.standard(name) for name in near}) == 1:
        near = near[:1]
    reader.report(
        UNKNOWN_KEY, entry.key.span, suggestions=near, key=shortened(word), owner=owner
    )

    return near[0] if len(near) == 1 and word not in DIFFERENT_VALUES else None


@dataclass(slots=True)
class Section:
    """A mapping that was read by its `Keys`; ``place`` is its node, or one that represents it.

    ``entries`` has the entries whose values have the right shape, under standard names, in written
    order; a description of a wrong shape is kept as the text of its words. ``written`` has every
    known key as it stands in the file, also if its value was refused. ``unknown`` are the other
    keys. A misspelt key counts as the key that was meant, too, if that is absent.
    """

    place: Node
    owner: str
    entries: dict[str, Entry]
    written: dict[str, ScalarNode]
    extensions: tuple[Entry, ...]
    unknown: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.place.span

    @property
    def is_partial(self) -> bool:
        """Whether entries were refused before it was read, so that any key may have been there."""
        return isinstance(self.place, MapNode) and self.place.is_partial

    def node(self, key: str) -> Node | None:
        """The value of ``key``, or None where it is absent or was refused."""
        entry = self.entries.get(key)
        return None if entry is None else entry.value

    def scalar(self, key: str) -> ScalarNode | None:
        """The value of a key whose shape is a scalar."""
        entry = self.entries.get(key)
        node = None if entry is None else entry.value
        return node if isinstance(node, ScalarNode) else None

    def text(self, key: str) -> Text | None:
        """The source text of a scalar, with its place."""
        node = self.scalar(key)
        return None if node is None else Text(node.text, node.span)

    def word(self, key: str) -> str | None:
        """The source text of a scalar; None where the key is absent or was refused."""
        node = self.scalar(key)
        return None if node is None else node.text

    def value(self, key: str, default: Any) -> Any:
        """The value of a scalar; ``default`` where the key is absent or was refused."""
        node = self.scalar(key)
        return default if node is None else node.value

    def words(self, key: str) -> tuple[str, ...] | None:
        """The texts of a list of scalars; None where the key is absent or was refused."""
        if key not in self.entries:
            return None
        return tuple(item.text for item in self.scalars(key))

    def scalars(self, key: str) -> tuple[ScalarNode, ...]:
        """The scalars of a list; none where the key is absent or was refused."""
        node = self.node(key)
        items = node.items if isinstance(node, ListNode) else ()
        return tuple(item for item in items if isinstance(item, ScalarNode))

    def pairs(self, key: str) -> tuple[Entry, ...]:
        """The entries of a mapping without nulls, which say nothing."""
        node = self.node(key)
        entries = node.entries if isinstance(node, MapNode) else ()
        return tuple(entry for entry in entries if not is_null(entry.value))

    def chosen(self, keys: Set[str]) -> tuple[Entry, ...]:
        """The entries of those of ``keys`` that are there, in the order of the file."""
        return tuple(entry for name, entry in self.entries.items() if name in keys)

    def require(self, reader: Reader, key: str, at: Span) -> bool:
        """Whether ``key`` was written; its absence is reported at ``at``."""
        if key in self.written:
            return True
        if not (self.is_partial or self.misspells(key)):
            from brimgen.diagnostics.helps import missing

            rule = missing(self.owner, key)
            reader.report(rule, at, owner=self.owner, key=key)
        return False

    def misspells(self, *keys: str) -> bool:
        """Whether an unknown key is a misspelt one of ``keys``, so that it is not missing."""
        return any(similar_keys(word, keys) for word in self.unknown)


def read_section(
    reader: Reader,
    node: MapNode,
    *,
    keys: Keys,
    owner: str,
    refuse: Refusal = refuse_unknown,
) -> Section:
    """Sort the entries of ``node`` by their keys, and check the shape of each value."""
    entries: dict[str, Entry] = {}
    written: dict[str, ScalarNode] = {}
    extensions: list[Entry] = []
    unknown: list[Entry] = []
    shapes, synonyms, nullable = keys.shapes, keys.synonyms, keys.nullable
    for entry in node.entries:
        key, value = entry
        word = key.text
        name = word if word in shapes else synonyms.get(word)
        if name is None:
            (extensions if word.startswith("x-") else unknown).append(entry)
            continue
        if name in written:
            _report_synonym(reader, key, written[name])
            continue
        is_nothing = isinstance(value, ScalarNode) and value.value is None
        if is_nothing and name not in nullable:
            continue
        written[name] = key
        if shapes[name](reader, word, value):
            entries[name] = entry if word == name else renamed(entry, name)
        else:
            _keep_prose(entry, name, entries)
    reader.count_partial(node)
    unknown_words = tuple([entry.key.text for entry in unknown])
    section = Section(node, owner, entries, written, tuple(extensions), unknown_words)
    for entry in unknown:
        slip_of = refuse(reader, entry, owner=owner, keys=keys)
        if slip_of:
            _read_slip(section, entry, keys.standard(slip_of), keys)
    return section


def read_inner(reader: Reader, key: str, node: Node | None, keys: Keys) -> Section:
    """Read the mapping under ``key``; an absent one is empty."""
    there = node if isinstance(node, MapNode) else MapNode(Span.at_file(""), ())
    return read_section(reader, there, keys=keys, owner=f"`{key}`")


def _read_slip(section: Section, entry: Entry, name: str | None, keys: Keys) -> None:
    """Read a misspelt key, which was reported, as the key that was meant.

    So that key is not reported as missing, and its value is checked in the same run."""
    if name is None or name in section.written:
        return
    section.written[name] = entry.key
    # One mistake, one error: a value of another shape is dropped without a report.
    if keys.shapes[name](Reader(Diagnostics()), name, entry.value):
        section.entries[name] = renamed(entry, name)
    else:
        _keep_prose(entry, name, section.entries)


def _keep_prose(entry: Entry, name: str, entries: dict[str, Entry]) -> None:
    """Keep the words of a text whose shape was refused."""
    if name in _PROSE:
        entries[name] = renamed(Entry(entry.key, as_prose(entry)), name)


def _report_synonym(reader: Reader, key: ScalarNode, first: ScalarNode) -> None:
    reader.report(
        SYNONYM_TWICE,
        key.span,
        notes=[Note(first.span, f"`{first.text}` stands here")],
        key=key.text,
        first=first.text,
    )


def renamed(entry: Entry, name: str) -> Entry:
    """The entry under another key, which keeps its place."""
    return Entry(entry.key._replace(text=name, value=name), entry.value)


def head(node: MapNode) -> Span:
    """Return the place to report what a mapping lacks: its first key, or itself if empty."""
    return node.entries[0].key.span if node.entries else node.span


def is_null(node: Node) -> bool:
    """Return whether the node is null (no value, ``~`` or ``null``)."""
    return isinstance(node, ScalarNode) and node.value is None


def is_true(node: Node | None) -> bool:
    """Return whether there is a node, and it is true."""
    return isinstance(node, ScalarNode) and node.value is True


def shortened(text: str) -> str:
    """Text as a message can hold it: on one line, and cut if it is long."""
    if text.isidentifier() and len(text) <= 60:
        return text
    line = " ".join(text.split())
    line = "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for character in line
    )
    return line if len(line) <= 60 else line[:59] + "…"


def described(node: Node) -> str:
    """Describe a node for a message."""
    match node:
        case MapNode():
            return "a mapping"
        case ListNode():
            return "a list"
        case ScalarNode(value=None):
            return "nothing"
        case ScalarNode(value=bool()):
            return f"the boolean `{node.text}`"
        case ScalarNode(value=int() | float()):
            return f"the number `{shortened(node.text)}`"
        case ScalarNode():
            return f"the text `{shortened(node.text)}`" if node.text else "empty text"
