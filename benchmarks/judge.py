"""Specs in, the CPU that each stage of judging them took out: run in a process of its own.

What the other benchmarks need is not imported here, because a build does not import it either.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

BEFORE = {
    "read_files": "start",
    "parse": "handing on files",
    "resolve": "handing on declarations",
    "lint": "checks of the targets",
}
"""Stages that are called once, and what goes on before each. Documents are composed while they are
parsed, one after the other: a clock that is asked for each would take a tenth of the time."""
TOLD_AS = {"parse": "compose and parse"}


def judge(specs: str, out: str, config: str, told: str) -> None:
    """Judge the specs of a folder in this process; tell the CPU of each stage to a file."""
    from brimgen import api
    from brimgen.diagnostics import Diagnostics
    from brimgen.settings.load import Flags, load_settings

    flags = Flags(specs=Path(specs), out=Path(out), config=Path(config))
    settings = load_settings(flags, Diagnostics())
    real = api.real_stages(settings)
    moments = {"": time.process_time()}

    def timed(name: str) -> Callable[..., Any]:
        stage = getattr(real, name)

        def run(*given: Any, **options: Any) -> Any:
            if "notes" in options:  # a build does not tell them
                options["notes"] = False
            moments[BEFORE[name]] = time.process_time()
            made = stage(*given, **options)
            moments[TOLD_AS.get(name, name)] = time.process_time()
            return made

        return run

    made = api.lint(settings, replace(real, **{n: timed(n) for n in BEFORE}))
    times = list(moments.values())
    taken = {
        name: after - before
        for name, before, after in zip([*moments][1:], times, times[1:], strict=False)
    }
    assert not made.diagnostics.has_errors
    Path(told).write_text(json.dumps(taken))
