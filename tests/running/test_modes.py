"""Spec texts through all stages: open schemas, empty projects, names that are hard to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.model.project import Project
from running.packages import (
    errors,
    imported,
    is_read_fast,
    link,
    write_package,
)

HARD = ["type", "len", "raw", "seen", "cls", "self", "each", "sent", "object", "list"]
HARD += [
    "to_int",
    "to_date",
    "read_tags",
    "tags_item",
    "exact_float",
    "read_line",
    "from_accepted",
    "from",
    "class",
    "None",
]
HARD += [
    "__init__",
    "__slots__",
    "$ref",
    "a b",
    "2",
    "\u57ce",
    "inf",
    "dt",
    "extra",
]
HARD += [
    "str",
    "int",
    "float",
    "bool",
    "dict",
    "made",
    "decoded",
    "given",
    "new_instance",
    "map",
    "all",
    "key",
]
HARD += ["found", "rows"]
HARD += ["INPUT_SCHEMA", "TOOL", "Validator", "field", "dataclass", "isinstance", "set"]


def test_every_name_of_an_argument_can_be_sent_and_read(tmp_path: Path) -> None:
    names = [*HARD, "tags"]
    inline = "".join(
        f'    "{each}": {"int[]" if each == "tags" else "int"}\n' for each in names
    )
    spec = f"type: python_function\nname: hard\ndescription: d\narguments:\n  inline:\n{inline}"
    catalog, found = link([spec], Project(package="hard"))
    assert [] == [each.message for each in errors(found)]
    sent = {each: number for number, each in enumerate(HARD)} | {"tags": [1]}
    with imported(write_package(catalog, tmp_path), "hard") as package:
        input_type = package.TOOLS["hard"].input_type
        assert is_read_fast(input_type, sent)
        assert sent == input_type.from_dict(sent).to_dict()
        assert sent == input_type.from_accepted(sent).to_dict()


HOSTILE = [
    '"""',
    "'''\\",
    "\\N{DIGIT ONE}",
    "{{ x }}",
    "# noqa\\n",
    "\\x1b",
    "a\u2028b",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_description_says_what_it_says_and_does_nothing(
    text: str, tmp_path: Path
) -> None:
    spec = {"type": "python_function", "name": "t", "description": f"a {text} b"}
    block = f"arguments: {{inline: {{x: {{type: string, default: {text!a}}}}}}}"
    lines = [f"{key}: {value!a}" for key, value in spec.items()]
    catalog, found = link(
        ["\n".join([*lines, block])], Project(package="hostile_texts")
    )
    if errors(found):
        assert {"S"} == {each.rule.code[0] for each in errors(found)}
        return
    (tool,) = catalog.tools
    with imported(write_package(catalog, tmp_path), "hostile_texts") as package:
        assert tool.description == package.TOOLS["t"].description
        assert tool.description == package.TInput.__doc__
        default = tool.fields[0].default
        assert default is not None
        assert default.value == package.TInput().x
