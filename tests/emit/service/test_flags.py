"""``python -m <package> call TOOL --flag …``: arguments as flags, help, completion in a shell."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from support.checkers import RUNTIME
from support.project import Built, build

SPEC = """\
type: entity
name: Kind
enum: [tea, cup]
---
type: entity
name: Place
fields: {street: string, number: int?}
---
type: python_function
name: order
description: Order something, 100% fresh.
when_to_use: Use to order.
arguments:
  inline:
    item_ids: {type: "int[]", description: What to order}
    kinds: {type: "Kind[]", required: false}
    kind: {type: Kind, default: tea}
    gift: {type: bool, default: false}
    note: {type: string?}
    price: {type: decimal, required: false, description: "At most 5% more"}
    to: {type: Place, required: false}
    timeout: {type: int, required: false}
    least: {type: int, required: false, minimum: -9}
    no-gift: {type: string, required: false}
    user: {type: string, from_context: app.user.id}
returns: object
---
type: python_function
name: pick
description: Pick.
arguments:
  type: object
  properties:
    either: {type: [string, integer]}
    or_none: {anyOf: [{$ref: "#/$defs/Level"}, {type: "null"}]}
    anything: {}
  $defs: {Level: {enum: [low, 2]}}
returns: object
---
type: template_function
name: ask
description: Ask.
arguments: {inline: {topic: string}}
messages: [{role: user, content: "Tell me about {{ topic }}"}]
"""
HANDLERS = """\
import json

def told(call):
    return json.loads(call.to_json())


HANDLERS = {"order": told, "pick": told}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(tmp_path_factory.mktemp("flags"), {"a.yaml": SPEC})
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    made.load()
    return made


@pytest.fixture
def run(
    built: Built,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Any:
    """Run the command; return the exit code and what it prints."""
    monkeypatch.chdir(tmp_path)
    name = f"handlers_of_{built.package}"
    (tmp_path / f"{name}.py").write_text(HANDLERS)
    (tmp_path / "context.json").write_text('{"app": {"user": {"id": "u"}}}')
    monkeypatch.syspath_prepend(str(tmp_path))

    def run(*arguments: str) -> tuple[int, str, str]:
        service = built.load("service")
        command = import_module("brimgen_runtime.service.command")
        argv = [*arguments]
        if argv[0] == "call" and argv[1] in ("order", "pick"):
            argv[1:1] = ["--handlers", name, "--context", "context.json"]
        try:
            code = command.main(service.Service, service.PLAN, argv)
        except SystemExit as stop:
            code = stop.code
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def sent(run: Any, *flags: str) -> Any:
    """What the handler of `order` gets for flags."""
    code, out, err = run("call", "order", *flags)
    assert (0, "") == (code, err)
    got = json.loads(out)
    assert "u" == got.pop("user")
    return got


def test_flags_say_what_json_says(run: Any) -> None:
    usual = {"item_ids": [1], "kind": "tea", "gift": False}
    for flags, given in {
        "--item-ids 1 2 --item-ids 3": {"item_ids": [1, 2, 3]},
        "--item-ids": {"item_ids": []},
        "--item-ids 1 --kind cup --kinds tea cup": {
            "kind": "cup",
            "kinds": ["tea", "cup"],
        },
        "--item-ids 1 --gift": {"gift": True},
        "--item-ids 1 --note 7": {"note": "7"},
        "--item-ids 1 --note null": {"note": "null"},
        "--item-ids 1 --price 12345678901234567.25": {"price": 12345678901234567.25},
        '--item-ids 1 --to {"street":"a","number":null}': {
            "to": {"street": "a", "number": None}
        },
        "--item-ids 1 --least -5": {"least": -5},
        "--item-ids 1 --timeout 5": {"timeout": 5},
    }.items():
        assert usual | given == sent(run, *flags.split()), flags
    for flags, given in {
        "--either 7 --anything 7": {"either": 7, "anything": 7},
        "--either seven --anything seven": {"either": "seven", "anything": "seven"},
        "--or-none low": {"or_none": "low"},
        "--or-none 2": {"or_none": 2},
    }.items():
        assert given == json.loads(run("call", "pick", *flags.split())[1]), flags
    assert "Tell me about tea" in run("call", "ask", "--topic", "tea")[1]


def test_json_and_standard_input_are_read_as_before(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [4] == sent(run, '{"item_ids": [4]}')["item_ids"]
    assert [4] == sent(run, "--read-only", '{"item_ids": [4]}')["item_ids"]
    monkeypatch.setattr("sys.stdin", io.StringIO('{"item_ids": [5]}'))
    assert [5] == sent(run, "-")["item_ids"]
    code, _, err = run("call", "order", "{}", "--gift")
    assert 2 == code
    assert "the arguments are flags or JSON, and not both" in err


def test_the_tool_refuses_what_its_schema_refuses(run: Any) -> None:
    code, out, err = run("call", "order", "--item-ids", "1", "x", "--least", "-10")
    assert (1, "") == (code, out)
    assert 'item_ids/1: expected integer, got "x"' in err
    assert "least: expected at least -9, got -10" in err
    code, _, err = run("call", "order", "--kind", "pot", "--item-ids", "1")
    assert 2 == code
    assert "choose from 'tea', 'cup'" in err
    code, _, err = run("call", "order", "--itemids", "1")
    assert 2 == code
    assert "unrecognized arguments: --itemids" in err
    assert "no tool 'orders'; did you mean `order`?" in run("call", "orders", "--a")[2]


@pytest.mark.whole
def test_a_shell_completes_commands_tools_flags_and_choices(
    run: Any, built: Built
) -> None:
    def completed(*words: str) -> list[str]:
        script = "\n".join(
            (
                "python() { " + f'"{sys.executable}"' + ' "$@"; }',
                f'eval "$(python -m {built.package} completion bash)"',
                f"COMP_WORDS=({' '.join(['shop', *words[:-1]])} '{words[-1]}')",
                f"COMP_CWORD={len(words)}",
                f"_{built.package}",
                'printf "%s\\n" "${COMPREPLY[@]}"',
            )
        )
        done = subprocess.run(
            ["bash", "-c", script],
            env={"PYTHONPATH": f"{built.out / 'python'}:{RUNTIME}", "PATH": "/bin"},
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert (0, "") == (done.returncode, done.stderr)
        return done.stdout.split()

    assert ["call", "completion", "connect"] == completed("c")
    assert ["ask", "order", "pick"] == completed("call", "")
    assert ["--gift"] == completed("call", "order", "--gi")
    assert ["--kind", "--kinds"] == completed("call", "order", "--ki")
    assert ["cup", "tea"] == completed("call", "order", "--kind", "")
    assert ["tea"] == completed("call", "order", "--kinds", "cup", "t")
    assert ["bash", "fish", "zsh"] == completed("completion", "")
    for shell in ("zsh", "fish"):
        assert (
            f"python -m {built.package} completion words" in run("completion", shell)[1]
        )
