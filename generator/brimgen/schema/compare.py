"""Compare two JSON Schemas: place, kind and words of every difference."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Set
from enum import Enum, auto
from typing import Any, TypeAlias

from brimgen.frozen import dataclass
from brimgen.model.json import is_list, is_object
from brimgen_runtime.schema.json_pointer import steps_of

ANYTHING: tuple[object, ...] = (True, {})
"""The schemas that accept every value."""

_KINDS = frozenset(
    ["null", "boolean", "integer", "number", "string", "array", "object"]
)
_BOUNDS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
)
_LONGEST_WAY = 32
_ARTICLES = {"integer": "an integer", "array": "an array", "object": "an object"}


def keywords_of(schema: Any) -> Set[str]:
    """The keywords of a schema; a boolean one has none."""
    return schema.keys() if is_object(schema) else frozenset()


def follow_references(schema: Any, root: Any) -> Mapping[str, Any]:
    """Replace the reference of ``schema`` by its target in ``root``, repeatedly.

    A boolean schema becomes the object that says the same. A reference that leads nowhere, or in
    a circle, is left as it is.
    """
    if not is_object(schema):
        return {} if schema else {"not": {}}
    whole: Mapping[str, Any] = schema
    for _ in range(_LONGEST_WAY):
        referred = (
            _follow_reference(root, str(whole["$ref"])) if "$ref" in whole else None
        )
        if not is_object(referred):
            break
        rest = {key: value for key, value in whole.items() if key != "$ref"}
        whole = {**referred, **rest}
    return whole


def _follow_reference(root: Any, reference: str) -> Any:
    node = root
    for name in steps_of(reference):
        node = node.get(name) if is_object(node) else None
    return node


def kinds(schema: Mapping[str, Any]) -> frozenset[str]:
    """The JSON types that a schema accepts, by its ``type`` and an alternative null."""
    inner = _form_beside_null(schema)
    if inner is not None:
        return kinds(inner) | {"null"}
    types = schema.get("type")
    if isinstance(types, str):
        return frozenset([types])
    if is_list(types):
        return frozenset(map(str, types))
    return _KINDS


def without_null(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """``schema`` without the null beside it: ``anyOf`` of one form and null is that form."""
    inner = _form_beside_null(schema)
    if inner is None:
        return schema
    outer = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**inner, **outer}


def _form_beside_null(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    forms = schema.get("anyOf")
    if not is_list(forms) or len(forms) != 2:
        return None
    rest = [form for form in forms if form != {"type": "null"}]
    return rest[0] if len(rest) == 1 and is_object(rest[0]) else None


def covers(more: frozenset[str], less: frozenset[str]) -> bool:
    """Whether the types ``more`` include all values of the types ``less``."""
    widened = more | {"integer"} if "number" in more else more
    return less <= widened


def type_names(types: frozenset[str]) -> str:
    """Types in words: ``a string or null``."""
    if types == _KINDS:
        return "any value"
    names = sorted(types - {"null"}) + (["null"] if "null" in types else [])
    words = [
        name if name == "null" else _ARTICLES.get(name, f"a {name}") for name in names
    ]
    return " or ".join(words) if len(words) < 3 else f"one of {', '.join(words)}"


def bounds(schema: Mapping[str, Any]) -> Mapping[str, float]:
    """The bounds of a schema, without those that every value satisfies."""
    return {
        name: schema[name]
        for name in _BOUNDS
        if isinstance(schema.get(name), int | float)
        and not (schema[name] == 0 and name.startswith("min") and name != "minimum")
    }


Path: TypeAlias = tuple[str, ...]
Schema: TypeAlias = Mapping[str, Any]


class Kind(Enum):
    """The effect of a difference on the set of accepted values, or on readers."""

    NARROWER = auto()
    WIDER = auto()
    OTHER = auto()
    NEW = auto()
    GONE = auto()
    DEFAULT = auto()
    WORDS = auto()


@dataclass(frozen=True, slots=True)
class Difference:
    """``path`` are the properties that lead to it; a message is their names, then ``text``."""

    path: Path
    kind: Kind
    text: str


WORDS = ("description", "title", "examples", "deprecated")
"""Keywords that are written for readers: they refuse and accept nothing."""
_RULES = (
    "pattern",
    "format",
    "multipleOf",
    "uniqueItems",
    "x-decimal",
    "x-leaf",
    "contentEncoding",
    "contentMediaType",
)
_LOGIC = (
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "prefixItems",
)


def compare_types(
    was: frozenset[str], now: frozenset[str], path: Path
) -> Iterator[Difference]:
    """Compare the JSON types."""
    if was == now:
        return
    text = f"is {type_names(now)} now, was {type_names(was)}"
    if covers(now, was):
        yield Difference(path, Kind.WIDER, text)
    elif covers(was, now):
        yield Difference(path, Kind.NARROWER, text)
    else:
        yield Difference(path, Kind.OTHER, text)


def compare_values(old: Schema, new: Schema, path: Path) -> Iterator[Difference]:
    """Compare the values of `enum` or `const`."""
    before, after = _values(old), _values(new)
    if before is None and after is None:
        return
    if after is None:
        yield Difference(path, Kind.WIDER, "is no longer one of a few values")
    elif before is None:
        text = f"must be one of {', '.join(after)}"
        yield Difference(path, Kind.NARROWER, text)
    else:
        lost = [value for value in before if value not in after]
        gained = [value for value in after if value not in before]
        if lost:
            yield Difference(path, Kind.NARROWER, f"is never {', '.join(lost)} now")
        if gained:
            yield Difference(path, Kind.WIDER, f"may be {', '.join(gained)} now")


def _values(schema: Schema) -> list[str] | None:
    if "const" in schema:
        return [canonical(schema["const"])]
    return [canonical(value) for value in schema["enum"]] if "enum" in schema else None


def compare_bounds(old: Schema, new: Schema, path: Path) -> Iterator[Difference]:
    """Compare bounds."""
    before, after = bounds(old), bounds(new)
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if was == now:
            continue
        if now is None:
            yield Difference(path, Kind.WIDER, f"has no `{name}` now, was {was}")
            continue
        tighter = was is None or (now > was) == name.lower().startswith(
            ("min", "exclusivemin")
        )
        kind = Kind.NARROWER if tighter else Kind.WIDER
        past = "had none" if was is None else f"was {was}"
        yield Difference(path, kind, f"has `{name}` {now} now, {past}")


def compare_rules(old: Schema, new: Schema, path: Path) -> Iterator[Difference]:
    """Compare the rules of strings, numbers and lists that are one keyword each."""
    for name in _RULES:
        was, now = old.get(name), new.get(name)
        if was == now:
            continue
        if now is None:
            yield Difference(path, Kind.WIDER, f"has no `{name}` now, was `{was}`")
        elif was is None:
            text = f"has `{name}` {canonical(now)} now, had none"
            yield Difference(path, Kind.NARROWER, text)
        else:
            text = f"has `{name}` {canonical(now)} now, was {canonical(was)}"
            yield Difference(path, Kind.OTHER, text)


def compare_additional(
    old_additional: Any, new_additional: Any, path: Path
) -> Iterator[Difference]:
    """Compare `additionalProperties`."""
    if (old_additional is False) == (new_additional is False):
        if (
            (old_additional in ANYTHING)
            and isinstance(new_additional, dict)
            and new_additional
        ):
            text = "restricts further properties"
            yield Difference(path, Kind.NARROWER, text)
        elif (
            isinstance(old_additional, dict)
            and old_additional
            and new_additional in ANYTHING
        ):
            text = "no longer restricts further properties"
            yield Difference(path, Kind.WIDER, text)
    elif new_additional is False:
        yield Difference(path, Kind.NARROWER, "takes no further properties now")
    else:
        yield Difference(path, Kind.WIDER, "takes further properties now")


def compare_logic(old: Schema, new: Schema, path: Path) -> Iterator[Difference]:
    """Compare logical keywords, without looking into their schemas."""
    for name in _LOGIC:
        if old.get(name) != new.get(name):
            kind = Kind.OTHER
            if name not in old:
                kind = Kind.NARROWER
            elif name not in new:
                kind = Kind.WIDER
            yield Difference(path, kind, f"has another rule in `{name}`")


def compare_words(old: Schema, new: Schema, path: Path) -> Iterator[Difference]:
    """Compare the default and the texts for readers."""
    if old.get("default", ...) != new.get("default", ...):
        is_text = "default" in new
        now = f"is {canonical(new['default'])}" if is_text else "has no default"
        was = (
            f"was {canonical(old['default'])}" if "default" in old else "had no default"
        )
        yield Difference(path, Kind.DEFAULT, f"{now} when left out, {was}")
    changed = [name for name in WORDS if old.get(name) != new.get(name)]
    if changed:
        yield Difference(path, Kind.WORDS, f"has another {' and '.join(changed)}")


def canonical(value: Any) -> str:
    """A JSON value as one text: equal texts are equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


