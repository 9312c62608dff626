"""Import again: what changed in the source is updated, what people edited is kept or told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Run

HEAD = "openapi: 3.0.3\ninfo: {title: Pets, version: '1'}\nservers: [{url: https://p.example}]\n"
GET = """\
  /pets/{id}:
    get:
      operationId: getPet
      summary: Look up a pet.
      parameters:
      - {name: id, in: path, required: true, schema: {type: integer}}
      - {name: limit, in: query, description: How many, schema: {type: integer, maximum: 9}}
      responses: {"204": {description: none}}
"""
LIST = """\
  /pets:
    get:
      operationId: listPets
      summary: List pets.
      responses: {"204": {description: none}}
"""


@pytest.fixture
def source(project: Path) -> Path:
    (project / "specs").rmdir()
    path = project / "pets.yaml"
    path.write_text(f"{HEAD}paths:\n{GET}{LIST}")
    return path


@pytest.fixture
def again(source: Path, run: Run) -> Any:
    """Import once; return what changes the source, imports again, and builds."""
    assert run("import", "pets.yaml", "--into", "specs").code == 0

    def again(*changes: tuple[str, str], arguments: tuple[str, ...] = ()) -> Any:
        text = source.read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        source.write_text(text)
        ran = run("import", "pets.yaml", "--into", "specs", *arguments)
        assert run("generate").code == 0
        return ran

    return again


def _edit(path: Path, *changes: tuple[str, str]) -> str:
    text = path.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return text


def test_nothing_is_touched_where_nothing_changed(again: Any, project: Path) -> None:
    before = {path: path.read_bytes() for path in project.glob("specs/*")}
    ran = again()
    assert (0, "wrote 0 specs to specs, 2 unchanged\n") == (ran.code, ran.err)
    assert before == {path: path.read_bytes() for path in project.glob("specs/*")}


def test_added_changed_and_removed_operations(again: Any, project: Path) -> None:
    added = LIST.replace("/pets:", "/owners:").replace("listPets", "listOwners")
    ran = again(
        ("maximum: 9", "maximum: 50"),
        ("Look up a pet.", "Look up one pet."),
        (LIST, added),
    )
    assert 0 == ran.code
    assert "wrote 1 spec to specs, 1 updated\n" in ran.err
    assert "`listPets` is not in pets.yaml any more" in ran.err
    assert "specs/listPets.yaml:1:1" in ran.err
    text = (project / "specs/getPet.yaml").read_text()
    assert "maximum: 50" in text
    assert "description: Look up one pet.\n" in text
    assert (project / "specs/listOwners.yaml").exists()
    assert (project / "specs/listPets.yaml").exists()
    pruned = again(arguments=("--prune",))
    assert 0 == pruned.code
    assert "1 removed, 2 unchanged" in pruned.err
    assert not (project / "specs/listPets.yaml").exists()
    assert "any more" not in again().err


def test_edited_specs_are_not_pruned(again: Any, project: Path) -> None:
    _edit(project / "specs/listPets.yaml", ("List pets.", "List all pets."))
    ran = again((LIST, ""), arguments=("--prune",))
    assert "`listPets` is not in pets.yaml any more, and was edited" in ran.err
    assert (project / "specs/listPets.yaml").exists()


def test_edits_keys_comments_and_order_survive_an_update(
    again: Any, project: Path
) -> None:
    spec = project / "specs/getPet.yaml"
    _edit(
        spec,
        ("description: Look up a pet.", "# ours\ndescription: Find a pet.  # better"),
        ("allowedHosts:", "tags: [pets]  # added by hand\nallowedHosts:"),
        ("      id: { type: integer }\n", "      id: { type: integer }  # number\n"),
    )
    ran = again(
        ("maximum: 9", "minimum: 1, maximum: 50"), ("How many", "How many of them")
    )
    assert (0, "wrote 0 specs to specs, 1 updated, 1 unchanged\n") == (
        ran.code,
        ran.err,
    )
    text = spec.read_text()
    assert "# ours\ndescription: Find a pet.  # better\n" in text
    assert "tags: [pets]  # added by hand\nallowedHosts:" in text
    assert "      id: { type: integer }  # number\n" in text
    assert (
        "      limit: { type: integer, minimum: 1, maximum: 50, description: How many of them }\n"
        in text
    )


def test_a_key_that_both_changed_is_told_once_and_the_rest_is_updated(
    again: Any, project: Path
) -> None:
    spec = project / "specs/getPet.yaml"
    _edit(spec, ("Look up a pet.", "Find a pet."))
    ran = again(("Look up a pet.", "Look up one pet."), ("maximum: 9", "maximum: 50"))
    assert 1 == ran.code
    assert (
        "error[I744]: `description` of `getPet` was edited and stays: pets.yaml changed it, "
        'too, and now says "Look up one pet."\n --> specs/getPet.yaml:3:1\n'
    ) in ran.err
    assert "description: Find a pet.\n" in spec.read_text()
    assert "maximum: 50" in spec.read_text()
    settled = again()
    assert (0, "wrote 0 specs to specs, 2 unchanged\n") == (settled.code, settled.err)


def test_what_was_edited_and_is_gone_and_what_was_removed_and_changed_are_told(
    again: Any, project: Path
) -> None:
    _edit(project / "specs/getPet.yaml", ("How many", "At most so many"))
    text = (project / "specs/listPets.yaml").read_text()
    (project / "specs/listPets.yaml").write_text(
        text.replace("description: List pets.\n", "")
    )
    ran = again((", description: How many", ""), ("List pets.", "List every pet."))
    assert 1 == ran.code
    assert (
        "`arguments.inline.properties.limit.description` of `getPet` was edited and stays: "
        "pets.yaml changed it, too, and now has it no longer"
    ) in ran.err
    assert (
        "`description` of `listPets` was edited and stays: pets.yaml changed it"
        in ran.err
    )
    assert "At most so many" in (project / "specs/getPet.yaml").read_text()


def test_a_spec_is_found_again_in_a_renamed_file_and_under_another_name(
    again: Any, project: Path
) -> None:
    (project / "specs/animals").mkdir()
    spec = project / "specs/animals/one.yaml"
    (project / "specs/getPet.yaml").rename(spec)
    _edit(spec, ("name: getPet", "name: find_pet"))
    ran = again(("maximum: 9", "maximum: 50"))
    assert (0, "wrote 0 specs to specs, 1 updated, 1 unchanged\n") == (
        ran.code,
        ran.err,
    )
    assert "maximum: 50" in spec.read_text()
    assert "name: find_pet\n" in spec.read_text()
    assert not (project / "specs/getPet.yaml").exists()


def test_a_spec_that_was_removed_comes_back_only_by_name(
    again: Any, project: Path
) -> None:
    spec = project / "specs/listPets.yaml"
    spec.unlink()
    assert "wrote 0 specs" in again(("List pets.", "List all.")).err
    assert not spec.exists()
    assert "wrote 1 spec " in again(arguments=("--only", "listPets")).err
    assert spec.exists()


def test_specs_joined_into_one_file_are_updated_in_it(
    again: Any, project: Path
) -> None:
    one, two = project / "specs/getPet.yaml", project / "specs/listPets.yaml"
    one.write_text(f"{one.read_text()}---\n# all of them\n{two.read_text()}")
    two.unlink()
    ran = again(("maximum: 9", "maximum: 50"), ("List pets.", "List\n        all."))
    assert (0, "wrote 0 specs to specs, 2 updated\n") == (ran.code, ran.err)
    text = one.read_text()
    assert "maximum: 50" in text
    assert "---\n# all of them\ntype: http_function\nname: listPets\n" in text
    assert "description: List all.\n" in text


def test_comments_in_a_value_that_is_replaced_stand_above_it(
    again: Any, project: Path
) -> None:
    spec = project / "specs/getPet.yaml"
    listed = "response:\n  successCodes:\n    # only this\n    - 204"
    _edit(spec, ("response:\n  successCodes: [204]", listed))
    more = "- {name: after, in: query, schema: {type: string}}"
    ran = again(
        (
            '"204": {description: none}}\n  /pets:',
            '"201": {description: none}}\n  /pets:',
        ),
        ("schema: {type: integer, maximum: 9}}", f"schema: {{}}}}\n      {more}"),
        ("Look up a pet.", '"Look up a pet.\\n\\nBy its number."'),
    )
    assert (0, "wrote 0 specs to specs, 1 updated, 1 unchanged\n") == (
        ran.code,
        ran.err,
    )
    text = spec.read_text()
    assert "response:\n  # only this\n  successCodes: [201]\n" in text
    assert "description: |-\n  Look up a pet.\n\n  By its number.\n" in text
    assert text.index(" limit: ") < text.index(" after: { type: string }")


def test_a_spec_that_no_longer_can_be_read_is_left_alone(
    again: Any, source: Path, run: Run, project: Path
) -> None:
    spec = project / "specs/getPet.yaml"
    broken = _edit(spec, ("name: getPet", "name: [getPet"))
    ran = run("import", "pets.yaml", "--into", "specs")
    assert (0, broken) == (ran.code, spec.read_text())
    assert "1 unchanged, 1 left out as removed by hand" in ran.err


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_line_ends_stay(again: Any, project: Path, ends: str) -> None:
    spec = project / "specs/getPet.yaml"
    spec.write_bytes(spec.read_bytes().replace(b"\n", ends.encode()))
    again(
        ("maximum: 9", "maximum: 50"), ("getPet\n", "getPet\n      deprecated: true\n")
    )
    text = spec.read_bytes()
    assert b"maximum: 50" in text
    assert text.count(ends.encode()) == text.count(b"\n")
