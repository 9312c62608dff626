"""Fields: defaults, enums, bounds, presence, hiding, descriptions, and their schemas."""

from __future__ import annotations

import pytest

from brimgen.model.fields import Context, Default, Host, Zone
from brimgen.model.types import NullableType, Scalar, ScalarType
from support.linked import link, tool
from support.syntax import HEAD


def test_keys_of_a_schema_stand_in_the_usual_order() -> None:
    value = tool(
        "value: {description: D, examples: [3], default: 2, x-y: 1, maximum: 9,"
        " deprecated: true, title: T, type: int, minimum: 1}"
    ).properties["value"]
    assert [
        "type",
        "minimum",
        "maximum",
        "default",
        "title",
        "description",
        "deprecated",
        "examples",
        "x-y",
    ] == list(value)


@pytest.mark.parametrize(
    ("written", "bound"),
    [
        ("9223372036854775807", 9223372036854775807),
        ("-99999999999999999999999", -99999999999999999999999),
        ("100", 100),
        ("1e3", 1000),
        ("1e30", 1e30),
        ("2.0", 2),
        ("2.5", 2.5),
    ],
)
def test_a_bound_keeps_its_digits(written: str, bound: float) -> None:
    value = tool(f"value: {{type: float, maximum: {written}}}").properties["value"]
    assert (type(bound), bound) == (type(value["maximum"]), value["maximum"])


def test_constraints_of_a_list_are_about_its_items() -> None:
    linked = tool(
        "value: {type: 'string[]', enum: [a, b], minItems: 1, uniqueItems: true,"
        " default: [a], description: D}"
    )
    assert {
        "type": "array",
        "items": {"type": "string", "enum": ["a", "b"]},
        "minItems": 1,
        "uniqueItems": True,
        "default": ["a"],
        "description": "D",
    } == linked.properties["value"]


@pytest.mark.parametrize(
    ("entry", "required", "default", "nullable"),
    [
        ("int", True, None, False),
        ("int?", False, None, True),
        ("{type: int, required: false}", False, None, False),
        ("{type: int, default: 3}", False, Default(3, "3"), False),
        ("{type: int, default: null}", False, Default(None), True),
        ("{type: int?, default: 3}", False, Default(3, "3"), True),
        ("{type: int?, required: true}", True, None, True),
        ("{type: int, from_context: app.x}", True, None, False),
        (
            "{type: int, from_context: app.x, default: 1}",
            False,
            Default(1, "1"),
            False,
        ),
    ],
)
def test_it_is_known_which_arguments_may_be_absent_or_null(
    entry: str, required: bool, default: Default | None, nullable: bool
) -> None:
    made = tool(f"value: {entry}").field("value")
    assert (required, default) == (made.required, made.default)
    assert nullable is isinstance(made.type, NullableType)
    assert "null" not in str(made.schema.get("default"))


def test_required_and_default_contradict() -> None:
    linked = tool("value: {type: int, required: true, default: 3}")
    assert [("required-with-default", "true")] == linked.told


