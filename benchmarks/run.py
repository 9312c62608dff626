"""What a build costs, beside generators of models on the same schemas.

    python benchmarks/run.py [--sizes 10 100 1000] [--rounds 3]

Work: N tools, one spec file each, five artifacts each (Python, JSON Schema, SQL binding, OpenAI,
MCP); see `specs.py`. A peer makes its models from the input schemas of the same tools, and nothing
else. CPU is user and system time of whole processes, children included, memory their largest
resident set; each figure is the median of several rounds in which all contestants take turns.
Outputs are on tmpfs where there is one, and all modules are compiled before. Only ratios are
printed: the absolute times of one machine mean nothing to another.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from importlib.util import find_spec
from pathlib import Path

import sql
from peers import write_protos
from specs import write_specs

import brimgen

BASELINE = "python -c pass"
PEER = "datamodel-code-generator, dataclasses only"
PROTOC = "protoc, messages only"
COLD = "brimgen, cold, five artifacts"
SAME = "brimgen generate, nothing changed"
CHECK = "brimgen check, nothing changed"
ONE = "brimgen generate, one spec changed"
OURS = (COLD, SAME, CHECK, ONE)
CONFIGURATION = "targets: [python, json_schema, sql, openai, mcp]\n"


@dataclass(frozen=True)
class Cost:
    """What one run took: seconds of CPU, seconds by the clock, bytes of memory."""

    cpu: float
    wall: float
    memory: float


def cost(*command: str) -> Cost:
    """Run a command that must succeed; return what it took."""
    with tempfile.TemporaryFile() as said:
        streams = [(os.POSIX_SPAWN_DUP2, said.fileno(), number) for number in (1, 2)]
        begun = time.perf_counter()
        pid = os.posix_spawn(command[0], command, os.environ, file_actions=streams)
        _, status, usage = os.wait4(pid, 0)
        wall = time.perf_counter() - begun
        if os.waitstatus_to_exitcode(status) != 0:
            said.seek(0)
            print(said.read().decode(errors="replace"), file=sys.stderr)
            raise SystemExit(f"failed: {' '.join(command)}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss)


class Contest:
    """One size: its specs, the folders of the contestants, and what their runs took."""

    def __init__(self, folder: Path, tools: int) -> None:
        self._folder = folder
        self._specs = folder / "specs"
        self._out = folder / "out"
        self._schemas = folder / "schemas"
        self._protos = folder / "protos"
        self.costs: dict[str, list[Cost]] = {}
        write_specs(self._specs, tools)
        (folder / "brimgen.yaml").write_text(CONFIGURATION)
        os.environ["BRIMGEN_CACHE"] = str(folder / "cache")
        self._brimgen("generate")
        self._schemas.mkdir()
        for schema in (self._out / "json_schema/tools").glob("*.input.json"):
            name = schema.name.replace(".input", "")
            shutil.copy(schema, self._schemas / name)
        write_protos(self._schemas, self._protos)

    @property
    def size(self) -> tuple[int, int]:
        """Files and lines that brimgen makes."""
        files = [each for each in self._out.rglob("*") if each.is_file()]
        return len(files), sum(each.read_bytes().count(b"\n") for each in files)

    def round(self) -> None:
        """Every contestant once."""
        self._time(BASELINE, lambda: cost(sys.executable, "-c", "pass"))
        self._time(PEER, self._model_generator)
        if find_spec("grpc_tools"):
            self._time(PROTOC, self._protoc)
        shutil.rmtree(self._out)
        self._time(COLD, lambda: self._brimgen("generate"))
        self._time(SAME, lambda: self._brimgen("generate"))
        self._time(CHECK, lambda: self._brimgen("check"))
        spec = self._specs / "tools/tool_0.yaml"
        spec.write_text(spec.read_text().replace("Find every", "Find each and every"))
        self._time(ONE, lambda: self._brimgen("generate"))

    def _time(self, name: str, run: Callable[[], Cost]) -> None:
        self.costs.setdefault(name, []).append(run())

    def _brimgen(self, command: str) -> Cost:
        return cost(
            *(sys.executable, "-m", "brimgen", command),
            *("--specs", str(self._specs), "--out", str(self._out)),
            *("--config", str(self._folder / "brimgen.yaml")),
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

    def _protoc(self) -> Cost:
        out = self._folder / "messages"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        return cost(
            *(sys.executable, "-m", "grpc_tools.protoc", f"-I{self._protos}"),
            *(f"--python_out={out}", f"--pyi_out={out}"),
            *(each.name for each in sorted(self._protos.iterdir())),
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print tables of ratios, a column a size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    compileall.compile_dir(str(Path(brimgen.__file__).parent), quiet=2)
    home = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    medians: list[dict[str, Cost]] = []
    made: list[tuple[int, int]] = []
    for size in options.sizes:
        with tempfile.TemporaryDirectory(dir=home) as folder:
            contest = Contest(Path(folder), size)
            for _ in range(options.rounds):
                contest.round()
            made.append(contest.size)
        medians.append({name: median(each) for name, each in contest.costs.items()})
    report(options.sizes, medians, made)
    sql.main([])


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each figure."""
    names = [each.name for each in fields(Cost)]
    return Cost(
        *(statistics.median(getattr(one, name) for one in costs) for name in names)
    )


def report(
    sizes: Sequence[int],
    medians: Sequence[dict[str, Cost]],
    made: Sequence[tuple[int, int]],
) -> None:
    """Each contestant as a multiple of the two that stay the same."""
    others = [name for name in (PROTOC,) if name in medians[0]]
    for base in (PEER, BASELINE):
        for figure in fields(Cost):
            table(f"{figure.name}, as a multiple of `{base}`", sizes)
            for name in (*OURS, *others):
                ratios = [
                    getattr(each[name], figure.name) / getattr(each[base], figure.name)
                    for each in medians
                ]
                row(name, [f"{ratio:.2f}" for ratio in ratios])
    table("what brimgen makes", sizes)
    row("files", [str(files) for files, _ in made])
    row("lines", [str(lines) for _, lines in made])
    if not others:
        print("\nprotoc did not take part: `pip install grpcio-tools` lets it.")


def table(title: str, sizes: Sequence[int]) -> None:
    """The head of a table."""
    print()
    row(title, [f"{size} tools" for size in sizes])
    print("|---|" + "---:|" * len(sizes))


def row(name: str, cells: Sequence[str]) -> None:
    """One line of a table."""
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
