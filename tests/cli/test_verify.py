"""`brimgen verify`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from brimgen.agreement import verify as show
from brimgen.agreement.report import Report
from brimgen.model.catalog import Catalog
from cli.conftest import Ran

SPEC = """\
type: python_function
name: find_orders
description: List the orders of a customer, the newest first.
when_to_use: Use for questions about orders.
arguments:
  inline:
    customer_id: { type: int, minimum: 1, description: Whose orders }
    limit: { type: int, default: 20, maximum: 100, description: How many at most }
"""


@pytest.fixture
def specs(write: Callable[[str, str], Path]) -> Path:
    write("brimgen.yaml", "targets: [python, json_schema, openai, mcp]\n")
    return write("specs/find_orders.yaml", SPEC)


@pytest.fixture
def faulty(specs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Artifacts that do not agree."""

    def agreement(catalog: Catalog, *_: object, **options: object) -> Report:
        report = Report(tools=1, instances=1)
        report.of("mcp").add(True)
        for length in (500, 400, 600):
            instance = {"limit": "x" * length}
            report.differ(catalog.tools[0], "mcp", "says more", instance)
        return report

    monkeypatch.setattr(show, "agreement", agreement)


def test_all_agree_and_nothing_is_written(run: Callable[..., Ran], specs: Path) -> None:
    ran = run("verify")
    assert (0, "") == (ran.code, ran.err)
    lines = ran.out.splitlines()
    assert lines[0].startswith("1 tool, ")
    assert ["", "all artifacts of 1 tool agree"] == lines[-2:]
    artifacts = ("JSON Schema", "Python, from_dict", "openai", "mcp")
    assert all(any(each in line for line in lines) for each in artifacts)
    assert {"brimgen.yaml", "specs"} == {each.name for each in Path.cwd().iterdir()}
    assert ran.out == run("verify").out


UPLOAD = """\
type: http_function
name: send_photo
description: Send a photo, with its title.
arguments:
  inline: { photo: string, more: { type: "string[]", required: false }, title: string }
request:
  method: POST
  urlTemplate: https://photos.example.com/photos
  headers: { Content-Type: multipart/form-data }
  body: { photo: "${photo | file}", more: "${more | file}", title: "${title}" }
allowedHosts: [photos.example.com]
"""


def test_calls_that_send_files_are_made_with_files(
    run: Callable[..., Ran], write: Callable[[str, str], Path]
) -> None:
    write("brimgen.yaml", "targets: [python, json_schema, http]\n")
    write("specs/send_photo.yaml", UPLOAD)
    ran = run("verify")
    assert (0, "") == (ran.code, ran.err)
    [row] = [line for line in ran.out.splitlines() if "HTTP requests" in line]
    _, _, asked, accepted, refused = row.split()
    assert int(asked) == int(accepted) > 5
    assert "0" == refused


def test_errors_of_specs_come_first(run: Callable[..., Ran], specs: Path) -> None:
    specs.write_text(SPEC.replace("type: int, minimum", "type: itn, minimum"))
    ran = run("verify")
    assert (1, "") == (ran.code, ran.out)
    assert "itn" in ran.err


def test_a_target_without_which_nothing_is_shown(
    run: Callable[..., Ran], specs: Path
) -> None:
    ran = run("verify", "--target", "openai")
    assert 2 == ran.code
    assert "the target python is off" in ran.err


def test_a_tool_that_nobody_can_call_fails_until_examples_are_given(
    run: Callable[..., Ran], specs: Path
) -> None:
    """A tool that cannot be tried would pass whatever is generated of it."""
    codes = "^(?=.*7)(?=.*x)[a-z0-9]{17}$"
    limit = "limit: { type: int, default: 20"
    code = f"code: {{ type: string, pattern: '{codes}', description: The code }}"
    specs.write_text(SPEC.replace(limit, f"{code}\n    {limit}"))
    ran = run("verify")
    assert (1, "no valid call is known of 1 of 1 tool") == (
        ran.code,
        ran.out.splitlines()[-1],
    )
    assert [
        "specs/find_orders.yaml:2: find_orders: no valid call is known: "
        f"argument `code`: no text is known for its pattern `{codes}`",
        "    remedy: give it `examples`",
        "brimgen: a tool of which no valid call is known cannot be tried; "
        "follow the remedy of each",
    ] == ran.err.splitlines()
    given = f"{code[:-2]}, examples: [abcdefghijklm7nox] }}"
    specs.write_text(specs.read_text().replace(code, given))
    ran = run("verify")
    assert (0, "") == (ran.code, ran.err)


@pytest.mark.usefixtures("faulty")
def test_a_difference_is_a_bug(run: Callable[..., Ran]) -> None:
    ran = run("verify")
    assert 70 == ran.code
    assert "3 differences in 1 of 1 tool" == ran.out.splitlines()[-1]
    cut = '{"limit": "' + "x" * 289
    assert [
        "specs/find_orders.yaml:2: find_orders: mcp says more",
        f"    call: {cut} …",
        "    and 2 other calls",
        "brimgen: this is a bug in brimgen, never in your specs; please report it, with these "
        "lines and the spec",
    ] == ran.err.splitlines()
