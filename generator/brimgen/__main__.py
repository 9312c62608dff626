"""``python -m brimgen`` and the console script: both are the command of `brimgen.cli`."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Run the command; ends the process with its exit code.

    Where nothing changed since an earlier run, nothing else is imported.
    """
    from brimgen.build.stamp import answer, invocation

    asked = invocation(sys.argv[1:])
    if asked is not None:
        # Such a run keeps nearly all that it makes until it ends: there is nothing to collect.
        gc.disable()
        if answer(asked, sys.argv[1]):
            sys.exit(0)
    from brimgen.cli.run import run

    if "--persistent_worker" in sys.argv:
        from brimgen.cli.builds.bazel_worker import serve

        sys.exit(serve(sys.argv[1:], run))
    sys.exit(run(invocation=asked))


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
