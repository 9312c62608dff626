"""A real process that watches: saved specs are built, what is wrong comes and goes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from brimgen.api import Diagnostics, Flags, load_settings
from brimgen.cli.builds.watch import Rounds

TOOL = """\
type: python_function
name: find_{word}
description: Find every {word} that fits.
handler: backend.tools:find_{word}
arguments: {{ inline: {{ title: {{ type: string, description: A title }} }} }}
"""
PATIENCE = 60


class Watching:
    """The process, and what it has said so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._lines: list[str] = []
        self._news = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            with self._news:
                self._lines.append(line)
                self._news.notify_all()

    def hear(self, text: str) -> str:
        """Wait until ``text`` is said; return everything up to there, and forget it."""
        until = time.monotonic() + PATIENCE
        with self._news:
            while not any(text in line for line in self._lines):
                assert self._news.wait(until - time.monotonic()), "".join(self._lines)
            end = next(n for n, line in enumerate(self._lines) if text in line) + 1
            heard, self._lines = self._lines[:end], self._lines[end:]
        return "".join(heard)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    specs = tmp_path / "specs"
    specs.mkdir()
    (tmp_path / "brimgen.yaml").write_text("targets: [python, json_schema]\n")
    for word in ("orders", "invoices"):
        (specs / f"find_{word}.yaml").write_text(TOOL.format(word=word))
    return tmp_path


@pytest.fixture
def watching(project: Path) -> Iterator[Watching]:
    process = subprocess.Popen(
        [sys.executable, "-m", "brimgen", "watch", "--format", "concise"],
        cwd=project,
        env={**os.environ, "BRIMGEN_CACHE": str(project / "cache")},
        stderr=subprocess.PIPE,
        text=True,
    )
    yield Watching(process)
    process.terminate()
    process.wait(PATIENCE)


def test_what_is_saved_is_built_and_told(project: Path, watching: Watching) -> None:
    watching.hear("watching specs")
    spec = project / "specs/find_orders.yaml"
    text, made = spec.read_text(), project / "out/python/tools/tools/find_orders.py"
    assert "every orders" in made.read_text()

    spec.write_text(text.replace("every", "each of the"))
    watching.hear("written")
    assert "each of the orders" in made.read_text()

    spec.write_text(text.replace("type: string", "type: strong"))
    heard = watching.hear("nothing was written: 1 error")
    assert "strong" in heard
    assert "each of the orders" in made.read_text()

    spec.write_text(text)
    heard = watching.hear("written")
    assert "no longer: specs/find_orders.yaml:5" in heard
    assert "every orders" in made.read_text()

    (project / "specs/find_refunds.yaml").write_text(TOOL.format(word="refunds"))
    watching.hear("written")
    spec.unlink()
    watching.hear("written")
    assert not made.exists()
    assert (project / "out/python/tools/tools/find_refunds.py").is_file()


def test_a_saved_module_is_built(project: Path) -> None:
    module = project / "app.py"
    module.write_text("class PingInput(ToolInput):\n    'Ping a host.'\n")
    (project / "brimgen.yaml").write_text("sources: [app.py]\ntargets: [python]\n")
    settings = load_settings(Flags(config=project / "brimgen.yaml"), Diagnostics())
    rounds = Rounds(settings)
    rounds.build(is_saved=True)
    module.write_text("class PingInput(ToolInput):\n    'Ping this site.'\n")
    rounds.build(is_saved=False)
    made = project / "out/python/tools/tools/ping.py"
    assert "Ping this site." in made.read_text()


def test_a_process_that_nobody_reads_ends(project: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "brimgen", "watch"],
        cwd=project,
        env={**os.environ, "BRIMGEN_CACHE": ""},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert any("watching specs" in line for line in process.stderr)
    process.stderr.close()
    spec = project / "specs/find_orders.yaml"
    spec.write_text(TOOL.format(word="orders").replace("every", "each"))
    assert 0 == process.wait(PATIENCE)
    made = (project / "out/python/tools/tools/find_orders.py").read_text()
    assert "each orders" in made


def test_another_configuration_is_another_start(
    project: Path, watching: Watching
) -> None:
    watching.hear("watching specs")
    (project / "brimgen.yaml").write_text("targets: [python]\npackage: shop\n")
    watching.hear("starting anew")
    watching.hear("watching specs")
    assert (project / "out/python/shop/tools/find_orders.py").is_file()
    assert not (project / "out/json_schema").exists()


