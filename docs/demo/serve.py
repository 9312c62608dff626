"""The shop of `specs/` as an MCP server, over a SQLite database that is made when it is not there.

python docs/demo/serve.py [DATABASE] [options of shop.mcp_server]
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DATABASE = ROOT / "build" / "demo" / "shop.db"


def make_database(path: Path) -> None:
    """Make the database of the shop, with a few customers, orders and products."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((HERE / "shop.sql").read_text("utf-8"))
        connection.commit()


def main(arguments: list[str]) -> int:
    """Serve over stdio until the client hangs up."""
    given = arguments[:1] if arguments and not arguments[0].startswith("-") else []
    database = Path(given[0]) if given else DATABASE
    if not database.exists():
        make_database(database)
    if sys.stdin.isatty():
        print(
            "Waiting for an MCP client on standard input; Ctrl-C ends.", file=sys.stderr
        )
    sys.path[:0] = [str(ROOT / "out" / "python"), str(HERE)]
    from shop.mcp_server import main as serve

    return serve(
        [
            f"--connection=default={database}",
            f"--context={HERE / 'context.json'}",
            "--available-only",
            *arguments[len(given) :],
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
