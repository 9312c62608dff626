"""Make shop.db, a small database to try the tools on: ``python make_database.py``."""

import sqlite3
from pathlib import Path

ORDERS = [
    (1, 7, "shipped", 19.99, "2026-03-01 09:30:00.000000"),
    (2, 7, "open", 120.5, "2026-03-14 16:05:00.000000"),
    (3, 9, "cancelled", 8.0, "2026-03-15 11:00:00.000000"),
]


def main() -> None:
    """Write the database, unless it is there."""
    path = Path(__file__).with_name("shop.db")
    if path.exists():
        print(f"kept {path.name}, which is there")
        return
    connection = sqlite3.connect(path)
    connection.executescript(path.with_name("schema.sql").read_text(encoding="utf-8"))
    connection.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?)", ORDERS)
    connection.commit()
    connection.close()
    print(f"wrote {path.name}: {len(ORDERS)} orders")


if __name__ == "__main__":
    main()
