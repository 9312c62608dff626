"""How much CPU a build takes, beside datamodel-code-generator on the same schemas.

    python benchmarks/run.py [--sizes 10 100 1000] [--rounds 3]

Every figure is CPU time (user and system, with children) of whole processes, the median of
several rounds in which all contestants take turns; outputs are on tmpfs where there is one. Only
ratios are printed: the absolute times of one machine mean nothing to another.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from specs import write_specs

BASELINE = "python -c pass"
PEER = "datamodel-code-generator, dataclasses only"
COLD = "brimgen, cold, all targets"
SAME = "brimgen, nothing changed"
ONE = "brimgen, one spec changed"
CHECK = "brimgen check"


def cpu_seconds(*command: str) -> float:
    """Run a command that must succeed; return the CPU time that it took."""
    with tempfile.TemporaryFile() as said:
        streams = [(os.POSIX_SPAWN_DUP2, said.fileno(), number) for number in (1, 2)]
        pid = os.posix_spawn(command[0], command, os.environ, file_actions=streams)
        _, status, usage = os.wait4(pid, 0)
        if os.waitstatus_to_exitcode(status) != 0:
            said.seek(0)
            print(said.read().decode(errors="replace"), file=sys.stderr)
            raise SystemExit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime


class Contest:
    """One size: its specs, the folders of the contestants, and their times."""

    def __init__(self, folder: Path, tools: int) -> None:
        self._specs = folder / "specs"
        self._out = folder / "out"
        self._schemas = folder / "schemas"
        self._peer = folder / "peer"
        self.times: dict[str, list[float]] = {}
        write_specs(self._specs, tools)
        self._brimgen("generate")
        self._schemas.mkdir()
        for schema in (self._out / "json_schema/tools").glob("*.input.json"):
            name = schema.name.replace(".input", "")
            shutil.copy(schema, self._schemas / name)

    def round(self) -> None:
        """Every contestant once."""
        self._time(BASELINE, lambda: cpu_seconds(sys.executable, "-c", "pass"))
        shutil.rmtree(self._peer, ignore_errors=True)
        self._time(PEER, self._model_generator)
        shutil.rmtree(self._out)
        self._time(COLD, lambda: self._brimgen("generate"))
        self._time(SAME, lambda: self._brimgen("generate"))
        self._time(CHECK, lambda: self._brimgen("check"))
        spec = self._specs / "tools/tool_0.yaml"
        spec.write_text(spec.read_text().replace("Find every", "Find each and every"))
        self._time(ONE, lambda: self._brimgen("generate"))

    def _time(self, name: str, run: Callable[[], float]) -> None:
        self.times.setdefault(name, []).append(run())

    def _brimgen(self, command: str) -> float:
        options = ("--specs", str(self._specs), "--out", str(self._out))
        return cpu_seconds(sys.executable, "-m", "brimgen", command, *options)

    def _model_generator(self) -> float:
        return cpu_seconds(
            *(sys.executable, "-m", "datamodel_code_generator"),
            *("--input", str(self._schemas), "--output", str(self._peer)),
            *("--input-file-type", "jsonschema", "--disable-timestamp"),
            *("--output-model-type", "dataclasses.dataclass"),
            *("--formatters", "builtin"),
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one table of ratios, a column a size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    home = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    medians: list[dict[str, float]] = []
    for size in options.sizes:
        with tempfile.TemporaryDirectory(dir=home) as folder:
            contest = Contest(Path(folder), size)
            for _ in range(options.rounds):
                contest.round()
        medians.append(
            {name: statistics.median(times) for name, times in contest.times.items()}
        )
    report(options.sizes, medians)


def report(sizes: Sequence[int], medians: Sequence[dict[str, float]]) -> None:
    """Each contestant as a multiple of the two that stay the same."""
    for base in (PEER, BASELINE):
        print(f"\n| CPU, as a multiple of `{base}` | ", end="")
        print(" | ".join(map(str, sizes)), end=" |\n")
        print("|---|" + "---:|" * len(sizes))
        for name in (COLD, SAME, CHECK, ONE):
            ratios = [f"{each[name] / each[base]:.2f}" for each in medians]
            print(f"| {name} | " + " | ".join(ratios) + " |")


if __name__ == "__main__":
    main()
