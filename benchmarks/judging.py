"""What it costs to judge specs, as a share of the cold build that makes files of them.

    python benchmarks/judging.py [--tools 1000] [--rounds 5]

Judging is everything up to the gate: reading, resolving, the checks of the targets, and lint. Both
are whole processes, imports included, in turns; the share is of the medians of their CPU time. The
stages are timed inside of one of them, so their shares are of what is left without the start.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from run import CONFIGURATION, cost
from specs import write_specs

PROMISE = 0.5
"""Of the cold build, for 1,000 specs without emission."""

BEFORE = {
    "read_files": "start",
    "parse": "compose",
    "resolve": "between",
    "lint": "checks of the targets",
}
"""Stages that are called once, and what goes on before each. A clock is not asked for each file:
that alone would take a tenth of the time."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the share, beside the promise, and where it goes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tools", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    home = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=home) as folder:
        built, judged, stages = _contest(Path(folder), options.tools, options.rounds)
    ratio = judged / built
    kept = "met" if round(ratio, 2) <= PROMISE else "NOT met"
    print(f"\n| CPU, of a cold build of {options.tools} tools | promise | brimgen |")
    print("|---|---|---:|")
    print(f"| judging, nothing emitted | {PROMISE}, {kept} | {ratio:.2f} |")
    whole = sum(stages.values())
    for name, taken in sorted(stages.items(), key=lambda each: -each[1]):
        print(f"| ... {name} |  | {taken / whole * ratio:.2f} |")


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
    for _ in range(rounds):
        shutil.rmtree(folder / "out", ignore_errors=True)
        builds.append(cost(sys.executable, "-m", "brimgen", "generate", *given).cpu)
        judge = f"from judging import judge; judge(*{(*place, str(told))!r})"
        os.environ["PYTHONPATH"] = str(Path(__file__).parent)
        judgements.append(cost(sys.executable, "-c", judge).cpu)
        stages.append(json.loads(told.read_text()))
    medians = {
        name: statistics.median(each[name] for each in stages) for name in stages[0]
    }
    return statistics.median(builds), statistics.median(judgements), medians


def judge(specs: str, out: str, config: str, told: str) -> None:
    """Judge the specs of a folder in this process; tell the CPU of each stage to a file."""
    from brimgen import pipeline
    from brimgen.diagnostics import Diagnostics
    from brimgen.emit import EMITTERS
    from brimgen.settings.load import Flags, load_settings

    flags = Flags(specs=Path(specs), out=Path(out), config=Path(config))
    targets = tuple(each.name for each in EMITTERS)
    settings = load_settings(flags, known_targets=targets, found=Diagnostics())
    real = pipeline.real_stages()
    moments = {"": time.process_time()}

    def timed(name: str) -> Callable[..., Any]:
        stage = getattr(real, name)

        def run(*given: Any, **options: Any) -> Any:
            moments[BEFORE[name]] = time.process_time()
            made = stage(*given, **options)
            moments[name] = time.process_time()
            return made

        return run

    made = pipeline.lint(settings, replace(real, **{n: timed(n) for n in BEFORE}))
    times = list(moments.values())
    taken = {
        name: after - before
        for name, before, after in zip([*moments][1:], times, times[1:], strict=False)
    }
    assert not made.found.has_errors
    Path(told).write_text(json.dumps(taken))


if __name__ == "__main__":
    main()
