"""Engines of builds: a real Ninja builds 200 specs, Bazel's protocol is spoken."""

from __future__ import annotations

import json
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ninja
import pytest

from brimgen.cli import run as cli
from brimgen.cli.builds.generate import write_depfile
from brimgen.cli.run import expand_argument_files

TOOLS = 200
ENTITIES = 10
NINJA = Path(ninja.BIN_DIR) / "ninja"
ROOT = Path(__file__).parents[2]
BRIMGEN = [sys.executable, "-m", "brimgen"]


def entity(number: int, text: str = "Rows to skip") -> str:
    return (
        f"type: entity\nname: Page{number}\nfields:\n"
        f"  offset: {{ type: int, default: 0, description: {text} }}\n"
    )


def tool(number: int) -> str:
    return (
        f"type: python_function\nname: tool_{number}\ndescription: Find parcels of kind {number}.\n"
        f"handler: backend:tool_{number}\narguments:\n"
        f"  entity_ref: Page{number % ENTITIES}\n"
    )


def write_tools(project: Path, number: int) -> list[str]:
    names = [f"specs/tools/tool_{each}.yaml" for each in range(number)]
    for each, name in enumerate(names):
        (project / name).write_text(tool(each))
    return names


def own_specs() -> list[Path]:
    """The spec files of this repository, from its root."""
    found = (each for each in (ROOT / "specs").rglob("*") if each.is_file())
    return sorted(each.relative_to(ROOT) for each in found)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BRIMGEN_CACHE", "")
    (tmp_path / "brimgen.yaml").write_text("targets: [python, json_schema]\n")
    for folder in ("entities", "tools"):
        (tmp_path / "specs" / folder).mkdir(parents=True)
    for number in range(ENTITIES):
        file = tmp_path / f"specs/entities/page_{number}.yaml"
        file.write_text(entity(number))
    return tmp_path


class Worker:
    """A persistent worker, spoken to as Bazel does it; ``done`` are the specs it was asked for."""

    def __init__(self, *startup: str) -> None:
        self.done: list[str] = []
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [*BRIMGEN, *startup, "--persistent_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
        )

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *problem: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert 0 == self._process.wait(60)

    def ask(self, request: object) -> dict[str, Any]:
        """Send a request (text is sent as it is), return the response."""
        line = request if isinstance(request, str) else json.dumps(request)
        assert self._process.stdin is not None and self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
            response: dict[str, Any] = json.loads(self._process.stdout.readline())
        return response

    def act(self, arguments: list[str]) -> dict[str, Any]:
        """Do one action of Ninja."""
        self.done.append(arguments[0])
        return self.ask({"arguments": arguments, "inputs": [], "requestId": 0})


CLIENT = """\
import json, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect("worker.socket")
    server.sendall(json.dumps(sys.argv[1:]).encode() + b"\\n")
    answer = json.loads(server.makefile().readline())
sys.stderr.write(answer["output"])
sys.exit(answer["exitCode"])
"""