@pytest.mark.parametrize(
    ("entry", "slug", "text"),
    [
        ("{type: int, default: '10'}", "wrong-value", "'10'"),
        ("{type: int, default: 1.5}", "wrong-value", "1.5"),
        ("{type: int, default: true}", "wrong-value", "true"),
        ("{type: string, default: 10}", "wrong-value", "10"),
        ("{type: bool, default: 1}", "wrong-value", "1"),
        ("{type: date, default: 2026-02-30}", "wrong-value", "2026-02-30"),
        ("{type: date, default: 20260118}", "wrong-value", "20260118"),
        (
            "{type: datetime, default: '2026-01-18T05:00:00'}",
            "wrong-value",
            "'2026-01-18T05:00:00'",
        ),
        ("{type: int, default: 150, maximum: 100}", "out-of-bounds", "150"),
        ("{type: int, default: 0, exclusiveMinimum: 0}", "out-of-bounds", "0"),
        ("{type: float, default: 0.07, multipleOf: 0.02}", "out-of-bounds", "0.07"),
        ("{type: decimal, scale: 2, default: 1.234}", "out-of-bounds", "1.234"),
        (
            "{type: decimal, precision: 4, scale: 2, default: 100}",
            "out-of-bounds",
            "100",
        ),
        ("{type: string, maxLength: 2, default: abc}", "out-of-bounds", "abc"),
        ("{type: string, format: uuid, default: abc}", "out-of-bounds", "abc"),
        ("{type: string, enum: [open, shut], default: opn}", "not-in-enum", "opn"),
        ("{type: int, enum: [1, x]}", "wrong-value", "x"),
        ("{type: int, enum: [1, 1.0]}", "duplicate-enum-value", "1.0"),
        ("{type: int, maximum: 3, enum: [1, 5]}", "out-of-bounds", "5"),
        ("{type: int, examples: [1, two]}", "wrong-value", "two"),
        ("{type: 'int[]', default: 3}", "wrong-value", "3"),
        ("{type: 'int[]', default: [1, x]}", "wrong-value", "x"),
        ("{type: 'int[]', minItems: 2, default: [1]}", "out-of-bounds", "[1]"),
        (
            "{type: 'int[]', uniqueItems: true, default: [1, 1]}",
            "out-of-bounds",
            "[1, 1]",
        ),
        ("{fields: {x: int}, default: {y: 1}}", "rejected-value", "{y: 1}"),
        ("{type: int, minimum: 5, maximum: 1}", "contradicting-bounds", "1"),
        ("{type: int, minimum: 1.2, maximum: 1.8}", "contradicting-bounds", "1.8"),
        ("{type: string, minLength: 5, maxLength: 1}", "contradicting-bounds", "1"),
        ("{type: 'int[]', minItems: 5, maxItems: 1}", "contradicting-bounds", "1"),
        ("{type: decimal, precision: 2, scale: 4}", "scale-over-precision", "4"),
        ("{type: string, maximum: 5}", "constraint-not-for-type", "maximum"),
        ("{type: int, pattern: a}", "constraint-not-for-type", "pattern"),
        ("{type: int, minItems: 1}", "constraint-not-for-type", "minItems"),
        ("{type: date, minimum: 3}", "constraint-not-for-type", "minimum"),
        ("{type: uint64, minimum: -1}", "bad-constraint", "-1"),
        ("{type: uint64, maximum: 1e20}", "bad-constraint", "1e20"),
        ("{type: uint64, default: -1}", "wrong-value", "-1"),
        ("{type: duration, default: P1M}", "wrong-value", "P1M"),
        ("{type: time, default: '9:30'}", "wrong-value", "'9:30'"),
        ("{type: bytes, enum: [AP8]}", "wrong-value", "AP8"),
        ("{type: float, scale: 2}", "constraint-not-for-type", "scale"),
        ("{type: object, enum: [a]}", "constraint-not-for-type", "enum"),
        ("{type: string, pattern: '[A-Z'}", "bad-pattern", "["),
        ("{type: string, format: e-mail}", "unknown-format", "e-mail"),
        ("{type: int, from_context: env.HOME}", "bad-context-path", "env.HOME"),
        ("{type: int, from_context: app}", "bad-context-path", "app"),
        (
            "{type: int, from_context: app.__class__}",
            "bad-context-path",
            "app.__class__",
        ),
        ("{type: int, from_context: config.}", "bad-context-path", "config."),
        ("{type: int, from_context: app.x, llm: true}", "context-and-caller", "true"),
        ("{fields: {x: {type: int, from_context: app.x}}}", "hidden-in-value", "app.x"),
        ("{fields: {x: {type: int, llm: false}}}", "hidden-in-value", "false"),
    ],
)
def test_one_mistake_is_one_diagnostic_at_its_place(
    entry: str, slug: str, text: str
) -> None:
    assert [(slug, text)] == tool(f"value: {entry}").told