def test_a_half_saved_configuration_is_waited_out(
    project: Path, watching: Watching
) -> None:
    watching.hear("watching specs")
    configuration = project / "brimgen.yaml"
    text, made = configuration.read_text(), project / "out/python/tools/tools"
    configuration.write_text(f"{text}lnt:\n")
    assert "brimgen.yaml:2:1: error[" in watching.hear("waiting for a sound")

    spec = project / "specs/find_orders.yaml"
    spec.write_text(spec.read_text().replace("every", "each of the"))
    configuration.unlink()
    watching.hear("the configuration is gone")
    assert "every orders" in (made / "find_orders.py").read_text()

    configuration.write_bytes(b"package: \xff\n")
    assert "not UTF-8" in watching.hear("waiting for a sound")
    configuration.write_text(text)
    watching.hear("starting anew")
    watching.hear("watching specs")
    assert "each of the orders" in (made / "find_orders.py").read_text()


def test_what_is_done_to_folders_is_seen(project: Path, watching: Watching) -> None:
    watching.hear("watching specs")
    made = project / "out/python/tools/tools"
    away, more = project / "away", project / "specs/more"
    away.mkdir()
    (away / "find_refunds.yaml").write_text(TOOL.format(word="refunds"))
    away.rename(more)
    watching.hear("written, 0 removed")
    assert (made / "find_refunds.py").is_file()
    more.rename(away)
    while (made / "find_refunds.py").exists():
        watching.hear(" removed")


def test_specs_that_others_take_the_place_of_are_watched_on(
    project: Path, watching: Watching
) -> None:
    watching.hear("watching specs")
    specs, away = project / "specs", project / "away"
    specs.rename(away)
    assert "error[S001]" in watching.hear("nothing was written: 1 error")
    specs.mkdir()
    for word in ("orders", "refunds"):
        (specs / f"find_{word}.yaml").write_text(TOOL.format(word=word))
    while not (project / "out/python/tools/tools/find_refunds.py").exists():
        watching.hear(" written")  # it may have looked between the two
    assert not (project / "out/python/tools/tools/find_invoices.py").exists()
    spec = specs / "find_orders.yaml"
    spec.write_text(spec.read_text().replace("every", "each of the"))
    made = project / "out/python/tools/tools/find_orders.py"
    while "each of the orders" not in made.read_text():
        watching.hear(" written")


def test_a_configuration_that_comes_is_the_one_that_counts(
    project: Path, watching: Watching
) -> None:
    watching.hear("watching specs")
    (project / "brimgen.yaml").unlink()
    watching.hear("the configuration is gone")
    (project / "pyproject.toml").write_text("[tool.black]\n")
    watching.hear("pyproject.toml changed; starting anew")
    watching.hear("watching specs")
    assert (project / "out/python/tools/descriptors/openai").is_dir()
    with (project / "pyproject.toml").open("a") as stream:
        stream.write("[tool.other]\n")
    spec = project / "specs/find_orders.yaml"
    spec.write_text(spec.read_text().replace("every", "each of the"))
    assert "anew" not in watching.hear("written")
    (project / "brimgen.yaml").write_text("targets: [python]\n")
    watching.hear("brimgen.yaml changed; starting anew")
    watching.hear("watching specs")
    assert not (project / "out/python/tools/descriptors/openai").exists()
    again = [sys.executable, "-m", "brimgen", "check", "--format", "concise"]
    cache = {**os.environ, "BRIMGEN_CACHE": str(project / "cache")}
    assert 0 == subprocess.run(again, cwd=project, env=cache).returncode


@pytest.fixture
def with_schema(project: Path) -> Path:
    (project / "brimgen.yaml").write_text(
        "targets: [python]\n"
        "connections: {default: {dialect: sqlite, schema: db/shop.sql}}\n"
    )
    (project / "db").mkdir()
    (project / "db/shop.sql").write_text("CREATE TABLE orders (id INTEGER);\n")
    (project / "specs/get_orders.sql").write_text(
        "/*\n---\ntype: sql_function\nname: get_orders\n"
        "description: Every order that there is.\n---\n*/\nSELECT id FROM orders\n"
    )
    return project


def test_a_schema_is_built_from_anew(with_schema: Path, watching: Watching) -> None:
    assert "files written" in watching.hear("watching specs")
    schema = with_schema / "db/shop.sql"
    text = schema.read_text()
    schema.write_text(text.replace("orders", "bills"))
    watching.hear("db/shop.sql changed; starting anew")
    assert "orders" in watching.hear("nothing was written: 1 error")
    watching.hear("watching specs")

    schema.unlink()
    assert "error[O508]" in watching.hear("waiting for a sound configuration")
    schema.write_text(text)
    watching.hear("db/shop.sql changed; starting anew")
    assert "files written" in watching.hear("watching specs")
