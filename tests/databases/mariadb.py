"""A MariaDB server for the tests: Debian's, unpacked into a folder, started by our own hands."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from databases.debian import NoPackage, unpacked
from databases.server import NoServer, folder_of, wait

ROOT = Path(tempfile.gettempdir()) / f"brimgen-mariadb-{os.getuid()}"
PACKAGE = "mariadb-server-core"


def _installation() -> Path:
    """The root below which the server lies: that of the system, or of an unpacked package."""
    if Path("/usr/sbin/mariadbd").is_file() and Path("/usr/share/mysql").is_dir():
        return Path("/")
    try:
        return unpacked(PACKAGE)
    except NoPackage as error:
        raise NoServer(f"MariaDB: {error}") from error


@contextmanager
def mariadb() -> Iterator[str]:
    """A running server whose time zone is not UTC, as the path of its socket. Raises `NoServer`."""
    found = _installation()
    with folder_of(ROOT, Path("mariadb.pid"), "mariadbd") as folder:
        data, socket = folder / "data", folder / "mariadb.sock"
        (data / "mysql").mkdir(parents=True)
        program = _program(found, data)
        _fill(program, found)
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [
                    *program,
                    *("--skip-networking", f"--socket={socket}"),
                    *(f"--pid-file={folder}/mariadb.pid", "--default-time-zone=+09:00"),
                    *("--character-set-server=utf8mb4", "--max-allowed-packet=64M"),
                ],
                cwd="/",
                env=environment(found),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        try:
            wait(server, lambda: socket.exists(), folder / "log")
            yield f"{socket}"
        finally:
            server.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                server.wait(timeout=20)
            server.kill()


def _program(found: Path, data: Path) -> list[str]:
    share = found / "usr/share/mysql"
    root = ["--user=root"] if os.getuid() == 0 else []
    return [
        f"{found / 'usr/sbin/mariadbd'}",
        *("--no-defaults", *root, f"--basedir={found / 'usr'}", f"--datadir={data}"),
        *(f"--lc-messages-dir={share}", f"--character-sets-dir={share / 'charsets'}"),
        *("--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=16M"),
        *("--innodb-log-file-size=8M", "--skip-grant-tables", "--skip-name-resolve"),
    ]


def _fill(program: list[str], found: Path) -> None:
    """The tables of the server itself."""
    share = found / "usr/share/mysql"
    names = ("mysql_system_tables.sql", "mysql_system_tables_data.sql")
    tables = "".join((share / each).read_text(encoding="utf-8") for each in names)
    made = subprocess.run(
        [*program, "--bootstrap"],
        cwd="/",
        env=environment(found),
        input=f"USE mysql;\n{tables}\nCREATE DATABASE shelf;\n".encode(),
        capture_output=True,
        timeout=120,
        check=False,
    )
    if made.returncode:
        said = made.stderr.decode(errors="replace")[-1000:]
        raise NoServer(f"mariadbd --bootstrap: {said}")


def environment(found: Path) -> dict[str, str]:
    """What the server runs with; an unpacked package needs its own libraries, too."""
    environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
    if found != Path("/"):
        libraries = found.glob("usr/lib/**/lib*.so.*")
        folders = sorted({f"{each.parent}" for each in libraries})
        environment["LD_LIBRARY_PATH"] = ":".join(folders)
    return environment