@pytest.mark.parametrize(
    "entry",
    [
        "{type: int, default: 3.0}",
        "{type: float, default: 3}",
        "{type: float, default: 0.07, multipleOf: 0.01}",
        "{type: decimal, default: 12345678901234567.89}",
        "{type: date, default: 2026-01-18}",
        "{type: datetime, default: 2026-01-18T05:00:00+05:30}",
        "{type: datetime, default: '2026-01-18t05:00:00z'}",
        "{type: datetime, tz: assume-utc, default: '2026-01-18T05:00:00'}",
        "{type: string, enum: [yes, no, 1.10], default: 1.10}",
        "{type: primitive, default: true}",
        "{type: object, default: {a: [1]}}",
        "{type: int?, enum: [1, null]}",
        "{fields: {x: int}, default: {x: 1}}",
        "{type: decimal, wire: string, scale: 2, default: '1.50'}",
        "{type: int, minimum: 1, maximum: 1}",
    ],
)
def test_a_default_that_fits_its_type_is_accepted(entry: str) -> None:
    assert [] == tool(f"value: {entry}").told


def test_an_integral_default_is_an_integer() -> None:
    default = tool("value: {type: int, default: 3.0}").field("value").default
    assert default is not None and type(default.value) is int


def test_a_decimal_default_keeps_its_digits() -> None:
    linked = tool("value: {type: decimal, default: 12345678901234567.89}")
    default = linked.field("value").default
    assert default is not None
    assert "12345678901234567.89" == default.text


def test_string_enums_keep_their_source_text() -> None:
    linked = tool("value: {type: string, enum: [yes, NO, 1.10, 007, true]}")
    values = ["yes", "NO", "1.10", "007", "true"]
    assert values == linked.properties["value"]["enum"]
    assert ScalarType(Scalar.STRING, tuple(values)) == linked.field("value").type


@pytest.mark.parametrize("word", ["string", "url"])
def test_what_names_an_item_of_a_string_enum_keeps_its_source_text(word: str) -> None:
    linked = tool(
        f"value: {{type: {word}, enum: [1.10, x], default: 1.10, examples: [1.10]}}"
    )
    value = linked.properties["value"]
    assert ("1.10", ["1.10"]) == (value["default"], value["examples"])


def test_a_suggestion_for_a_default_near_an_enum() -> None:
    linked = tool("value: {type: string, enum: [pending, shipped], default: shiped}")
    assert ("shipped",) == linked.only.suggestions


def test_an_enum_entity_is_listed_where_it_is_used() -> None:
    linked = tool(
        "a: {type: Level, default: 2}\nb: {type: Version, default: 1.10}",
        "type: entity\nname: Level\nenum: [1, 2]\n",
        "type: entity\nname: Version\ndescription: Known ones.\nenum: [1.10, x]\n",
    )
    assert {"type": "integer", "enum": [1, 2], "default": 2} == linked.properties["a"]
    assert {
        "type": "string",
        "enum": ["1.10", "x"],
        "default": "1.10",
        "description": "Known ones.",
    } == linked.properties["b"]


def test_defaults_of_enum_entities_are_checked() -> None:
    linked = tool(
        "a: {type: Level, default: 7}", "type: entity\nname: Level\nenum: [1]\n"
    )
    assert [("not-in-enum", "7")] == linked.told


def test_digits_of_a_decimal_stand_in_its_schema() -> None:
    linked = tool(
        "plain: decimal\ntotal: {type: decimal, precision: 10, scale: 2, minimum: 0}\n"
        "whole: {type: decimal, precision: 3}\n"
        "text: {type: decimal, precision: 5, scale: 2, wire: string}"
    )
    assert {"type": "number"} == linked.properties["plain"]
    assert {
        "type": "number",
        "minimum": 0,
        "exclusiveMaximum": 10**8,
        "x-decimal": {"precision": 10, "scale": 2},
    } == linked.properties["total"]
    assert 0 == linked.field("whole").scale
    pattern = "^-?(?:0|[1-9][0-9]{0,2})(?:\\.[0-9]{1,2})?$"
    assert {"type": "string", "pattern": pattern} == linked.properties["text"]
    assert linked.field("text").wire_string


