"""Write the function that reads the objects of a class at a place of a schema.

It decodes the common spelling and accepts only what the schema accepts. It never refuses: where
it does not know for sure, the validator decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache
from itertools import zip_longest
from math import isfinite
from types import CodeType
from typing import Any, Literal, NamedTuple, NoReturn, get_args, get_origin

from ..schema.compile import Compiler
from ..schema.decode import left_out, to_float
from ..schema.json_values import (
    BASE64,
    DURATION,
    EXACT_INTS,
    MOST_INT,
    TIME,
    exact,
    is_list,
    is_object,
)
from ..schema.nodes import Test, is_lax
from ..schema.references import subschemas
from ..schema.validator import Validator
from .json_object import JsonEntity, JsonObject
from .record import (
    Convert,
    Member,
    Record,
    alternatives_of,
    bind_name,
    compiled,
    decoder_of,
    is_class,
    is_uuid_class,
    record_of,
)


class Miss(ValueError):
    """What is no common spelling: the validator decides what it is."""


_NOTES = frozenset(
    {
        "$comment",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "default",
        "deprecated",
        "description",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
    }
)
"""Keywords that describe and never decide."""

_OF_OBJECTS = frozenset(
    {
        "$defs",
        "$schema",
        "additionalProperties",
        "definitions",
        "properties",
        "required",
        "type",
        "unevaluatedProperties",
    }
)
_LEAST = ("minimum", "exclusiveMinimum")
_BOUNDS = {
    "minimum": "<=",
    "exclusiveMinimum": "<",
    "maximum": "<=",
    "exclusiveMaximum": "<",
}
_OF_NUMBERS = frozenset({"type", "format", *_BOUNDS})
_OF_TEXTS = frozenset({"type", "minLength", "maxLength"})
_OF_LISTS = frozenset({"type", "items", "minItems", "maxItems"})
_OF_MAPS = frozenset({"type", "additionalProperties"})
_DECODED: Mapping[Any, Mapping[str, str]] = {
    bytes: {"pattern": BASE64},
    date: {"format": "date"},
    datetime: {"format": "date-time"},
    time: {"pattern": TIME},
    timedelta: {"pattern": DURATION},
}
"""What schemas say of texts besides their type whose decoder refuses exactly what they refuse."""


_DEEPEST = 20
"""How deep the functions of nested classes are written; below, the validator decides."""


class Value(NamedTuple):
    """How a value that has a name is read: tests that must hold, and what becomes of it."""

    tests: list[str]
    expression: str


class Codec:
    """How the objects of a class are read, by the schema that it names.

    ``read`` decodes the common spelling, and returns None or raises an exception for any other
    value; ``decode`` makes an object of what ``validator`` has accepted.
    """

    def __init__(self, cls: type[JsonEntity]) -> None:
        source = cls.__source__
        self.decode: Convert = record_of(cls).decode

        @cache
        def expects() -> list[list[str]]:
            from ..schema.expects import expected_lines

            return expected_lines(source.schema)

        self.validator = Validator(
            source.schema, tool=source.name, expects=expects, leaves=source.leaves
        )
        self.read, self._tests = reader(self.validator, cls)

    def refuses(self, missed: Exception) -> bool:
        """Return whether the validator surely refuses what ``read`` raised an exception for: the
        innermost object that it was reading, and so the whole.
        """
        found, place = None, missed.__traceback__
        while place is not None:
            test = self._tests.get(id(place.tb_frame.f_code))
            found = found if test is None else (test, place.tb_frame.f_locals["raw"])
            place = place.tb_next
        try:
            return found is not None and not found[0](found[1])
        except Exception:  # noqa: BLE001
            return False


def reader(validator: Validator, cls: type[Any]) -> tuple[Convert, Mapping[int, Test]]:
    """Return the function that reads objects of a class whose schema is that of a validator, and
    the tests of nested objects by the identity of the code that reads them.
    """
    validator.compile()
    compiler = validator.compiler()
    limit = compiler.limit()
    writer = _Writer(compiler)
    read = writer.reader(cls, compiler.document, "")
    if read is None:
        return _miss, {}
    if limit is None or not writer.meets_unseen:
        return read, writer.tests

    def read_limited(raw: Any) -> Any:
        made = read(raw)
        return made if limit(raw) else None

    return read_limited, writer.tests


def _miss(raw: Any) -> NoReturn:
    raise Miss


def _miss_at(place: str) -> str:
    """Return what a function does with other spellings: at the root, to raise takes too long."""
    return "raise MISS" if place else "return None"


def _raising(read: Convert) -> Convert:
    """Return a function that raises `Miss` where ``read`` returns None."""

    def made(raw: Any) -> Any:
        found = read(raw)
        if found is None:
            raise Miss
        return found

    return made


def _deciding(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of a schema that can take part in a verdict."""
    return {
        word: value
        for word, value in schema.items()
        if word not in _NOTES
        and (not word.startswith("x-") or word in ("x-decimal", "x-leaf", "x-tz"))
    }


