"""What it costs to judge specs, as a share of the cold build that makes files of them.

    python benchmarks/judging.py [--tools 1000] [--rounds 5]

Judging is everything up to the gate: reading, resolving, the checks of the targets, and lint. The
share is of the medians of CPU times, in turns. The build is a whole process. Judging is told twice:
as the work between the start and the gate, whose stages are timed inside of the process, and as a
whole process of its own, which starts and imports like any other.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from run import CONFIGURATION, compile_modules, cost
from specs import write_specs

PROMISE = 0.5
"""Of the cold build, for 1,000 specs without emission."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the share, beside the promise, and where it goes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tools", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    compile_modules()
    home = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=home) as folder:
        built, judged, stages = _contest(Path(folder), options.tools, options.rounds)
    ratio = sum(stages.values()) / built
    kept = "met" if round(ratio, 2) <= PROMISE else "NOT met"
    print(f"\n| CPU, of a cold build of {options.tools} tools | promise | brimgen |")
    print("|---|---|---:|")
    print(f"| judging, nothing emitted | {PROMISE}, {kept} | {ratio:.2f} |")
    for name, taken in sorted(stages.items(), key=lambda item: -item[1]):
        print(f"| ... {name} |  | {taken / built:.2f} |")
    print(f"| a process that only judges |  | {judged / built:.2f} |")


def _contest(
    folder: Path, tools: int, rounds: int
) -> tuple[float, float, dict[str, float]]:
    """The CPU of a cold build, that of judging, and that of each stage."""
    write_specs(folder / "specs", tools)
    (folder / "brimgen.yaml").write_text(CONFIGURATION)
    os.environ["BRIMGEN_CACHE"] = ""
    place = (str(folder / "specs"), str(folder / "out"), str(folder / "brimgen.yaml"))
    names = zip(("--specs", "--out", "--config"), place, strict=True)
    given = [word for pair in names for word in pair]
    told = folder / "stages.json"
    builds: list[float] = []
    judgements: list[float] = []
    stages: list[dict[str, float]] = []
    ways = (str(Path(__file__).parent), os.environ.get("PYTHONPATH", ""))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, ways))
    for _ in range(rounds):
        shutil.rmtree(folder / "out", ignore_errors=True)
        builds.append(cost(sys.executable, "-m", "brimgen", "generate", *given).cpu)
        # A build ends without freeing its values, so this does.
        judge = f"import judge, os; judge.judge(*{(*place, str(told))!r}); os._exit(0)"
        judgements.append(cost(sys.executable, "-c", judge).cpu)
        stages.append(json.loads(told.read_text()))
    medians = {
        name: statistics.median(stage[name] for stage in stages) for name in stages[0]
    }
    return statistics.median(builds), statistics.median(judgements), medians


if __name__ == "__main__":
    main()
