"""entity_ref: order, override, omit, and each misuse (S0.5-7, 33, 34, 39; rows B10, B11)."""

from __future__ import annotations

import pytest

from brimgen.model.fields import Context
from support.linked import link
from support.syntax import HEAD

CUSTOMER = """\
type: entity
name: Customer
fields:
  name: string
  email: {type: string, pattern: "^[^@]+@[^@]+$", description: Where to write}
  limit: {type: int, default: 10, maximum: 20}
"""
STATE = "type: entity\nname: State\nenum: [open, closed]\n"


def probe(arguments: str) -> str:
    lines = "".join(f"  {line}\n" for line in arguments.strip().splitlines())
    return f"{HEAD}arguments:\n{lines}"


def test_inherited_first_then_inline() -> None:
    linked = link(
        probe(
            "entity_ref: Customer\ninline:\n  status: string\n"
            "  user_id: {type: string, from_context: app.user.id}"
        ),
        CUSTOMER,
    )
    assert ["name", "email", "limit", "status"] == list(linked.properties)
    assert ["name", "email", "status"] == linked.tool.input_schema["required"]
    bound = linked.tool.bound_schema
    assert ["name", "email", "limit", "status", "user_id"] == list(bound["properties"])  # type: ignore[arg-type]
    assert ["name", "email", "status", "user_id"] == bound["required"]
    declared = [each.name for each in linked.tool.fields if each.declared]
    assert ["status", "user_id"] == declared


def test_none_is_no_entity() -> None:
    block = "inline: {a: int}"
    linked = link(probe(f"entity_ref: ~\n{block}"))
    assert link(probe(block)).tool.input_schema == linked.tool.input_schema


def test_an_entry_with_a_type_replaces_where_it_stands() -> None:
    linked = link(probe("entity_ref: Customer\ninline: {email: int}"), CUSTOMER)
    assert ["name", "email", "limit"] == list(linked.properties)
    assert {"type": "integer"} == linked.properties["email"]


def test_an_entry_without_a_type_refines() -> None:
    linked = link(
        probe(
            "entity_ref: Customer\ninline: {limit: {maximum: 50}, email: {title: E}}"
        ),
        CUSTOMER,
    )
    limit = {"type": "integer", "maximum": 50, "default": 10}
    assert limit == linked.properties["limit"]
    assert ["type", "pattern", "title", "description"] == list(
        linked.properties["email"]
    )


def test_hiding_keeps_type_and_pattern() -> None:
    block = "entity_ref: Customer\ninline: {email: {from_context: app.user.email}}"
    linked = link(probe(block), CUSTOMER)
    assert ["name", "limit"] == list(linked.properties)
    email = linked.field("email")
    assert Context(("app", "user", "email")) == email.origin
    assert ("string", "^[^@]+@[^@]+$") == (
        email.schema["type"],
        email.schema["pattern"],
    )


def test_required_in_a_refinement_drops_the_default() -> None:
    block = "entity_ref: Customer\ninline: {limit: {required: true}}"
    linked = link(probe(block), CUSTOMER)
    assert linked.field("limit").required
    assert "default" not in linked.properties["limit"]


def test_a_default_in_a_refinement_makes_optional() -> None:
    block = "entity_ref: Customer\ninline: {name: {default: Ada}}"
    assert not link(probe(block), CUSTOMER).field("name").required


def test_a_refined_default_is_checked_against_inherited_bounds() -> None:
    block = "entity_ref: Customer\ninline: {limit: {default: 30}}"
    linked = link(probe(block), CUSTOMER)
    assert [("out-of-bounds", "30")] == linked.told
    [note] = linked.only.notes
    assert "`limit` comes from `Customer`" == note.text
    assert ("specs/1.yaml", 6) == (note.span.file, note.span.line)


def test_an_inherited_default_is_checked_against_refined_bounds() -> None:
    """It is told where the default is, and names the places that it does not stand in."""
    member = (
        "type: entity\nname: Member\nentity_ref: Customer\n"
        "fields:\n  limit: {description: Of a month}\n"
    )
    block = "entity_ref: Member\ninline: {limit: {minimum: 15}}"
    linked = link(probe(block), CUSTOMER, member)
    assert [("out-of-bounds", "10")] == linked.told
    assert ("specs/1.yaml", 6) == (linked.only.span.file, linked.only.span.line)
    notes = [(each.text, each.span.file, each.span.line) for each in linked.only.notes]
    assert [
        ("`limit` comes from `Member`", "specs/2.yaml", 5),
        ("`limit` is refined here", "specs/0.yaml", 5),
    ] == notes


