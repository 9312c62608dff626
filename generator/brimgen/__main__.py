"""``python -m brimgen`` and the console script: both are the command of `brimgen.cli`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; ends the process with its exit code.

    Where a stamp tells that there is nothing to do, nothing is imported for it.
    """
    from brimgen.stamp.answer import answer, question

    asked = question(sys.argv[1:])
    if asked is not None and answer(asked, sys.argv[1]):
        sys.exit(0)
    from brimgen.cli.main import run

    if "--persistent_worker" in sys.argv:
        from brimgen.cli.worker import serve

        sys.exit(serve(sys.argv[1:], run))
    sys.exit(run(asked=asked))


if __name__ == "__main__":
    main()