def without_null(schema: Mapping[str, Any], place: str) -> tuple[Any, str]:
    """Return what a schema says of values other than null, and where that stands."""
    kinds = schema.get("type")
    if is_list(kinds) and "null" in kinds:
        others = [kind for kind in kinds if kind != "null"]
        bare = {**schema, "type": others[0] if len(others) == 1 else others}
        if is_list(schema.get("enum")):
            bare["enum"] = [each for each in schema["enum"] if each is not None]
        return bare, place
    for word in ("anyOf", "oneOf"):
        options = schema.get(word)
        if is_list(options) and len(options) == 2 and len(_deciding(schema)) == 1:
            for index, option in enumerate(options):
                other = options[1 - index]
                if is_object(other) and _deciding(other) == {"type": "null"}:
                    return option, f"{place}/{word}/{index}"
    return schema, place


def _lets_unseen(schema: Any) -> bool:
    """Return whether a schema may let values through that it does not look at."""
    if not is_object(schema):
        return schema is True
    return (
        "$ref" in schema
        or is_lax(schema)
        or any(_lets_unseen(inner) for inner, _ in subschemas(schema, ""))
    )


class _Writer:
    """Writes the readers of one document, each once.

    ``meets_unseen``: they may meet values of any depth, or that are no JSON.
    """

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler
        self._readers: dict[tuple[type[Any], str], Convert | None] = {}
        self._waiting: dict[tuple[type[Any], str], list[tuple[dict[str, Any], str]]] = (
            {}
        )
        self.meets_unseen = False
        self.tests: dict[int, Test] = {}

    def reader(self, cls: type[Any], schema: Any, place: str) -> Convert | None:
        """Return the function that reads objects of a class; None where the validator has to."""
        key = cls, place
        if key not in self._readers:
            record = record_of(cls)
            made = None
            self._waiting[key] = []
            if is_object(schema) and _is_plain(record, schema):
                names: dict[str, Any] = {"MISS": Miss, "CLS": cls}
                made = self._written(record, schema, place, names)
                if place:
                    code: CodeType = made.__code__
                    self.tests[id(code)] = self._compiler.alone(schema, place)
            self._readers[key] = made
            for scope, name in self._waiting.pop(key):
                scope[name] = _miss if made is None else _raising(made)
        return self._readers[key]

    def _written(
        self,
        record: Record,
        schema: Mapping[str, Any],
        place: str,
        names: dict[str, Any],
    ) -> Convert:
        required = sum(member.is_required for member in record.members)
        all_required = required == len(record.members)
        further = self._further(record, schema, place)
        is_sized = all_required and further is None
        size = f" or len(raw) != {required}" if is_sized else ""
        miss = _miss_at(place)
        lines = [f" if type(raw) is not DICT{size}: {miss}", " o = NEW(CLS)"]
        if not all_required:
            lines.append(f" n = {required}")
        for member in record.members:
            inner = schema["properties"][member.wire]
            lines += self._member(member, inner, place, names)
        if further is not None:
            given = required if all_required else "n"
            function = bind_name(names, further)
            rest = f"{function}(raw, len(raw) - {given})"
            lines.append(f" o.{record.extra} = {rest} if len(raw) != {given} else {{}}")
        else:
            if not all_required:
                lines.append(f" if len(raw) != n: {miss}")
            if record.extra:
                lines.append(f" o.{record.extra} = {{}}")
        if record.nulls:
            lines.append(f" o.{record.nulls} = ()")
        if record.absent:
            function = bind_name(names, left_out)
            wanted = bind_name(names, record.defaults)
            lines.append(f" o.{record.absent} = {function}(raw, {wanted})")
        return compiled("raw", [*lines, " return o"], names)

    def _further(
        self, record: Record, schema: Mapping[str, Any], place: str
    ) -> Callable[[Mapping[str, Any], int], dict[str, Any]] | None:
        """Return what reads so many further properties of an open object; None where there may be
        none. It raises `Miss` where they are not as many: a null that was sent is one of the rest.
        """
        inner = schema.get("additionalProperties", True)
        if not record.extra or inner is False or "unevaluatedProperties" in schema:
            return None
        wires = record.wires
        test: Test = _is_scalar
        convert: Convert | None = None
        if inner is not True and inner != {}:
            self.meets_unseen = self.meets_unseen or _lets_unseen(inner)
            test = self._compiler.alone(inner, f"{place}/additionalProperties")
            convert = record.further

        def read(raw: Mapping[str, Any], count: int) -> dict[str, Any]:
            rest = {name: raw[name] for name in raw if name not in wires}
            if len(rest) != count:
                raise Miss
            for name, value in rest.items():
                if type(name) is not str or not test(value):
                    raise Miss
                if convert is not None:
                    rest[name] = convert(value)
            return rest

        return read

    def _member(
        self, member: Member, schema: Any, place: str, names: dict[str, Any]
    ) -> list[str]:
        """Return the lines that read one property. A null that was sent is not counted as given
        where it reads like absence: the validator tells them apart.
        """
        from ..schema.errors import escape

        miss = _miss_at(place)
        at, key = (
            f"{place}/properties{escape(member.wire)}",
            bind_name(names, member.wire),
        )
        if member.is_required:
            return [
                f" v = raw[{key}]",
                *self._set(member, member.hint, schema, at, names, " ", miss),
            ]
        if member.default is None:
            kinds, _ = alternatives_of(member.hint)
            hint = member.hint
            if len(kinds) == 1:
                hint = kinds[0]
                schema, at = (
                    without_null(schema, at) if is_object(schema) else (schema, at)
                )
            return [
                f" v = raw.get({key})",
                f" if v is None: o.{member.name} = None",
                " else:",
                "  n += 1",
                *self._set(member, hint, schema, at, names, "  ", miss),
            ]
        absent = bind_name(
            names, member.default if member.factory is None else member.factory
        )
        call = "" if member.factory is None else "()"
        return [
            f" if {key} in raw:",
            f"  v = raw[{key}]",
            "  n += 1",
            *self._set(member, member.hint, schema, at, names, "  ", miss),
            f" else: o.{member.name} = {absent}{call}",
        ]

    def _set(
        self,
        member: Member,
        hint: Any,
        schema: Any,
        place: str,
        names: dict[str, Any],
        indent: str,
        miss: str,
    ) -> list[str]:
        tests, expression = self.value(hint, schema, place, member.options, "v", names)
        lines: list[str] = []
        if tests[:1] == ["type(v) is FLOAT"]:
            exactly = bind_name(names, _exact_float)
            lines.append(f"{indent}if type(v) is not FLOAT: v = {exactly}(v)")
            del tests[0]
        if tests:
            lines.append(f"{indent}if not ({' and '.join(tests)}): {miss}")
        return [*lines, f"{indent}o.{member.name} = {expression}"]

    def value(
        self,
        hint: Any,
        schema: Any,
        place: str,
        options: Mapping[str, Any],
        name: str,
        names: dict[str, Any],
    ) -> Value:
        """Return how a value is read that is called ``name`` in the text."""
        schema, place = self._followed(schema, place)
        if is_object(schema):
            found = self._known(hint, schema, place, options, name, names)
            if found is not None:
                return found
        self.meets_unseen = self.meets_unseen or _lets_unseen(schema)
        test = bind_name(names, self._compiler.alone(schema, place))
        convert = decoder_of(hint, options)
        shown = name if convert is None else f"{bind_name(names, convert)}({name})"
        return Value([f"{test}({name})"], shown)

    def _followed(self, schema: Any, place: str) -> tuple[Any, str]:
        for _ in range(10):
            if not is_object(schema) or _deciding(schema).keys() != {"$ref"}:
                break
            schema, place = self._compiler.resolve(schema, place)
        return schema, place

    def _known(
        self,
        hint: Any,
        schema: Mapping[str, Any],
        place: str,
        options: Mapping[str, Any],
        name: str,
        names: dict[str, Any],
    ) -> Value | None:
        """Return how a value is read whose schema has a short test; None for any other."""
        kinds, may_be_none = alternatives_of(hint)
        if len(kinds) > 1:
            return None
        if may_be_none:
            bare, at = without_null(schema, place)
            if bare is schema:
                return None
            tests, shown = self.value(kinds[0], bare, at, options, name, names)
            if tests:
                tests = [f"({name} is None or {' and '.join(tests)})"]
            return Value(
                tests,
                shown if shown == name else f"None if {name} is None else {shown}",
            )
        if is_class(hint, JsonObject):
            return self._object(hint, schema, place, name, names)
        words = _deciding(schema)
        origin = get_origin(hint)
        if origin is list or origin is dict:
            return self._several(hint, words, place, options, name, names)
        if is_class(hint, Enum) or origin is Literal:
            return _choice(hint, words, name, names)
        if _is_decoded(hint, words, options):
            convert = bind_name(names, decoder_of(hint, options))
            return Value([], f"{convert}({name})")
        if options.get("choices"):
            return None
        scalar = _scalar_tests(hint, words, name, names)
        return None if scalar is None else Value(scalar, name)

    def _object(
        self,
        cls: type[Any],
        schema: Mapping[str, Any],
        place: str,
        name: str,
        names: dict[str, Any],
    ) -> Value | None:
        key = cls, place
        if key in self._waiting:
            self.meets_unseen = True
            function = bind_name(names, None)
            self._waiting[key].append((names, function))
            return Value([], f"{function}({name})")
        if len(self._waiting) > _DEEPEST:
            return None
        read = self.reader(cls, schema, place)
        return None if read is None else Value([], f"{bind_name(names, read)}({name})")

    def _several(
        self,
        hint: Any,
        words: Mapping[str, Any],
        place: str,
        options: Mapping[str, Any],
        name: str,
        names: dict[str, Any],
    ) -> Value | None:
        """Return how a list is read, or an object with free names."""
        is_map = get_origin(hint) is dict
        word, kind = (
            ("additionalProperties", "object") if is_map else ("items", "array")
        )
        known = {*words} == {*_OF_MAPS} if is_map else words.keys() <= _OF_LISTS
        if not known or words.get("type") != kind or not is_object(words.get(word)):
            return None
        item = f"{name}v"
        tests, shown = self.value(
            get_args(hint)[-1], words[word], f"{place}/{word}", options, item, names
        )
        values = f"{name}.values()" if is_map else name
        every = [f"type({name}) is {'DICT' if is_map else 'LIST'}"]
        every += _length_tests(words, name, names)
        if is_map:
            every.append(f"{{*map(type, {name})}} <= {{STR}}")
        if tests:
            every.append(f"all([{' and '.join(tests)} for {item} in {values}])")
        if is_map:
            items = f"for k{item}, {item} in {name}.items()"
            copied = (
                f"DICT({name})" if shown == item else f"{{k{item}: {shown} {items}}}"
            )
        else:
            copied = (
                f"[*{name}]" if shown == item else f"[{shown} for {item} in {name}]"
            )
        return Value(every, copied)


