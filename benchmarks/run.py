"""What a build costs, beside generators of models on the same schemas.

    python benchmarks/run.py [--sizes 10 100 1000] [--rounds 3] [--peers] [--against FOLDER]

Work: N tools, one spec file each, five artifacts each (Python, JSON Schema, SQL binding, OpenAI,
MCP); see `specs.py`. Where `BRIMGEN_CORPORA` names the corpora, tools that others have published
are a second kind of work (`real_specs.py`). A peer makes its models from the input schemas of the
same tools, and nothing else; ``--peers`` lets the heavy ones of `build_peers.py` take part, once
each, up to 1,000 tools. ``--against`` is another checkout of brimgen, which builds the same specs
in turns with this one.
CPU is user and system time of whole processes, children included, memory their largest
resident set; each figure is the median of several rounds in which all contestants take turns.
Outputs are on tmpfs where there is one, and all modules are compiled before. Only
ratios are printed: the absolute times of one machine mean nothing to another.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

import http_requests
import sql
from build_peers import clear, commands, install
from real_specs import CORPORA, has_corpora, write_real_specs
from specs import write_specs

import brimgen
import brimgen_runtime

TAKEN = Path(__file__).with_name("taken.py")
BASELINE = "python -c pass"
PEER = "datamodel-code-generator, dataclasses only"
COLD = "brimgen, cold, five artifacts"
SAME = "brimgen generate, nothing changed"
CHECK = "brimgen check, nothing changed"
ONE = "brimgen generate, one spec changed"
ENTITY = "brimgen generate, one entity changed"
MISTAKE = "brimgen generate, cold, one spec wrong"
OURS = (COLD, SAME, CHECK, ONE, ENTITY, MISTAKE)
AGAINST = ", the other checkout"
LARGEST_FOR_PEERS = 1000
WRONG = "type: python_function\nname: wrong\nreturns: nothing_known\n"
CONFIGURATION = "targets: [python, json_schema, sql, openai, mcp]\n"


@dataclass(frozen=True)
class Cost:
    """What one run took: seconds of CPU, seconds by the clock, bytes of memory."""

    cpu: float
    wall: float
    memory: float


def cost(*command: str, status: int = 0) -> Cost:
    """Run a command that must end with ``status``; return what it took."""
    with tempfile.NamedTemporaryFile() as taken:
        starter = [sys.executable, "-IS", str(TAKEN), taken.name]
        ran = subprocess.run([*starter, *command], capture_output=True)
        if ran.returncode != status:
            print((ran.stdout + ran.stderr).decode(errors="replace"), file=sys.stderr)
            raise SystemExit(f"failed: {' '.join(command)}")
        return Cost(*json.load(taken))


def compile_modules(against: Path | None = None) -> None:
    """Compile all modules of brimgen, and let others be: no run is to pay for it."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for package in brimgen, brimgen_runtime:
        compileall.compile_dir(str(Path(package.__file__).parent), quiet=2)
    if against is not None:
        for folder in "generator", "runtime":
            compileall.compile_dir(str(against / folder), quiet=2)


class Checkout:
    """A version of brimgen: where its modules are, and the folders of its runs."""

    def __init__(self, name: str, modules: Path, folder: Path) -> None:
        self.name, self.modules = name, modules
        self.out, self.cache = folder / f"out{name}", folder / f"cache{name}"

    def forget(self) -> None:
        """Remove the output and what the cache knows of it; compiled templates stay."""
        shutil.rmtree(self.out, ignore_errors=True)
        for path in self.cache.glob("*"):
            if path.is_file() and path.suffix != ".template":
                path.unlink()
            elif path.is_dir() and path.name not in _COMPILED:
                shutil.rmtree(path)


_COMPILED = frozenset({"templates", "modules"})
"""Folders of earlier versions with compiled templates."""


