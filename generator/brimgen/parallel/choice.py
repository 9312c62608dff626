"""Settings in; a build by as many processes as it is worth out, chosen when the specs are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from brimgen import pipeline
from brimgen.built import Prepared
from brimgen.diagnostics import Diagnostics
from brimgen.frozen import replace
from brimgen.parallel.alone import alone
from brimgen.parallel.shares import shares_of
from brimgen.settings.load import Settings
from brimgen.source.document import SourceFile
from brimgen.stages import Stages

LEAST = 100
"""Files for each process. Two take 0.8 of the time of one for 200 files with a tool each, and 0.65
for 1,000; below, what they gain is not worth the fifth that they work more."""
MOST = 4
"""Processes, where nobody says how many: what each does besides its share grows with them."""


@contextmanager
def prepared(
    settings: Settings, stages: Stages | None = None, *, jobs: int | None = None
) -> Generator[Prepared]:
    """`pipeline.prepare`, by as many as ``jobs`` processes; None: as many as it is worth."""
    stages = stages or pipeline.real_stages(settings)
    most = min(processors(), MOST) if jobs is None else jobs
    if most < 2 or not can_fork() or not _is_divisible(settings, stages):
        yield alone(settings, stages)
        return
    found = Diagnostics()
    files = stages.read_files(settings.specs, found)
    stages = replace(stages, read_files=_reading(files, found))
    shares = shares_of(files, most=most, least=LEAST if jobs is None else 1)
    with ExitStack() as crew:
        made = None
        if len(shares.own) > 1:
            from brimgen.parallel.build import led  # most runs do without

            made = led(settings, stages, files, shares, crew)
        yield made or alone(settings, stages)


def _is_divisible(settings: Settings, stages: Stages) -> bool:
    """Whether nothing that is known before a spec is read wants a build by one process."""
    project = settings.project
    if project.descriptors.token_budget is not None:
        return False
    if any(each.schema or each.database for each in project.connections.values()):
        return False
    chosen = pipeline.choose_emitters(settings, stages.emitters)
    return all(each.apart is not None for each in chosen)


def _reading(
    files: tuple[SourceFile, ...], found: Diagnostics
) -> Callable[[Path, Diagnostics], tuple[SourceFile, ...]]:
    """What stands in the place of `read_files` where the files were read already."""

    def read(_: Path, heard: Diagnostics) -> tuple[SourceFile, ...]:
        heard.extend(found)
        return files

    return read


def processors() -> int:
    """How many processors are free to this process."""
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count() or 1
    free = len(os.sched_getaffinity(0))
    with suppress(OSError, ValueError):
        with open("/sys/fs/cgroup/cpu.max", encoding="ascii") as stream:
            quota, period = stream.read().split()
        if quota != "max":
            free = min(free, int(quota) // int(period))
    return free


def can_fork() -> bool:
    """Whether this process can be copied: what other threads are doing would be cut off."""
    if not hasattr(os, "fork") or sys.platform == "win32":
        return False
    threading = sys.modules.get("threading")
    return threading is None or threading.active_count() == 1
