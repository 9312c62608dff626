"""Databases whose libraries are large, or do not go with ours: each runs in a process and an
environment of its own, made on first use and kept for later runs.

ClickHouse is the real engine, embedded, by the usual driver; of Snowflake there is an emulation on
DuckDB, behind the real driver. Of Databricks there is Spark itself, which takes named parameters as
the driver does, and needs Java.
"""

from __future__ import annotations

import hashlib
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock

from databases.shelf import Rows, Run

ROOT = Path(__file__).resolve().parents[2]
WORKER = Path(__file__).with_name("elsewhere_worker.py")
NEEDS = {
    "clickhouse_connect": ["clickhouse-connect==1.12.0", "chdb-core==26.9.0"],
    "databricks": ["pyspark==4.0.1"],
    "snowflake": ["fakesnow==0.12.1", "snowflake-connector-python==4.8.1"],
}
"""By driver. Release 5 of Snowflake's connector has moved what the emulation needs."""


def _python(driver: str) -> str:
    """The interpreter of an environment with what ``driver`` needs."""
    needs = NEEDS[driver]
    digest = hashlib.sha256("\n".join([sys.version, *needs]).encode()).hexdigest()
    folder = ROOT / "build/engines" / f"{driver}-{digest[:16]}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    python = str(folder / "bin/python")
    with FileLock(f"{folder}.lock"):
        if not (folder / "ready").exists():
            subprocess.run(
                [sys.executable, "-m", "venv", "--clear", folder], check=True
            )
            pip = [python, "-m", "pip", "install", "--disable-pip-version-check", "-q"]
            subprocess.run([*pip, *needs], check=True)
            (folder / "ready").touch()
    return python


@contextmanager
def running(driver: str) -> Iterator[Run]:
    """Run statements with ``driver`` as long as the process lives; what it raises is raised."""
    command = [_python(driver), str(WORKER), driver]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as worker:
        asked, told = worker.stdin, worker.stdout
        assert asked is not None
        assert told is not None

        def run(sql: str, arguments: Any) -> Rows:
            pickle.dump((sql, arguments), asked)
            asked.flush()
            rows, failure = pickle.load(told)
            if failure is not None:
                raise RuntimeError(failure)
            found: Rows = rows
            return found

        yield run
        asked.close()