class Contest:
    """One kind of work: its specs, the folders of the contestants, and what their runs took.

    ``work`` is a number of made tools, or the name of a corpus.
    """

    def __init__(self, folder: Path, work: int | str, against: Path | None) -> None:
        self._folder = folder
        self._specs = folder / "specs"
        self._ours = Checkout("", Path(brimgen.__file__).parents[1], folder)
        self._checkouts = [self._ours]
        if against is not None:
            modules = against.resolve() / "generator"
            self._checkouts.append(Checkout(AGAINST, modules, folder))
        self._schemas = folder / "schemas"
        self.costs: dict[str, list[Cost]] = {}
        if isinstance(work, int):
            write_specs(self._specs, work)
            self._kind, self._tools = "", work
        else:
            self._kind, self._tools = f"{work}, ", write_real_specs(self._specs, work)
        (folder / "brimgen.yaml").write_text(CONFIGURATION)
        for checkout in self._checkouts:
            self._brimgen(checkout, "generate")
        self._schemas.mkdir()
        for schema in self._ours.out.rglob("schemas/tools/*.input.json"):
            name = schema.name.replace(".input", "")
            shutil.copy(schema, self._schemas / name)

    @property
    def title(self) -> str:
        """How a column of this work is called."""
        return f"{self._kind}{self._tools} tools"

    @property
    def size(self) -> tuple[int, int]:
        """Files and lines that brimgen makes."""
        files = [path for path in self._ours.out.rglob("*") if path.is_file()]
        return len(files), sum(file.read_bytes().count(b"\n") for file in files)

    def round(self) -> None:
        """Every contestant once."""
        self._time(BASELINE, lambda: cost(sys.executable, "-c", "pass"))
        if self._tools <= LARGEST_FOR_PEERS:
            self._time(PEER, self._model_generator)
        for checkout in self._checkouts:
            checkout.forget()
            wrong = self._specs / "wrong.yaml"
            wrong.write_text(WRONG)
            self._run(MISTAKE, checkout, "generate", status=1)
            wrong.unlink()
            checkout.forget()
            self._run(COLD, checkout, "generate")
            self._run(SAME, checkout, "generate")
            self._run(CHECK, checkout, "check")
        self._edit(max(self._specs.rglob("*0.yaml")), "^description: ")
        for checkout in self._checkouts:
            self._run(ONE, checkout, "generate")
        if not self._kind:
            self._edit(self._specs / "entities" / "entity_0.yaml", "description: ")
            for checkout in self._checkouts:
                self._run(ENTITY, checkout, "generate")

    def _edit(self, spec: Path, description: str) -> None:
        """Change the descriptions in a spec that follow a pattern."""
        text = spec.read_text()
        changed = re.sub(f'({description}"?)', r"\1Again ", text, flags=re.M)
        assert changed != text
        spec.write_text(changed)

    def _run(
        self, name: str, checkout: Checkout, command: str, status: int = 0
    ) -> None:
        run = partial(self._brimgen, checkout, command, status=status)
        self._time(f"{name}{checkout.name}", run)

    def _time(self, name: str, run: Callable[[], Cost]) -> None:
        self.costs.setdefault(name, []).append(run())

    def _brimgen(self, checkout: Checkout, command: str, status: int = 0) -> Cost:
        os.environ["BRIMGEN_CACHE"] = str(checkout.cache)
        runtime = checkout.modules.parent / "runtime"
        os.environ["PYTHONPATH"] = f"{checkout.modules}:{runtime}"
        return cost(
            *(sys.executable, "-m", "brimgen", command),
            *("--specs", str(self._specs), "--out", str(checkout.out)),
            *("--config", str(self._folder / "brimgen.yaml")),
            status=status,
        )

    def _model_generator(self) -> Cost:
        out = self._folder / "models"
        shutil.rmtree(out, ignore_errors=True)
        return cost(
            *(sys.executable, "-m", "datamodel_code_generator"),
            *("--input", str(self._schemas), "--output", str(out)),
            *("--input-file-type", "jsonschema", "--disable-timestamp"),
            *("--output-model-type", "dataclasses.dataclass"),
            *("--formatters", "builtin"),
        )

    def peers(self) -> None:
        """Every heavy peer that is installed, once."""
        if self._tools > LARGEST_FOR_PEERS:
            return
        for name, command in commands(self._folder, self._schemas, self._specs).items():
            clear(self._folder)
            self._time(name, lambda command=command: cost(*command))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print tables of ratios, a column a size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", action="store_true", help="the heavy ones, too")
    parser.add_argument("--against", type=Path, help="another checkout of brimgen")
    options = parser.parse_args(arguments)
    if options.peers:
        install()
    compile_modules(options.against)
    home = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    medians: list[dict[str, Cost]] = []
    made: list[tuple[int, int]] = []
    titles: list[str] = []
    for work in (*options.sizes, *(CORPORA if has_corpora() else ())):
        with tempfile.TemporaryDirectory(dir=home) as folder:
            contest = Contest(Path(folder), work, options.against)
            for _ in range(options.rounds):
                contest.round()
            if options.peers:
                contest.peers()
            made.append(contest.size)
            titles.append(contest.title)
        medians.append({name: median(each) for name, each in contest.costs.items()})
    report(titles, medians, made)
    sql.main([])
    http_requests.main([])


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each figure."""
    names = [field.name for field in fields(Cost)]
    return Cost(
        *(statistics.median(getattr(one, name) for one in costs) for name in names)
    )


def report(
    titles: Sequence[str],
    medians: Sequence[dict[str, Cost]],
    made: Sequence[tuple[int, int]],
) -> None:
    """Each contestant as a multiple of the two that stay the same."""
    known = dict.fromkeys(name for each in medians for name in each)
    names = [*OURS, *(each for each in known if each not in (*OURS, PEER, BASELINE))]
    for base in (PEER, BASELINE):
        for figure in fields(Cost):
            table(f"{figure.name}, as a multiple of `{base}`", titles)
            for name in names:
                row(name, [_ratio(each, name, base, figure.name) for each in medians])
    table("cpu, as a multiple of a cold build", titles)
    for name in (ONE, ENTITY, MISTAKE):
        row(name, [_ratio(each, name, COLD, "cpu") for each in medians])
    if any(f"{COLD}{AGAINST}" in each for each in medians):
        for figure in fields(Cost):
            table(f"{figure.name}, as a multiple of the other checkout", titles)
            for name in OURS:
                other = f"{name}{AGAINST}"
                row(name, [_ratio(each, name, other, figure.name) for each in medians])
    table("what brimgen makes", titles)
    row("files", [str(files) for files, _ in made])
    row("lines", [str(lines) for _, lines in made])
    print("\nlines of all files, manifest and runtime included")


def _ratio(costs: dict[str, Cost], name: str, base: str, figure: str) -> str:
    if name not in costs or base not in costs:
        return "-"
    return f"{getattr(costs[name], figure) / getattr(costs[base], figure):.2f}"


def table(title: str, titles: Sequence[str]) -> None:
    """The head of a table."""
    print()
    row(title, titles)
    print("|---|" + "---:|" * len(titles))


def row(name: str, cells: Sequence[str]) -> None:
    """One line of a table."""
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