@contextmanager
def served(worker: Worker) -> Iterator[None]:
    """Let the actions of Ninja, each a process of its own, reach the worker."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            answer = worker.act(json.loads(self.rfile.readline()))
            self.wfile.write(json.dumps(answer).encode() + b"\n")

    with socketserver.ThreadingUnixStreamServer("worker.socket", Handler) as server:
        thread = threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.02}
        )
        thread.start()
        yield
        server.shutdown()
        thread.join()


def write_build(project: Path) -> None:
    (project / "client.py").write_text(CLIENT)
    lines = [
        "rule action",
        f"  command = {sys.executable} -S -E client.py $in --depfile $dep",
        "  depfile = $dep",
        "  deps = gcc",
        "  restat = 1",
    ]
    for number in range(TOOLS):
        made = (
            f"out/python/tools/schemas/tools/tool_{number}.input.json",
            f"out/python/tools/tools/tool_{number}.py",
        )
        lines.append(f"build {' '.join(made)}: action specs/tools/tool_{number}.yaml")
        lines.append(f"  dep = deps/tool {number}.d".replace("tool ", "tool_"))
    (project / "build.ninja").write_text("\n".join(lines) + "\n")


def run_ninja() -> str:
    ran = subprocess.run([NINJA], capture_output=True, text=True, check=False)
    assert 0 == ran.returncode, ran.stdout + ran.stderr
    return ran.stdout


def beside() -> list[str]:
    entities = (f"specs/entities/page_{each}.yaml" for each in range(ENTITIES))
    return [part for each in entities for part in ("--with", each)]


@pytest.mark.whole
def test_ninja_rebuilds_exactly_what_a_changed_entity_touches(project: Path) -> None:
    specs = write_tools(project, TOOLS)
    write_build(project)
    with Worker("action", *beside()) as worker, served(worker):
        run_ninja()
        assert sorted(specs) == sorted(worker.done)
        assert "no work to do" in run_ninja()
        worker.done.clear()
        changed = project / "specs/entities/page_3.yaml"
        changed.write_text(entity(3, "Where to begin"))
        run_ninja()
        assert sorted(specs[3::ENTITIES]) == sorted(worker.done)
        assert "no work to do" in run_ninja()
        worker.done.clear()
        (project / specs[7]).write_text(tool(7).replace("parcels", "baskets"))
        run_ninja()
        assert [specs[7]] == worker.done
        worker.done.clear()
        (project / "brimgen.yaml").write_text("targets: [json_schema, python]\n")
        run_ninja()
        assert sorted(specs) == sorted(worker.done)
    made = {
        each.relative_to("out").as_posix(): each.read_bytes()
        for each in Path("out").rglob("*")
        if each.is_file()
    }
    assert 0 == cli.run(["generate", "--out", "whole"])
    for path, data in made.items():
        assert (project / "whole" / path).read_bytes() == data
    assert 2 * TOOLS == len(made)


def test_the_files_of_the_whole_are_an_action_too(project: Path) -> None:
    specs = write_tools(project, 3)
    for spec in specs:
        assert 0 == cli.run(["action", spec])
    assert 0 == cli.run(["action", "--catalog", "--depfile", "catalog.d"])
    assert 0 == cli.run(["generate", "--out", "whole"])
    made, whole = (
        {each.relative_to(top).as_posix() for each in Path(top).rglob("*.*")}
        for top in ("out", "whole")
    )
    # Files of entities alone rest on their specs and on no tool.
    files = {"python/tools/entities.py", "python/tools/schemas/entities.json"}
    assert {"manifest.json", *files} == whole - made
    assert 0 == cli.run(["action", "specs/entities/page_0.yaml"])
    assert (project / "out/python/tools/entities.py").is_file()
    listed = (project / "catalog.d").read_text().split(" \\\n  ")
    assert 1 + 1 + ENTITIES + 3 == len(listed)


def files_below(top: str) -> set[str]:
    return {each.as_posix() for each in Path(top).rglob("*") if each.is_file()}


def declared(capsys: Any, *asked: str) -> list[str]:
    """What an engine would declare as the outputs of an action."""
    capsys.readouterr()
    assert 0 == cli.run(["action", "--list", *asked])
    return capsys.readouterr().out.splitlines()


def acted(out: str, *asked: str) -> set[str]:
    assert 0 == cli.run(["action", *asked, "--out", out])
    return files_below(out)


@pytest.mark.parametrize(
    "asked",
    [
        ["specs/tools/tool_1.yaml"],
        ["specs/tools/tool_1.yaml", "--with", "specs/entities/page_1.yaml"],
        ["specs/tools/tool_0.yaml", "specs/tools/tool_2.yaml"],
        ["specs/entities/page_1.yaml"],
    ],
    ids=" ".join,
)
def test_outputs_alone_are_what_an_action_makes(
    project: Path, capsys: Any, asked: list[str]
) -> None:
    write_tools(project, 3)
    listed = declared(capsys, *asked, "--out", "made")
    assert sorted(acted("made", *asked)) == sorted(listed)


def test_actions_and_the_one_of_the_catalog_make_the_whole(
    project: Path, capsys: Any
) -> None:
    specs = write_tools(project, 3)
    entities = sorted(each for each in files_below("specs") if "page_" in each)
    actions = [[each] for each in specs]
    actions.append([*entities, *beside()])
    actions.append(["--catalog"])
    listed = [
        path for each in actions for path in declared(capsys, *each, "--out", "made")
    ]
    assert len(listed) == len({*listed})  # no file is made by two rules
    for each in actions:
        acted("made", *each)
    assert sorted(files_below("made")) == sorted(listed)
    assert 0 == cli.run(["generate", "--out", "whole"])
    contents = [
        {str(each.relative_to(top)): each.read_bytes() for each in top.rglob("*.*")}
        for top in (project / "whole", project / "made")
    ]
    del contents[0]["manifest.json"]
    assert contents[0] == contents[1]


def test_outputs_of_our_own_specs_are_what_actions_make(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(ROOT)
    out = str(tmp_path / "made")
    every = [*map(str, own_specs())]
    listed: list[str] = []
    for specs in (["specs/tools/orders/get_orders.sql"], every):
        listed = declared(capsys, *specs, "--out", out)
        assert acted(out, *specs) == {str(Path(each).resolve()) for each in listed}
    listed += declared(capsys, "--catalog", "--out", out)
    made = acted(out, "--catalog")
    assert made == {str(Path(each).resolve()) for each in listed}


@pytest.mark.parametrize(
    "asked",
    [
        [],
        ["--catalog", "specs/tools/tool_0.yaml"],
        ["tool_7"],
        ["specs/tools/tool_7.yaml"],
    ],
    ids=" ".join,
)
def test_outputs_are_asked_of_specs_or_of_the_catalog(
    project: Path, asked: list[str]
) -> None:
    write_tools(project, 1)
    assert 2 == cli.run(["action", "--list", *asked])


def test_a_depfile_is_written_as_make_reads_it(
    tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    rested = [Path(each) for each in ("b#$", "a b", "a b", "c\\d", "e\\ f")]
    write_depfile(Path("deps/a.d"), Path("out dir/x"), rested)
    text = "out\\ dir/x: \\\n  a\\ b \\\n  b\\#$$ \\\n  c\\d \\\n  e\\\\\\ f\n"
    assert text == (tmp_path / "deps/a.d").read_text()


def test_generate_tells_all_it_read(project: Path) -> None:
    write_tools(project, 2)
    for _ in range(2):
        Path("all.d").unlink(missing_ok=True)
        assert 0 == cli.run(["generate", "--depfile", "all.d"])
        lines = Path("all.d").read_text().split(" \\\n  ")
        assert ["out/manifest.json:", "brimgen.yaml"] == lines[:2]
        assert 2 + ENTITIES + 2 == len(lines)


def test_arguments_stand_in_files(project: Path, capsys: Any) -> None:
    write_tools(project, 2)
    Path("more").write_text("--out\n\nout put\n")
    assert 0 == cli.run(["generate", "@more"])
    assert (project / "out put/manifest.json").is_file()
    assert ["a", "--out", "out put", "@b"] == expand_argument_files(
        ["a", "@more", "@@b"]
    )
    assert 2 == cli.run(["generate", "@none"])
    assert "'none'" in capsys.readouterr().err


def test_a_line_of_arguments_ends_at_line_ends_only(project: Path) -> None:
    (project / "more").write_text(
        "--out\r\na\u2028b\x0cc\x85d\x1ee\n\n--specs\nf", encoding="utf-8", newline=""
    )
    said = ["--out", "a\u2028b\x0cc\x85d\x1ee", "--specs", "f"]
    assert said == expand_argument_files(["@more"])


def test_a_worker_answers_requests_one_after_the_other(project: Path) -> None:
    write_tools(project, 2)
    with Worker("action") as worker:
        request = {
            "arguments": ["specs/tools/tool_0.yaml"],
            "inputs": [],
            "requestId": 0,
        }
        assert {"exitCode": 0, "output": "", "requestId": 0} == worker.ask(request)
        assert Path("out/python/tools/tools/tool_0.py").is_file()
        Path("specs/tools/tool_0.yaml").write_text(tool(0).replace("Page0", "Pag0"))
        answer = worker.ask({**request, "requestId": 7})
        assert (1, 7) == (answer["exitCode"], answer["requestId"])
        assert "Did you mean" in answer["output"] or "Page0" in answer["output"]
        Path("specs/tools/tool_0.yaml").write_text(tool(0))
        Path("flags").write_text("specs/tools/tool_1.yaml\n")
        assert 0 == worker.ask({"arguments": ["@flags"]})["exitCode"]
        assert Path("out/python/tools/tools/tool_1.py").is_file()
        assert 2 == worker.ask({"arguments": ["--nonsense"]})["exitCode"]
        assert 2 == worker.ask("{")["exitCode"]
        assert 2 == worker.ask("[]")["exitCode"]


def test_a_request_is_answered_once_even_if_it_is_cancelled(project: Path) -> None:
    write_tools(project, 1)
    with Worker() as worker:
        assert (
            0
            == worker.ask({"arguments": ["explain", "--targets"], "requestId": 7})[
                "exitCode"
            ]
        )
        cancel = json.dumps({"requestId": 7, "cancel": True})
        next_one = json.dumps({"arguments": ["--version"], "requestId": 8})
        assert 8 == worker.ask(f"{cancel}\n{next_one}")["requestId"]


@pytest.mark.parametrize(
    "request_",
    [
        '{"requestId": 1e999}',
        '{"requestId": ' + "9" * 5000 + "}",
        "[" * 100_000,
        '{"sandboxDir": "a\\u0000b"}',
        '{"arguments": ["\\ud800"]}',
        '{"arguments": ["import", "-"]}',
        "\udcff",
    ],
    ids=["endless", "long", "deep", "no path", "half a character", "stdin", "bytes"],
)
def test_no_request_ends_a_worker_or_takes_the_next_one(
    project: Path, request_: str
) -> None:
    with Worker() as worker:
        assert worker.ask(request_)["exitCode"] in (1, 2)
        after: dict[str, object] = {
            "arguments": ["--version"],
            "inputs": None,
            "requestId": 3,
            "sandboxDir": None,
        }
        answer = worker.ask(after)
        assert (0, 3) == (answer["exitCode"], answer["requestId"])


def test_a_worker_stands_in_the_sandbox_of_the_request(project: Path) -> None:
    write_tools(project, 1)
    with Worker("action", "specs/tools/tool_0.yaml") as worker:
        sandbox = project / "sandbox"
        sandbox.mkdir()
        for name in ("specs", "brimgen.yaml"):
            (project / name).rename(sandbox / name)
        answer = worker.ask({"arguments": [], "requestId": 1, "sandboxDir": "sandbox"})
        assert {"exitCode": 0, "output": "", "requestId": 1} == answer
        assert (sandbox / "out/python/tools/tools/tool_0.py").is_file()
        assert 2 == worker.ask({"sandboxDir": "nowhere"})["exitCode"]
