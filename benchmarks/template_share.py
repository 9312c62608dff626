"""Print the share of template text in what each target makes of the shop.

Targets that a project could have made itself (`brimgen.emit.custom`) are templates alone, and are
left out.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "generator"), str(ROOT / "tests")]

from brimgen.emit import EMITTERS  # noqa: E402
from brimgen.emit.custom import custom_target  # noqa: E402
from support.template_share import shares, shop  # noqa: E402


def main() -> None:
    """Print a row for each target and kind of file."""
    catalog = shop()
    print("| target | files | template text |\n|---|---|---:|")
    own = [each for each in EMITTERS if each.parts.__module__ != custom_target.__name__]
    for emitter in own:
        for end, share in shares(emitter, catalog).items():
            print(f"| {emitter.name} | {end} | {share.percent:.0f} % |")


if __name__ == "__main__":
    main()