def _is_plain(record: Record, schema: Mapping[str, Any]) -> bool:
    """Return whether properties are all that a schema says of the objects of a class."""
    properties, required = schema.get("properties"), schema.get("required", ())
    return (
        _deciding(schema).keys() <= _OF_OBJECTS
        and schema.get("type") == "object"
        and is_object(properties)
        and {*properties} == {*record.wires}
        and {each.wire for each in record.members if each.is_required} == {*required}
    )


def _is_decoded(
    hint: Any, words: Mapping[str, Any], options: Mapping[str, Any]
) -> bool:
    """Return whether the decoder of a text refuses exactly what its schema does."""
    if options.get("assume_utc") or words.get("type") != "string" or len(words) != 2:
        return False
    if is_uuid_class(hint):
        return words.get("format") == "uuid" or "x-leaf" in words
    said = _DECODED.get(hint)
    if said is None:
        return False
    return words.items() >= said.items() or (hint is datetime and "x-leaf" in words)


def _choice(
    hint: Any, words: Mapping[str, Any], name: str, names: dict[str, Any]
) -> Value | None:
    """Return how a text or an integer is read that is one of several."""
    choices = words.get("enum")
    if not is_list(choices) or not words.keys() <= {"type", "enum"}:
        return None
    kind = {*map(type, choices)}
    if kind not in ({str}, {int}):
        return None
    is_text = kind == {str}
    if words.get("type") not in (None, "string" if is_text else "integer"):
        return None
    if get_origin(hint) is Literal:
        values: dict[Any, Any] = {each: each for each in get_args(hint)}
        if {*map(type, values)} != kind:
            return None
        if is_text:
            return Value([f"{name} in {bind_name(names, frozenset(choices))}"], name)
    else:
        values = {each.value: each for each in hint}
    if not values.keys() >= {*choices}:
        return None
    table = bind_name(names, {each: values[each] for each in choices})
    return Value([f"type({name}) is {'STR' if is_text else 'INT'}"], f"{table}[{name}]")


