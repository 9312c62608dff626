"""What a build costs, beside generators of models on the same schemas.

    python benchmarks/run.py [--sizes 10 100 1000] [--rounds 3] [--peers]

Work: N tools, one spec file each, five artifacts each (Python, JSON Schema, SQL binding, OpenAI,
MCP); see `specs.py`. Where `BRIMGEN_CORPORA` names the corpora, tools that others have published
are a second kind of work (`real_specs.py`). A peer makes its models from the input schemas of the
same tools, and nothing else; ``--peers`` lets the heavy ones of `build_peers.py` take part, once
each.
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
from pathlib import Path

from build_peers import clear, commands, install
from figures import show
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


def compile_modules() -> None:
    """Compile all modules of brimgen: no run is to pay for it."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for package in brimgen, brimgen_runtime:
        compileall.compile_dir(str(Path(package.__file__).parent), quiet=2)


class Contest:
    """One kind of work: its specs, the folders of the contestants, and what their runs took.

    ``work`` is a number of made tools, or the name of a corpus.
    """

    def __init__(self, folder: Path, work: int | str) -> None:
        self._folder = folder
        self._specs, self._schemas = folder / "specs", folder / "schemas"
        self._out, self._cache = folder / "out", folder / "cache"
        self.costs: dict[str, list[Cost]] = {}
        if isinstance(work, int):
            write_specs(self._specs, work)
            self._kind, self._tools = "", work
        else:
            self._kind, self._tools = f"{work}, ", write_real_specs(self._specs, work)
        (folder / "brimgen.yaml").write_text(CONFIGURATION)
        self._brimgen("generate")
        self._schemas.mkdir()
        for schema in self._out.rglob("schemas/tools/*.input.json"):
            name = schema.name.replace(".input", "")
            shutil.copy(schema, self._schemas / name)

    @property
    def title(self) -> str:
        """How a column of this work is called."""
        return f"{self._kind}{self._tools} tools"

    def round(self) -> None:
        """Every contestant once."""
        self._time(BASELINE, lambda: cost(sys.executable, "-c", "pass"))
        self._time(PEER, self._model_generator)
        self._forget()
        wrong = self._specs / "wrong.yaml"
        wrong.write_text(WRONG)
        self._time(MISTAKE, lambda: self._brimgen("generate", status=1))
        wrong.unlink()
        self._forget()
        self._time(COLD, lambda: self._brimgen("generate"))
        self._time(SAME, lambda: self._brimgen("generate"))
        self._time(CHECK, lambda: self._brimgen("check"))
        self._edit(max(self._specs.rglob("*0.yaml")), "^description: ")
        self._time(ONE, lambda: self._brimgen("generate"))
        if not self._kind:
            self._edit(self._specs / "entities" / "entity_0.yaml", "description: ")
            self._time(ENTITY, lambda: self._brimgen("generate"))

    def _forget(self) -> None:
        """Remove the output and the cache."""
        for folder in self._out, self._cache:
            shutil.rmtree(folder, ignore_errors=True)

    def _edit(self, spec: Path, description: str) -> None:
        """Change the descriptions in a spec that follow a pattern."""
        text = spec.read_text()
        changed = re.sub(f'({description}"?)', r"\1Again ", text, flags=re.M)
        assert changed != text
        spec.write_text(changed)

    def _time(self, name: str, run: Callable[[], Cost]) -> None:
        self.costs.setdefault(name, []).append(run())

    def _brimgen(self, command: str, status: int = 0) -> Cost:
        os.environ["BRIMGEN_CACHE"] = str(self._cache)
        return cost(
            *(sys.executable, "-m", "brimgen", command),
            *("--specs", str(self._specs), "--out", str(self._out)),
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
        """Every heavy peer that is installed, once; they know the shapes of made tools only."""
        if self._kind:
            return
        for name, command in commands(self._folder, self._schemas, self._specs).items():
            clear(self._folder)
            self._time(name, lambda command=command: cost(*command))


def main(arguments: Sequence[str] | None = None) -> None:
    """Show tables of ratios, a column a size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", action="store_true", help="the heavy ones, too")
    options = parser.parse_args(arguments)
    if options.peers:
        install()
    compile_modules()
    home = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    medians: dict[str, dict[str, Cost]] = {}
    for work in (*options.sizes, *(CORPORA if has_corpora() else ())):
        with tempfile.TemporaryDirectory(dir=home) as folder:
            contest = Contest(Path(folder), work)
            for _ in range(options.rounds):
                contest.round()
            if options.peers:
                contest.peers()
        medians[contest.title] = {
            name: median(each) for name, each in contest.costs.items()
        }
    report(medians)


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each figure."""
    names = [field.name for field in fields(Cost)]
    return Cost(
        *(statistics.median(getattr(one, name) for one in costs) for name in names)
    )


def report(medians: dict[str, dict[str, Cost]]) -> None:
    """Each contestant as a multiple of what stays the same."""
    known = dict.fromkeys(name for each in medians.values() for name in each)
    heavy = [each for each in known if each not in (*OURS, PEER, BASELINE)]
    tables = {
        "build_cpu": ("cpu", PEER, (*OURS, *heavy)),
        "build_again": ("cpu", BASELINE, (SAME, CHECK)),
        "build_share": ("cpu", COLD, (ONE, ENTITY, MISTAKE)),
        "build_memory": ("memory", PEER, (COLD, SAME, *heavy)),
    }
    for key, (figure, base, names) in tables.items():
        rows = [
            [name, *(_ratio(each, name, base, figure) for each in medians.values())]
            for name in names
        ]
        what = "CPU" if figure == "cpu" else figure
        show(key, [f"{what}, of `{base}`", *medians], rows)


def _ratio(costs: dict[str, Cost], name: str, base: str, figure: str) -> str:
    if name not in costs:
        return "-"
    return f"{getattr(costs[name], figure) / getattr(costs[base], figure):.2f}"


if __name__ == "__main__":
    main()
