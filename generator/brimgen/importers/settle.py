"""Settle what is imported: replace what a build refuses by less, until nothing is refused.

A keyword that cannot be kept is left out of its schema; a schema that cannot be kept becomes an
open one with the same words; only a spec in which neither helps is left out. Each step is told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias, cast

from brimgen.diagnostics import Diagnostic, Diagnostics, Severity, Span
from brimgen.diagnostics.rules import (
    IMPORT_LEFT_OPEN,
    IMPORT_REFUSED,
    NUMBER_RANGE,
    REFUSED_CHARACTER,
    SAME_CLASS,
    SAME_MODULE,
    SCHEMA_TOO_LARGE,
    TOO_DEEP,
    TOO_MANY_VALUES,
)
from brimgen.frozen import replace
from brimgen.importers.draft import Draft
from brimgen.model.json import Json, JsonObject, is_list, is_object
from brimgen.source.document import Document, SourceFile
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.source.tree import DEEPEST, MOST_NODES, NumberRange, core_value
from brimgen_runtime.grammar.hidden_characters import described, hidden_characters
from brimgen_runtime.grammar.keywords import SHAPES
from brimgen_runtime.grammar.schema_parts import LISTS, MAPS, SINGLE

Check: TypeAlias = Callable[[Sequence[Document]], Iterable[Diagnostic]]
"""Judges documents as a build does."""
ErrorsByFile: TypeAlias = Mapping[str, Sequence[Diagnostic]]
Path: TypeAlias = tuple[str | int, ...]

MOST_ROUNDS = 20
"""After so many, what is still refused is left out as a whole."""

_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
_LEAVABLE = SHAPES.keys() - {
    *("$ref", "type", "properties", "items", "prefixItems"),
    *("anyOf", "oneOf", "allOf"),
}
"""Keywords that a schema may lose; without the others, the whole of it is opened."""


def settle(
    drafts: Sequence[Draft], check: Check, diagnostics: Diagnostics
) -> list[Draft]:
    """Return the drafts that a build takes; report what they lost, and those that are left out."""
    specs = [_Spec(number, draft) for number, draft in enumerate(drafts)]
    asked = specs_before = specs

    def found() -> Iterator[Diagnostic]:
        needed = _with_needed(asked, specs)
        for spec in needed:
            yield from spec.parts.faults
        yield from check([spec.parts.document for spec in needed])

    def lessen(errors: ErrorsByFile, rounds: int) -> bool:
        nonlocal asked, specs
        changed = [spec for spec in asked if spec.file in errors]
        for spec in changed:
            spec.lessen(errors[spec.file], is_last=rounds >= MOST_ROUNDS)
        specs = [spec for spec in specs if not spec.is_refused(diagnostics)]
        # What the others were refused for would have been found before.
        asked = _with_users(changed, specs)
        return bool(changed)

    until_sound(found, lessen)
    specs = _without_orphans(specs, _used(specs_before) - _used(specs))
    for spec in specs:
        spec.report(diagnostics)
    return [spec.draft for spec in specs]


def until_sound(
    judge: Callable[[], Iterable[Diagnostic]],
    lessen: Callable[[ErrorsByFile, int], bool],
) -> ErrorsByFile:
    """Take out what is refused, until nothing is; return the errors that cannot be helped.

    ``judge`` says what is wrong now. ``lessen`` takes the errors and how many rounds there were,
    and returns whether it took a cause of them out.
    """
    rounds = 0
    while True:
        errors: dict[str, list[Diagnostic]] = {}
        for found in judge():
            if found.rule.severity is Severity.ERROR:
                errors.setdefault(found.span.file, []).append(found)
        if not errors or not lessen(errors, rounds):
            return errors
        rounds += 1


def _used(specs: Iterable[_Spec]) -> frozenset[str]:
    return frozenset[str]().union(*(spec.used for spec in specs))


def _without_orphans(specs: list[_Spec], names: frozenset[str]) -> list[_Spec]:
    """Return ``specs`` without the entities of these names, which nothing uses any more."""
    kept = [
        spec for spec in specs if spec.draft.kind != "entity" or spec.name not in names
    ]
    if len(kept) == len(specs):
        return specs
    return _without_orphans(kept, _used(specs) - _used(kept))


def _with_users(changed: Sequence[_Spec], specs: Sequence[_Spec]) -> list[_Spec]:
    """Return those of ``specs`` that changed, or use what did, however indirectly."""
    reached = {spec.name for spec in changed}
    files = {spec.file for spec in changed}
    while True:
        users = [
            spec
            for spec in specs
            if spec.file not in files and not reached.isdisjoint(spec.used)
        ]
        if not users:
            return [spec for spec in specs if spec.file in files]
        reached.update(spec.name for spec in users)
        files.update(spec.file for spec in users)


def _with_needed(asked: Sequence[_Spec], specs: Sequence[_Spec]) -> list[_Spec]:
    """Return those of ``specs`` that are asked for, and what they use, however indirectly."""
    if len(asked) == len(specs):
        return [*specs]
    by_name = {spec.name: spec for spec in specs if spec.draft.kind != "tool"}
    files, waiting = {spec.file for spec in asked}, [*asked]
    while waiting:
        for name in waiting.pop().used & by_name.keys():
            if by_name[name].file not in files:
                files.add(by_name[name].file)
                waiting.append(by_name[name])
    return [spec for spec in specs if spec.file in files]


def _words_in(value: Json) -> Iterator[str]:
    """Yield the words of all texts but descriptions: the names of what is used are among them."""
    waiting: list[Json] = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield from _WORD.findall(part)
        elif is_object(part):
            waiting += [part[key] for key in part if key not in _WORDS]
        elif is_list(part):
            waiting += part


_WORD = re.compile(r"[\w.-]+")
_WORDS = ("description", "title", "$comment")


class _Spec:
    """A draft on its way: what was taken from it, and why."""

    def __init__(self, number: int, draft: Draft) -> None:
        self.file, self.name = f"{number}.yaml", draft.name
        self._reason: Diagnostic | None = None
        self._changed: dict[Path, str] = {}
        self._numbered = 1
        self._too_large = 0
        self._take(draft)

    def _take(self, draft: Draft) -> None:
        self.draft = draft
        self.used = frozenset(_words_in(draft.document)) - {draft.name}
        self.parts = _Parts(self.file, draft.document)

    def lessen(self, errors: Sequence[Diagnostic], *, is_last: bool) -> None:
        """Take the causes of ``errors`` out of the draft.

        It is given up as a whole where that cannot be done, and where ``is_last`` says so.
        """
        document, done = self.draft.document, list[Path]()
        faults = {*self.parts.faults}
        for error in errors:
            path = self.parts.paths[error.span.line - 1]
            if any(path[: len(place)] == place for place in done):
                continue  # whether it still holds shows the next round
            if error.rule in _ONE_NAME and self._numbered < _MOST_NAMES:
                document = self._renamed(document)
                done.append(path)
                continue
            schemas = _schemas_on(path, self.draft.kind)
            if error.rule is SCHEMA_TOO_LARGE:
                # Each time a greater part goes: its leaves would be thousands.
                schemas = schemas[min(self._too_large, max(len(schemas) - 2, 0)) :]
                self._too_large += 1
            for schema, keyword in schemas:
                place = self._place(document, schema, keyword)
                if place is not None and not is_last and error not in faults:
                    document = self._without(document, schema, place, error.message)
                    done.append(place)
                    break
            else:
                self._reason = error
                return
        self._take(replace(self.draft, document=document))

    def _renamed(self, document: JsonObject) -> JsonObject:
        """Return a tool with a number behind its name; references know entities by theirs."""
        if self.draft.kind != "tool":
            self._numbered = _MOST_NAMES
            return document
        self._numbered += 1
        return {**document, "name": f"{self.draft.name[:60]}_{self._numbered}"}

    def _place(self, document: Json, schema: Path, keyword: str) -> Path | None:
        """Return what is to go: a keyword, or the whole schema; None where both went already."""
        value = _value_at(document, schema)
        if not isinstance(value, Mapping):
            return None
        if keyword in value and keyword in _LEAVABLE:
            return (*schema, keyword)
        is_root = schema in ((), _INLINE)
        return None if is_root or schema in self._changed else schema

    def _without(
        self, document: JsonObject, schema: Path, place: Path, reason: str
    ) -> JsonObject:
        """Return a document without a keyword of a schema, or with the schema left open."""
        old = cast("JsonObject", _value_at(document, schema))
        if place == schema:
            self._changed[place] = reason
            less: JsonObject = _opened(old, reason)
        else:
            keyword = str(place[-1])
            less = {key: value for key, value in old.items() if key != keyword}
            if keyword != "examples":
                self._changed[place] = reason
                if schema not in ((), _INLINE):
                    less = {**less, "$comment": f"left open: `{keyword}`: {reason}"}
        changed: JsonObject = _with_value(document, schema, less)
        return changed

    def is_refused(self, diagnostics: Diagnostics) -> bool:
        """Return whether the draft is given up, which is reported.

        Refused characters were reported at their place in the file, and are not reported again.
        """
        if self._reason is None:
            return False
        told = {REFUSED_CHARACTER} & {found.rule for found in diagnostics}
        if self._reason.rule not in told:
            name, reason = self.draft.name, self._reason.message
            diagnostics.add(IMPORT_REFUSED, self.draft.span, name=name, reason=reason)
        return True

    def report(self, diagnostics: Diagnostics) -> None:
        """Report the parts that are left open."""
        for place, reason in self._changed.items():
            part = ".".join(str(step) for step in place if step not in _BETWEEN)
            diagnostics.add(
                IMPORT_LEFT_OPEN,
                self.draft.span,
                part=part or "returns",
                name=self.draft.name,
                reason=reason,
            )


_ONE_NAME = (SAME_CLASS, SAME_MODULE)
_MOST_NAMES = 9
"""How many names a tool is given where its own is that of another thing in Python."""
_INLINE: Path = ("arguments", "inline")
_ROOTS: Mapping[str, tuple[Path, ...]] = {
    "tool": (_INLINE, ("returns",)),
    "entity": ((),),
}
_BETWEEN = frozenset({"arguments", "inline", "properties"})


def _schemas_on(path: Path, kind: str) -> list[tuple[Path, str]]:
    """Return the schemas that a path leads through, innermost first, with keywords."""
    schemas: list[tuple[Path, str]] = []
    for root in _ROOTS.get(kind, ()):
        if path[: len(root)] != root:
            continue
        at = len(root)
        while at <= len(path):
            keyword = str(path[at]) if at < len(path) else ""
            schemas.append((path[:at], keyword))
            inner = path[at + 1] if at + 1 < len(path) else None
            if (keyword in MAPS and isinstance(inner, str)) or (
                keyword in LISTS and isinstance(inner, int)
            ):
                at += 2
            elif keyword in SINGLE:
                at += 1
            else:
                break
    return schemas[::-1]


class _Parts:
    """The nodes of a document that is not written yet: each stands on a line of its own.

    ``paths`` lead to them, in the order of the lines; ``faults`` are what no file may hold.
    """

    def __init__(self, file: str, document: JsonObject) -> None:
        self._file = file
        self.paths: list[Path] = []
        self.faults = Diagnostics()
        root = self._node(document, ())
        is_broken = TOO_DEEP in {found.rule for found in self.faults}
        if len(self.paths) > MOST_NODES and not is_broken:
            is_broken, span = True, Span.at_file(file)
            self.faults.add(TOO_MANY_VALUES, span, limit=MOST_NODES, cause="")
        assert isinstance(root, MapNode)
        if is_broken:
            root = MapNode(Span.at_file(file), ())
        source = SourceFile(file, file, "")
        self.document = Document(source, root, is_broken=is_broken)

    def _node(self, value: Json, path: Path) -> Node:
        if isinstance(value, str):
            return self._scalar(value, value, path)
        if value is None or isinstance(value, bool):
            return self._scalar(json.dumps(value), value, path)
        if isinstance(value, int | float):
            return self._number(repr(value), path)
        span = self._span(path)
        if len(path) == DEEPEST:
            self.faults.add(TOO_DEEP, span, limit=DEEPEST)
        if not is_object(value):
            items = [self._node(item, (*path, at)) for at, item in enumerate(value)]
            return ListNode(span, tuple(items))
        entries = [
            Entry(self._scalar(key, key, (*path, key)), self._node(part, (*path, key)))
            for key, part in value.items()
        ]
        return MapNode(span, tuple(entries))

    def _number(self, text: str, path: Path) -> ScalarNode:
        try:
            return self._scalar(text, core_value(text), path)
        except NumberRange as problem:
            node = self._scalar(text, problem.nearest, path)
            self.faults.add(
                NUMBER_RANGE, node.span, text=f"{text[:40]}{'…' * (len(text) > 40)}"
            )
            return node

    def _scalar(self, text: str, value: Any, path: Path) -> ScalarNode:
        span = self._span(path)
        if not (text.isascii() and text.isprintable()):
            for at in islice(hidden_characters(text), 1):
                character = described(text[at])
                self.faults.add(REFUSED_CHARACTER, span, character=character)
        return ScalarNode(span, text, value, isinstance(value, str))

    def _span(self, path: Path) -> Span:
        self.paths.append(path)
        line = len(self.paths)
        return Span(self._file, line, 1, line, 2)


def _value_at(document: Json, path: Path) -> Json:
    value = document
    for step in path:
        if isinstance(value, Mapping):
            value = value.get(str(step))
        elif isinstance(value, Sequence) and not isinstance(value, str):
            value = value[int(step)] if int(step) < len(value) else None
        else:
            return None
    return value


def _with_value(document: Any, path: Path, value: JsonObject) -> Any:
    """Return a copy of a document with ``value`` at ``path``."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if is_object(document):
        return {**document, str(step): _with_value(document[str(step)], rest, value)}
    copy = list(document)
    copy[int(step)] = _with_value(copy[int(step)], rest, value)
    return copy


def _opened(schema: JsonObject, reason: str) -> dict[str, Json]:
    """Return a schema that takes what ``schema`` was to take, and more; it says why."""
    words = {
        key: value
        for key, value in schema.items()
        if key in ("title", "description", "deprecated")
    }
    reference = str(schema.get("$ref", ""))
    is_entity = "properties" in schema or reference.startswith("#/entities/")
    usual = "object" if is_entity else None
    kind = schema.get("type", usual)
    kinds = kind if is_list(kind) else [kind]
    is_known = bool(kinds) and all(each in [*_TYPES] for each in kinds)
    said: dict[str, Json] = {"type": kind} if is_known else {}
    return {**said, **words, "$comment": f"left open: {reason}"}
