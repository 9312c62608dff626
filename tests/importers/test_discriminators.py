"""A discriminator says which branch of a union is meant: a value of one branch is no other's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from importers.documents import built, imported

OBJECT = {"type": "object", "required": ["kind"]}
TEXT = {"type": "string"}
CAT = {**OBJECT, "properties": {"kind": TEXT, "lives": {"type": "integer"}}}
DOG = {**OBJECT, "properties": {"kind": TEXT, "barks": {"type": "boolean"}}}
PLACE = "#/components/schemas/"


def _union(*names: str, mapping: dict[str, str] | None = None) -> dict[str, Any]:
    discriminator: dict[str, Any] = {"propertyName": "kind"}
    if mapping is not None:
        discriminator["mapping"] = mapping
    branches = [{"$ref": f"{PLACE}{name}"} for name in names]
    return {"oneOf": branches, "discriminator": discriminator}


def _document(union: dict[str, Any], **schemas: Any) -> dict[str, Any]:
    body = {"type": "object", "required": ["pet"], "properties": {"pet": union}}
    answer = {"content": {"application/json": {"schema": union}}, "description": "d"}
    operation = {
        "operationId": "put",
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": body}},
        },
        "responses": {"200": answer},
    }
    return {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "servers": [{"url": "https://a.example"}],
        "paths": {"/u": {"post": operation}},
        "components": {"schemas": schemas},
    }


def _answered(folder: Path, document: Any, pet: Any, answer: Any) -> Any:
    """What a call with this pet comes to, which is answered with this body."""
    package = built(folder, "api.json", document)
    http = package.load("http")

    class Transport:
        """Answers with a body."""

        def send(self, request: Any, budget: Any, /) -> Any:
            """Return the answer."""
            assert {"pet": pet} == json.loads(request.body)
            return http.Answer(200, (), json.dumps(answer).encode())

    return package.load("http.put").invoke({"pet": pet}, transport=Transport())


MAPPED = _union("Cat", "Dog", mapping={"cat": f"{PLACE}Cat", "dog": "Dog"})


def test_a_value_that_both_branches_take_is_the_one_that_it_says(
    tmp_path: Path,
) -> None:
    document = _document(MAPPED, Cat=CAT, Dog=DOG)
    result = _answered(tmp_path, document, {"kind": "cat"}, {"kind": "dog"})
    assert result.ok, result
    assert {"kind": "dog"} == result.json


def test_a_value_of_no_branch_is_refused_with_the_names_of_all(tmp_path: Path) -> None:
    document = _document(MAPPED, Cat=CAT, Dog=DOG)
    told = _answered(tmp_path, document, {"kind": "cow"}, None).error.violations
    assert ['pet/kind: expected "cat" or "dog", got "cow"'] == [
        each.message for each in told
    ]
    told = _answered(tmp_path / "2", document, {"kind": "dog", "lives": 9}, None)
    assert ["/pet/lives"] == [each.pointer for each in told.error.violations]


BASE = {**OBJECT, "properties": {"kind": {**TEXT, "description": "What it is."}}}
DERIVED = {"allOf": [{"$ref": f"{PLACE}Base"}, {"properties": {"n": TEXT}}]}
KITTEN = {"allOf": [{"$ref": f"{PLACE}Cat"}, {"properties": {"age": TEXT}}]}
KIND = {"type": "string", "enum": ["Cat", "Dog", "cow"]}
OF_ENUM = {**OBJECT, "properties": {"kind": {"$ref": f"{PLACE}Kind"}}}

CASES: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "names": (
        _union("Cat", "Dog"),
        {"Cat": CAT, "Dog": DOG},
        {"Cat": {"const": "Cat"}, "Dog": {"const": "Dog"}},
    ),
    "two values": (
        _union("Cat", "Dog", mapping={"cat": "Cat", "tom": f"{PLACE}Cat"}),
        {"Cat": CAT, "Dog": DOG},
        {"Cat": {"enum": ["cat", "tom"]}, "Dog": {"const": "Dog"}},
    ),
    "derived from a base": (
        _union("One", "Two"),
        {"Base": BASE, "One": DERIVED, "Two": {**DERIVED}},
        {
            "Base": {"description": "What it is."},
            "One": {"const": "One", "description": "What it is."},
            "Two": {"const": "Two", "description": "What it is."},
        },
    ),
    "derived from a branch": (
        _union("Cat", "Dog"),
        {"Cat": CAT, "Dog": DOG, "Kitten": KITTEN},
        {"Cat": {"const": "Cat"}, "Dog": {"const": "Dog"}, "Kitten": {}},
    ),
    "one of an enum": (
        _union("Cat", "Dog"),
        {"Cat": OF_ENUM, "Dog": {**DOG, "properties": {"kind": KIND}}, "Kind": KIND},
        {"Cat": {"const": "Cat"}, "Dog": {"const": "Dog"}},
    ),
    "said already": (
        _union("Cat", "Dog"),
        {
            "Cat": {**CAT, "properties": {"kind": {"type": "string", "enum": ["c"]}}},
            "Dog": DOG,
        },
        {"Cat": {"enum": ["c"]}, "Dog": {"const": "Dog"}},
    ),
    "a property that no branch declares": (
        _union("Cat", "Dog"),
        {"Cat": {"type": "object", "properties": {"n": TEXT}}, "Dog": DOG},
        {"Cat": {"const": "Cat"}, "Dog": {"const": "Dog"}},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_branch_says_the_values_that_mean_it(tmp_path: Path, case: str) -> None:
    union, schemas, expected = CASES[case]
    package = built(tmp_path, "api.json", _document(union, **schemas))
    entities = package.catalog.entities
    found = {
        name: entities[name].schema["properties"]["kind"]  # type: ignore[index,call-overload]
        for name in expected
    }
    assert {name: {**TEXT, **said} for name, said in expected.items()} == found


def test_a_discriminator_of_another_kind_changes_nothing() -> None:
    number = {**OBJECT, "properties": {"kind": {"type": "integer"}}}
    for union in (
        {**_union("Cat"), "discriminator": "kind"},
        {**_union("Cat"), "discriminator": {}},
        {"oneOf": {}, "discriminator": {"propertyName": "kind"}},
    ):
        document = _document({"type": "string"}, Cat=CAT, Pet=union)
        (cat, *_), _ = imported("api.json", document)
        assert "kind: { type: string }" in cat
    (cat, *_), _ = imported("api.json", _document(_union("Cat"), Cat=number))
    assert "kind: { type: integer }" in cat