def test_an_offset_may_be_absent_where_it_is_said() -> None:
    linked = tool("at: {type: datetime, tz: assume-utc}")
    value = linked.properties["at"]
    assert ("string", "assume-utc") == (value["type"], value["x-tz"])
    assert "format" not in value
    assert Zone.ASSUME_UTC is linked.field("at").zone


def test_hidden_fields_are_in_the_bound_schema_only() -> None:
    linked = tool(
        "reason: string\nactor: {type: string, from_context: app.user.id}\n"
        "key: {type: int, llm: false}"
    )
    assert ["reason"] == list(linked.properties)
    assert ["reason"] == linked.tool.input_schema["required"]
    assert ["reason", "actor", "key"] == linked.tool.bound_schema["required"]
    assert Context(("app", "user", "id")) == linked.field("actor").origin
    assert Host() == linked.field("key").origin
    assert "actor" not in str(linked.tool.input_schema)


def test_an_entity_with_hidden_fields_cannot_be_a_value() -> None:
    session = (
        "type: entity\nname: Session\n"
        "fields: {id: int, user: {type: int, from_context: app.user.id}}\n"
    )
    assert [("hidden-in-value", "Session")] == tool("s: Session", session).told
    linked = link(f"{HEAD}arguments: {{entity_ref: Session}}\n", session)
    assert ["id"] == list(linked.properties)
    assert ["id"] == [each.name for each in linked.entity("Session").fields]


DESCRIBED = """\
arguments:
  descriptions:
    {key}: A text
  inline:
    center: Coordinate
    radius: float
    box:
      fields: {{ north: float }}
"""
COORDINATE = (
    "type: entity\nname: Coordinate\nfields:\n"
    "  lat: {type: float, description: Degrees north}\n  lon: float\n"
)


@pytest.mark.parametrize("key", ["radius", "center", "center.lon", "box", "box.north"])
def test_descriptions_reach_their_field(key: str) -> None:
    linked = link(HEAD + DESCRIBED.format(key=key), COORDINATE)
    value = linked.tool.input_schema
    for name in key.split("."):
        value = value["properties"][name]  # type: ignore[index,call-overload,assignment]
    assert "A text" == value["description"]
    assert "description" == list(value)[-1]
    center = linked.properties["center"]
    assert "Degrees north" == center["properties"]["lat"]["description"]


@pytest.mark.parametrize(
    ("key", "slug", "suggestion"),
    [
        ("radios", "description-of-nothing", ("radius",)),
        ("center.latt", "description-of-nothing", ("lat",)),
        ("box.nort", "description-of-nothing", ("north",)),
    ],
)
def test_a_description_of_no_argument_is_told_with_the_nearest(
    key: str, slug: str, suggestion: tuple[str, ...]
) -> None:
    linked = link(HEAD + DESCRIBED.format(key=key), COORDINATE)
    assert [slug] == linked.slugs
    assert set(linked.only.suggestions) <= set(suggestion)
    assert linked.only.suggestions


def test_an_argument_that_is_described_twice_is_told() -> None:
    text = DESCRIBED.format(key="radius").replace(
        "radius: float", "radius: {type: float, description: Twice}"
    )
    assert ["described-twice"] == link(HEAD + text, COORDINATE).slugs


def test_every_mistake_of_a_tool_is_told_in_one_run() -> None:
    linked = tool(
        "a: {type: int, default: x}\nb: Nope\nc: {type: string, maximum: 3}\n"
        "d: {type: int, from_context: env.X}"
    )
    assert [
        "wrong-value",
        "unknown-type",
        "constraint-not-for-type",
        "bad-context-path",
    ] == linked.slugs


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("user.id", ("app.user.id",)),
        ("apps.user.id", ("app.user.id",)),
        ("'${app.user.id}'", ("app.user.id",)),
        ("ctx.user.id", ("app.user.id",)),
        ("context.config.zone", ("config.zone",)),
        ("env.HOME", ()),
        ("app", ()),
        ("app.1", ()),
    ],
)
def test_the_path_that_was_probably_meant(path: str, meant: tuple[str, ...]) -> None:
    told = tool(f"probe: {{type: string, from_context: {path}}}").only
    assert ("bad-context-path", meant) == (told.rule.reason, told.suggestions)
