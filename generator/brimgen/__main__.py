"""``python -m brimgen`` and the console script: both are the command of `brimgen.cli`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; ends the process with its exit code."""
    from brimgen.cli import run

    sys.exit(run())


if __name__ == "__main__":
    main()