def _scalar_tests(
    hint: Any, words: Mapping[str, Any], name: str, names: dict[str, Any]
) -> list[str] | None:
    kind = words.get("type")
    if hint is bool:
        return [f"type({name}) is BOOL"] if words == {"type": "boolean"} else None
    if hint is str:
        if kind != "string" or not words.keys() <= _OF_TEXTS:
            return None
        return [f"type({name}) is STR", *_length_tests(words, name, names)]
    is_whole = hint is int
    if not is_whole and hint is not float:
        return None
    if kind != ("integer" if is_whole else "number") or not words.keys() <= _OF_NUMBERS:
        return None
    return _number_tests(is_whole, words, name, names)


def _number_tests(
    is_whole: bool, words: Mapping[str, Any], name: str, names: dict[str, Any]
) -> list[str] | None:
    least: list[str] = []
    most: list[str] = []
    for word, sign in _BOUNDS.items():
        if word not in words:
            continue
        bound = words[word]
        if type(bound) not in (int, float, Decimal):
            return None
        is_exact = -EXACT_INTS <= bound <= EXACT_INTS
        if not is_exact:
            if not is_whole:
                return None
            bound = int(exact(bound))
        elif not is_whole:
            bound = to_float(bound)
        shown = bind_name(names, bound)
        if word in _LEAST:
            least.append(f"{shown} {sign} ")
        else:
            most.append(f" {sign} {shown}")
    if not least:
        least = [f"{bind_name(names, -MOST_INT)} <= " if is_whole else "LOWEST < "]
    if not most:
        most = [f" <= {bind_name(names, MOST_INT)}" if is_whole else " < INF"]
    kind = "INT" if is_whole else "FLOAT"
    return [f"type({name}) is {kind}", *_between(least, name, most)]


