"""The table of scalars: one row says everything about a scalar that no target decides.

Code asks a row for a trait (`is_number`, `keeps_digits`) and does not list scalars. What differs
per target stands in `emit/codecs`. `tests/test_scalars.py` names every row that is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from types import MappingProxyType

from brimgen.frozen import dataclass
from brimgen.model.json import Json, JsonObject
from brimgen.model.scalar_texts import (
    BASE64_PATTERN,
    DURATION_PATTERN,
    TIME_PATTERN,
    accepts,
    is_date,
    is_datetime,
)
from brimgen.model.types import Scalar

UINT64_MAX = 2**64 - 1
NUMBER_KEYS = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
)
TEXT_KEYS = ("minLength", "maxLength", "pattern", "format")
LIST_KEYS = ("minItems", "maxItems", "uniqueItems")
DECIMAL_KEYS = ("precision", "scale", "wire")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalarRow:
    """What the language says of one scalar.

    - ``schema``: the canonical JSON Schema of a value.
    - ``expected``: how a message names a value that would be right: ``an integer``.
    - ``valid`` and ``invalid``: JSON values that are of the scalar, and some that are not.
    - ``aliases``: further words for it in a spec; ``foreign_names``: what other languages call it,
      which a message corrects.
    - ``constraints``: the attributes of a field that may stand beside it.
    - ``accepts_text``: which strings are values, where not all are.
    - ``is_json_type``: it is what JSON Schema's ``type`` alone (and ``format``) stands for.
    - ``keeps_digits``: its numbers keep all digits of their text.
    - ``is_path_rest``: it stands for the rest of a path only.
    - ``python_class``: the module and the class of its values, where JSON has no such value.
    - ``sql_of``: the JSON types of leaves that a database may hold as this scalar.
    - ``hint``: what its format or pattern means, for models that do not know the format.
    - ``anything``: what lint calls it, where it says too little for a model.
    """

    schema: JsonObject
    expected: str
    valid: tuple[Json, ...]
    invalid: tuple[Json, ...]
    aliases: tuple[str, ...] = ()
    foreign_names: tuple[str, ...] = ()
    constraints: frozenset[str] = frozenset()
    accepts_text: Callable[[str], bool] | None = None
    is_json_type: bool = False
    keeps_digits: bool = False
    is_path_rest: bool = False
    python_class: tuple[str, str] | None = None
    sql_of: tuple[str, ...] = ()
    anything: str | None = None
    hint: str = ""

    @property
    def json_types(self) -> tuple[str, ...]:
        """The JSON types of its values."""
        kinds = self.schema["type"]
        return (kinds,) if isinstance(kinds, str) else tuple(map(str, _listed(kinds)))

    @property
    def json_type(self) -> str:
        """The JSON type of its values; empty where there are several."""
        kind = self.schema["type"]
        return kind if isinstance(kind, str) else ""

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most of its numbers, infinite where the schema has no bound."""
        least = self.schema.get("minimum", -inf)
        most = self.schema.get("maximum", inf)
        assert isinstance(least, int | float) and isinstance(most, int | float)
        return least, most

    @property
    def is_integer(self) -> bool:
        """Whether its values are whole numbers."""
        return self.json_type == "integer"

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers, whole or not."""
        return self.json_type in _NUMBERS

    @property
    def may_be_number(self) -> bool:
        """Whether some of its values are numbers."""
        return not _NUMBERS.isdisjoint(self.json_types)

    @property
    def is_boolean(self) -> bool:
        """Whether its values are true and false."""
        return self.json_type == "boolean"

    @property
    def is_text(self) -> bool:
        """Whether its values are all strings, and nothing but strings."""
        return self.json_type == "string" and self.accepts_text is None

    @property
    def is_open_text(self) -> bool:
        """Whether any string is a value, wherever it stands."""
        return self.is_text and not self.is_path_rest

    @property
    def is_object(self) -> bool:
        """Whether its values are objects."""
        return self.json_type == "object"

    @property
    def is_array(self) -> bool:
        """Whether its values are lists."""
        return self.json_type == "array"

    @property
    def is_structured(self) -> bool:
        """Whether its values are objects or lists."""
        return self.json_type in ("object", "array")

    @property
    def is_mixed(self) -> bool:
        """Whether its values have several JSON types."""
        return not self.json_type

    @property
    def has_literals(self) -> bool:
        """Whether an enum of its values is a ``Literal``: whole numbers, booleans and texts."""
        return self.is_integer or self.is_boolean or self.is_text

    @property
    def has_zone(self) -> bool:
        """Whether a field says what a value without an offset means (``tz``)."""
        return "tz" in self.constraints


def _listed(value: Json) -> tuple[Json, ...]:
    return tuple(value) if isinstance(value, list | tuple) else ()


_NUMBERS = frozenset({"integer", "number"})

SCALARS: Mapping[Scalar, ScalarRow] = {
    Scalar.INT: ScalarRow(
        schema={"type": "integer"},
        expected="an integer",
        valid=(0, -7, 2**53),
        invalid=("7", 1.5, True),
        aliases=("integer",),
        foreign_names=(
            *("int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32"),
            *("long", "short", "bigint", "smallint", "tinyint", "serial"),
            "byte",
        ),
        constraints=frozenset((*NUMBER_KEYS, "enum")),
        is_json_type=True,
        sql_of=("integer",),
    ),
    Scalar.UINT64: ScalarRow(
        schema={"type": "integer", "minimum": 0, "maximum": UINT64_MAX},
        expected=f"an integer from 0 to {UINT64_MAX}",
        valid=(0, 2**53, UINT64_MAX),
        invalid=(-1, UINT64_MAX + 1, "7", 1.5, True),
        foreign_names=("ulong", "ubigint", "u64", "fixed64"),
        constraints=frozenset((*NUMBER_KEYS, "enum")),
        sql_of=("integer",),
    ),
    Scalar.FLOAT: ScalarRow(
        schema={"type": "number"},
        expected="a number",
        valid=(0.5, -7),
        invalid=("0.5", True),
        aliases=("number", "double"),
        foreign_names=("float32", "float64", "real", "numeral"),
        constraints=frozenset((*NUMBER_KEYS, "enum")),
        is_json_type=True,
        sql_of=("integer", "number"),
    ),
    Scalar.DECIMAL: ScalarRow(
        schema={"type": "number"},
        expected="a number",
        valid=(0.25, 12),
        invalid=("0.25", True),
        foreign_names=("numeric", "money", "currency", "bigdecimal"),
        constraints=frozenset((*NUMBER_KEYS, *DECIMAL_KEYS, "enum")),
        keeps_digits=True,
        python_class=("decimal", "Decimal"),
        sql_of=("string", "integer", "number"),
    ),
    Scalar.BOOL: ScalarRow(
        schema={"type": "boolean"},
        expected="true or false",
        valid=(True, False),
        invalid=(0, "true"),
        aliases=("boolean",),
        foreign_names=("bit", "flag", "logical"),
        constraints=frozenset({"enum"}),
        is_json_type=True,
        sql_of=("boolean",),
    ),
    Scalar.STRING: ScalarRow(
        schema={"type": "string"},
        expected="a string",
        valid=("", "text"),
        invalid=(7, True),
        aliases=("str",),
        foreign_names=(
            *("text", "char", "varchar", "nvarchar", "clob", "html", "markdown"),
            *("unicode", "email", "uri", "path", "password", "regex", "enum"),
        ),
        constraints=frozenset((*TEXT_KEYS, "enum")),
        is_json_type=True,
        sql_of=("string",),
    ),
    Scalar.DATE: ScalarRow(
        schema={"type": "string", "format": "date"},
        expected="a date like 2026-01-18",
        valid=("2026-01-18",),
        invalid=("2026-02-30", "2026-01-18T05:00:00Z", 20260118),
        constraints=frozenset({"enum"}),
        accepts_text=is_date,
        hint="YYYY-MM-DD",
        is_json_type=True,
        python_class=("datetime", "date"),
        sql_of=("string",),
    ),
    Scalar.DATETIME: ScalarRow(
        schema={"type": "string", "format": "date-time"},
        expected="a datetime with offset like 2026-01-18T05:00:00Z",
        valid=("2026-01-18T05:00:00Z", "2026-01-18T05:00:00.5+02:00"),
        invalid=("2026-01-18", "2026-01-18T05:00:00", 0),
        foreign_names=("timestamptz", "date-time", "date_time", "instant"),
        constraints=frozenset({"tz", "enum"}),
        accepts_text=is_datetime,
        hint="ISO-8601 with offset, e.g. 2026-01-18T05:00:00Z",
        is_json_type=True,
        python_class=("datetime", "datetime"),
        sql_of=("string",),
    ),
    Scalar.TIME: ScalarRow(
        schema={"type": "string", "pattern": TIME_PATTERN},
        expected="a time of day like 09:30:00",
        valid=("09:30:00", "23:59:59.999999"),
        invalid=("09:30", "24:00:00", "23:59:60", "09:30:00Z", "9:30:00", 930),
        foreign_names=("timeofday", "time_of_day", "localtime", "local_time"),
        constraints=frozenset({"enum"}),
        accepts_text=accepts(TIME_PATTERN),
        hint="HH:MM:SS",
        python_class=("datetime", "time"),
        sql_of=("string",),
    ),
    Scalar.DURATION: ScalarRow(
        schema={"type": "string", "pattern": DURATION_PATTERN},
        expected="a duration like PT1H30M or P2D, without years and months",
        valid=("PT1H30M", "P2DT0.5S", "-P1W", "PT0S"),
        invalid=("P1M", "P1Y", "P", "PT", "P1DT", "1:30:00", "P1W2D", 90),
        foreign_names=("interval", "timedelta", "timespan", "time_span", "period"),
        constraints=frozenset({"enum"}),
        accepts_text=accepts(DURATION_PATTERN),
        hint="ISO 8601 duration without years and months, e.g. PT1H30M",
        python_class=("datetime", "timedelta"),
        sql_of=("string",),
    ),
    Scalar.BYTES: ScalarRow(
        schema={
            "type": "string",
            "contentEncoding": "base64",
            "pattern": BASE64_PATTERN,
        },
        expected="base64 text",
        valid=("", "AP8=", "AP//"),
        invalid=("A", "AP8", "AP8=\n", "A-_=", "====", 7),
        foreign_names=("blob", "binary", "bytea", "bytestring", "buffer", "varbinary"),
        constraints=frozenset({"minLength", "maxLength", "enum"}),
        accepts_text=accepts(BASE64_PATTERN),
        hint="encoded as base64",
        python_class=("builtins", "bytes"),
        sql_of=("string",),
    ),
    Scalar.PRIMITIVE: ScalarRow(
        schema={"type": ["string", "number", "boolean"]},
        expected="a string, a number or a boolean",
        valid=("text", 7, 0.5, True),
        invalid=(None, {}, []),
        aliases=("any",),
        foreign_names=("scalar", "mixed", "variant"),
        constraints=frozenset({"enum"}),
        anything="text, number or boolean",
    ),
    Scalar.OBJECT: ScalarRow(
        schema={"type": "object"},
        expected="an object",
        valid=({}, {"a": [1]}),
        invalid=([], "{}"),
        aliases=("dict",),
        foreign_names=(
            *("map", "json", "jsonb", "record", "struct", "mapping", "hash"),
            "namespace",
        ),
        is_json_type=True,
        anything="object",
    ),
    Scalar.ARRAY: ScalarRow(
        schema={"type": "array"},
        expected="a list",
        valid=([], [1, "a"]),
        invalid=({}, "[]"),
        aliases=("list",),
        foreign_names=(
            *("tuple", "set", "sequence", "vector", "slice", "iterable"),
            "collection",
        ),
        constraints=frozenset(LIST_KEYS),
        is_json_type=True,
        anything="list",
    ),
    Scalar.SPLAT: ScalarRow(
        schema={"type": "string"},
        expected="a string",
        valid=("a", "a/b"),
        invalid=(7,),
        aliases=("remainder",),
        constraints=frozenset((*TEXT_KEYS, "enum")),
        is_path_rest=True,
    ),
}

ALIASES: Mapping[str, Scalar] = MappingProxyType(
    {scalar.value: scalar for scalar in Scalar}
    | {word: scalar for scalar, row in SCALARS.items() for word in row.aliases}
)
"""Every word of a spec that names a scalar."""

OF_JSON_TYPE: Mapping[str, Scalar] = MappingProxyType(
    {
        row.json_type: scalar
        for scalar, row in SCALARS.items()
        if row.is_json_type and "format" not in row.schema
    }
)
"""The scalar that JSON Schema's ``type`` alone stands for."""

OF_JSON_FORMAT: Mapping[tuple[str, str], Scalar] = MappingProxyType(
    {
        (row.json_type, str(row.schema["format"])): scalar
        for scalar, row in SCALARS.items()
        if row.is_json_type and "format" in row.schema
    }
)
"""The scalar that ``type`` and ``format`` together stand for."""
