"""``python -m brimgen.library NAME``: print the spec of a tool that comes with brimgen."""

from __future__ import annotations

import sys

from brimgen.library import NAMES, spec


def main(arguments: list[str]) -> int:
    """Print the spec that ``arguments`` name; return the exit code."""
    if len(arguments) != 1 or arguments[0] not in NAMES:
        print(f"usage: python -m brimgen.library {'|'.join(NAMES)}", file=sys.stderr)
        return 2
    sys.stdout.write(spec(arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
