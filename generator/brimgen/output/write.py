"""A plan in; the whole of it on disk, or nothing of it (promises.md 4)."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from brimgen.output.exchange import CannotExchange, clear_stages, exchange_tree
from brimgen.output.journal import Journal
from brimgen.output.lock import locked
from brimgen.output.plan import Plan


@contextmanager
def writing(root: Path) -> Generator[None]:
    """Be the one run that writes to ``root``, after repairing what an earlier one left.

    The manifest must be read, the plan made and `write` called inside.
    """
    root.parent.mkdir(parents=True, exist_ok=True)
    with locked(root):
        Journal(root).recover()
        clear_stages(root)
        yield


def write(plan: Plan) -> int:
    """Carry out ``plan``: afterwards its root is the new tree, or, with an `OSError`, the old.

    Returns the moment, in nanoseconds, up to which nobody else could see what was written.
    """
    if not plan.puts and not plan.removes:
        return time.time_ns()
    try:
        return exchange_tree(plan)
    except CannotExchange:
        return Journal(plan.root).carry_out(plan)