def test_omitted_arguments_are_not_inherited() -> None:
    linked = link(probe("entity_ref: Customer\nomit: [email, limit]"), CUSTOMER)
    assert ["name"] == list(linked.properties)


@pytest.mark.parametrize(
    ("block", "slug", "text", "suggestion"),
    [
        ("entity_ref: Custmer", "unknown-entity", "Custmer", ("Customer",)),
        ("entity_ref: State", "enum-as-entity-ref", "State", ()),
        ("entity_ref: string", "primitive-as-entity-ref", "string", ()),
        ("entity_ref: Customer\nomit: [emial]", "omit-of-nothing", "emial", ("email",)),
        (
            "entity_ref: Customer\nomit: [email]\ninline: {email: int}",
            "omitted-and-inline",
            "email",
            (),
        ),
        (
            "entity_ref: Customer\ninline: {emial: {title: E}}",
            "field-without-type",
            "emial",
            ("email",),
        ),
    ],
)
def test_a_wrong_entity_to_inherit_from_is_told_with_the_nearest(
    block: str, slug: str, text: str, suggestion: tuple[str, ...]
) -> None:
    linked = link(probe(block), CUSTOMER, STATE)
    assert [(slug, text)] == linked.told
    assert suggestion == linked.only.suggestions


def test_each_wrong_way_to_inherit_has_a_diagnostic_of_its_own() -> None:
    refs = ("'Customer[]'", "[Customer]", "Nobody", "State", "string")
    slugs = [
        tuple(link(probe(f"entity_ref: {ref}"), CUSTOMER, STATE).slugs) for ref in refs
    ]
    assert all(len(each) == 1 for each in slugs)
    assert len(set(slugs)) == len(refs)


def test_entities_inherit_and_a_tool_inherits_it_all() -> None:
    linked = link(
        probe("entity_ref: Vip"),
        CUSTOMER,
        "type: entity\nname: Vip\nentity_ref: Customer\nomit: [limit]\n"
        "fields: {since: date}\n",
    )
    assert ["name", "email", "since"] == list(linked.properties)
    assert ("specs/0.yaml", "specs/1.yaml", "specs/2.yaml") == linked.tool.sources


def test_a_cycle_is_one_error_that_names_the_path() -> None:
    def entity(name: str, parent: str) -> str:
        return f"type: entity\nname: {name}\nentity_ref: {parent}\nfields: {{x: int}}\n"

    linked = link(
        entity("A", "B"), entity("B", "C"), entity("C", "A"), entity("D", "A")
    )
    assert ["inheritance-cycle"] == linked.slugs
    assert "A → B → C → A" in linked.only.message


def test_a_long_line_of_ancestors() -> None:
    entities = "---\n".join(
        f"type: entity\nname: E{number}\nfields: {{f{number}: int}}\n"
        + (f"entity_ref: E{number - 1}\n" if number else "")
        for number in range(64)
    )
    assert 64 == len(link(entities).entity("E63").fields)


def test_properties_of_json_schema_are_inherited() -> None:
    pair = (
        "type: entity\nname: Pair\nrequired: [a]\n"
        "properties: {a: {type: string}, b: {type: integer, default: 1}}\n"
    )
    block = (
        "entity_ref: Pair\ninline:\n  a: {minLength: 2, description: First}\n  c: int"
    )
    linked = link(probe(block), pair)
    a = {"type": "string", "minLength": 2, "description": "First"}
    assert a == linked.properties["a"]
    assert ["a", "b", "c"] == list(linked.properties)
    assert ["a", "c"] == linked.tool.input_schema["required"]


def test_rules_about_the_whole_object_are_not_inherited_silently() -> None:
    pair = (
        "type: entity\nname: Pair\nproperties: {a: {}, b: {}}\n"
        "anyOf: [{required: [a]}, {required: [b]}]\n"
    )
    assert [("not-inheritable", "Pair")] == link(probe("entity_ref: Pair"), pair).told


def test_an_entity_that_inherits_from_itself_is_told_where_it_does() -> None:
    loop = "type: entity\nname: Loop\nentity_ref: Loop\nfields: {x: int}\n"
    linked = link(probe("entity_ref: Loop\ninline: {loop: Loop}"), loop)
    assert [("inheritance-cycle", "Loop")] == linked.told
    assert 3 == linked.only.span.line