ITEM = "[]"
FURTHER = "*"
"""Steps of a path that are no names: the items of a list, and properties that are not named."""


def differences(old: Any, new: Any) -> tuple[Difference, ...]:
    """Every difference between two schemas; references are followed below each one's root.

    What this does not understand (logic that was rewritten) is a difference of kind `OTHER`: it
    may refuse more and accept more. Equal schemas have none.
    """
    return tuple(dict.fromkeys(_Walk(old, new).at(old, new, ())))


class _Walk:
    def __init__(self, old: Any, new: Any) -> None:
        self._old, self._new = old, new
        self._seen: set[tuple[str, str]] = set()

    def at(self, old: Any, new: Any, path: Path) -> Iterator[Difference]:
        visit = (canonical(old), canonical(new))
        if old == new and '"$ref"' not in visit[0]:
            return
        if "$ref" in keywords_of(old) | keywords_of(new):
            # What a reference leads to is compared once, where it is first met.
            if visit in self._seen:
                return
            self._seen.add(visit)
        before, after = follow_references(old, self._old), follow_references(
            new, self._new
        )
        was, now = kinds(before), kinds(after)
        yield from compare_types(was, now, path)
        if not covers(was, now) and not covers(now, was):
            return
        before, after = without_null(before), without_null(after)
        for part in self._parts:
            yield from part(before, after, path)

    @property
    def _parts(self) -> tuple[_Part, ...]:
        return (
            compare_values,
            compare_bounds,
            compare_rules,
            self._compare_properties,
            self._compare_items,
            self._compare_choices,
            compare_logic,
            compare_words,
        )

    def _compare_properties(
        self, old: Schema, new: Schema, path: Path
    ) -> Iterator[Difference]:
        before, after = old.get("properties", {}), new.get("properties", {})
        old_additional = old.get("additionalProperties", True)
        new_additional = new.get("additionalProperties", True)
        must, must_now = set(old.get("required", ())), set(new.get("required", ()))
        for name in dict.fromkeys((*before, *after, *sorted(must ^ must_now))):
            inner_path = (*path, name)
            if name in before and name not in after and new_additional is False:
                yield Difference(inner_path, Kind.GONE, "is gone")
                continue
            if name in after and name not in before and old_additional is False:
                yield _added_property(inner_path, after[name], name in must_now)
                continue
            yield from self.at(
                before.get(name, old_additional),
                after.get(name, new_additional),
                inner_path,
            )
            if name in must_now - must:
                yield Difference(inner_path, Kind.NARROWER, "must be given")
            elif name in must - must_now:
                yield Difference(inner_path, Kind.WIDER, "may be left out")
        yield from compare_additional(old_additional, new_additional, path)
        if isinstance(old_additional, dict) and isinstance(new_additional, dict):
            yield from self.at(old_additional, new_additional, (*path, FURTHER))

    def _compare_items(
        self, old: Schema, new: Schema, path: Path
    ) -> Iterator[Difference]:
        before, after = old.get("items", True), new.get("items", True)
        if before is False or after is False:
            if before != after:
                yield Difference((*path, ITEM), Kind.OTHER, "have another rule")
            return
        yield from self.at(before, after, (*path, ITEM))

    def _compare_choices(
        self, old: Schema, new: Schema, path: Path
    ) -> Iterator[Difference]:
        before = {canonical(choice): choice for choice in old.get("anyOf", ())}
        after = {canonical(choice): choice for choice in new.get("anyOf", ())}
        lost = [before[key] for key in before if key not in after]
        gained = [after[key] for key in after if key not in before]
        if len(lost) == len(gained) == 1:
            yield from self.at(lost[0], gained[0], path)
        elif bool(before) != bool(after) or (lost and gained):
            yield Difference(path, Kind.OTHER, "has other forms (`anyOf`)")
        elif lost:
            yield Difference(path, Kind.NARROWER, "has fewer forms (`anyOf`)")
        elif gained:
            yield Difference(path, Kind.WIDER, "has further forms (`anyOf`)")


_Part = Callable[[Schema, Schema, Path], Iterator[Difference]]


def _added_property(path: Path, schema: Any, is_required: bool) -> Difference:
    if is_required:
        return Difference(path, Kind.NARROWER, "is new and must be given")
    return Difference(path, Kind.NEW, "is new")
