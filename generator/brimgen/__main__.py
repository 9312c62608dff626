"""``python -m brimgen`` and the console script: both are the command of `brimgen.cli`."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from brimgen.stamp.answer import Question
    from brimgen.stamp.modules import Modules

_BUILDING = frozenset({"action", "check", "generate", "outputs"})


def main() -> None:
    """Run the command; ends the process with its exit code.

    Where a stamp tells that there is nothing to do, nothing is imported for it.
    """
    from brimgen.stamp.answer import answer, question

    asked = question(sys.argv[1:])
    if asked is not None:
        # Such a run keeps nearly all that it makes until it ends: there is nothing to sweep up.
        gc.disable()
        if answer(asked, sys.argv[1]):
            sys.exit(0)
    modules = _modules(asked)
    from brimgen.cli.run import run

    if "--persistent_worker" in sys.argv:
        from brimgen.cli.worker import serve

        sys.exit(serve(sys.argv[1:], run))
    code = run(asked=asked)
    if modules is not None:
        modules.leave()
    sys.exit(code)


def _modules(asked: Question | None) -> Modules | None:
    """The modules of a run that builds; those that are kept are offered to it."""
    if asked is None and _BUILDING.isdisjoint(sys.argv[1:2]):
        return None
    from brimgen.stamp.evidence import cache_folder
    from brimgen.stamp.modules import Modules

    folder = cache_folder() if asked is None else asked.folder
    if folder is None:
        return None
    modules = Modules(folder, asked)
    modules.offer()
    return modules


def script() -> None:
    """`main`, whose process then ends at once: freeing all values one by one is left out."""
    try:
        main()
    except SystemExit as end:
        if not isinstance(end.code, int):
            raise
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
        except (OSError, ValueError):
            raise end from None  # told in the way of Python
        os._exit(end.code)


if __name__ == "__main__":
    script()