def _between(least: list[str], value: str, most: list[str]) -> list[str]:
    """Return the tests of a value: one comparison says both ends (``c1 <= v <= c2``)."""
    ends = zip_longest(least, most, fillvalue="")
    return [f"{low}{value}{high}" for low, high in ends]


def _length_tests(
    words: Mapping[str, Any], name: str, names: dict[str, Any]
) -> list[str]:
    least, most = (
        [bind_name(names, words[word]) for word in ends if word in words]
        for ends in (("minLength", "minItems"), ("maxLength", "maxItems"))
    )
    return _between(
        [f"{each} <= " for each in least],
        f"len({name})",
        [f" <= {each}" for each in most],
    )


def _is_scalar(value: Any) -> bool:
    """Return whether a value is JSON for sure; how deep others are, the validator finds out."""
    if isinstance(value, int | float):
        return -MOST_INT <= value <= MOST_INT if type(value) is int else isfinite(value)
    return type(value) is str or value is None


def _exact_float(value: Any) -> float:
    """Return the float that an int or Decimal is exactly. Raises `Miss` if none is."""
    if type(value) is int and -EXACT_INTS <= value <= EXACT_INTS:
        return float(value)
    if type(value) is Decimal:
        number = float(value)
        if Decimal(repr(number)) == value:
            return number
    raise Miss
