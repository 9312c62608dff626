"""Recognize folders that can never be an output folder: folders of the system and of users.

brimgen replaces the output folder by a new tree. For a system folder or a home folder that would
change owners, times and mounts of files that brimgen does not know.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

from brimgen.frozen import dataclass

_SYSTEM = (
    *("/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32"),
    *("/proc", "/sbin", "/sys", "/usr", "/System", "/Library", "/Applications"),
)
"""Folders of the system; nothing in them is an output folder."""

_OPEN = ("/dev/shm", "/usr/src", "/usr/local/src")
"""Folders within those, made for files of users."""

_PREFIXES = ("bin", "include", "lib", "lib64", "libexec", "local", "sbin", "share")
_VAR = ("cache", "lib", "lock", "log", "mail", "opt", "run", "spool", "tmp")
_SHARED = (
    *("/cores", "/home", "/lost+found", "/media", "/mnt", "/opt", "/root", "/run"),
    *("/snap", "/srv", "/tmp", "/var", "/Network", "/Users", "/Volumes", "/private"),
    *(f"{top}/{name}" for top in ("/usr", "/usr/local") for name in _PREFIXES),
    *(f"/var/{name}" for name in _VAR),
    *("/private/tmp", "/private/var", "/private/var/tmp"),
)
"""Folders that many use: an output folder may lie in one of them, and be none of them."""

_WINDOWS_SYSTEM = (
    *("SystemRoot", "ProgramFiles", "ProgramFiles(x86)", "ProgramW6432"),
    "ProgramData",
)
_TEMPORARY = ("TMPDIR", "TEMP", "TMP")
_HOLDS_HOMES = frozenset({"home", "users"})
_DEPTH_OF_HOMES = 3


@dataclass(frozen=True, slots=True)
class Places:
    """The folders of a system: of users (``homes``), of all users (``shared``), of the system
    (``system``, with everything in them but what is in ``open``).
    """

    homes: tuple[PurePath, ...]
    shared: tuple[PurePath, ...]
    system: tuple[PurePath, ...]
    open: tuple[PurePath, ...] = ()


def places_here() -> Places:
    """The folders of the system that runs this process."""
    if sys.platform == "win32":
        return windows_places(os.environ)
    return posix_places(os.environ, tuple(_homes()))


def posix_places(environment: Mapping[str, str], homes: tuple[str, ...]) -> Places:
    """The folders of Linux, macOS and the like."""
    named = [environment.get(name, "") for name in _TEMPORARY]
    temporary = [path for path in named if path.startswith("/")]
    return Places(
        homes=tuple(map(PurePosixPath, homes)),
        shared=tuple(map(PurePosixPath, (*_SHARED, *_OPEN, *temporary))),
        system=tuple(map(PurePosixPath, _SYSTEM)),
        open=tuple(map(PurePosixPath, _OPEN)),
    )


def windows_places(environment: Mapping[str, str]) -> Places:
    """The folders of Windows."""

    def named(*names: str) -> tuple[PureWindowsPath, ...]:
        return tuple(
            PureWindowsPath(environment[name])
            for name in names
            if environment.get(name)
        )

    homes = named("USERPROFILE")
    return Places(
        homes=homes,
        shared=(*named(*_TEMPORARY), *(home.parent for home in homes)),
        system=named(*_WINDOWS_SYSTEM),
    )


def _homes() -> Iterator[str]:
    """The home folders of this user, and of the one who became root for this run."""
    yield os.path.expanduser("~")
    try:
        import pwd
    except ImportError:  # WebAssembly has one user
        return
    behind_sudo = os.environ.get("SUDO_UID", "")
    users = {os.geteuid(), int(behind_sudo) if behind_sudo.isdecimal() else 0}
    for user in sorted(users):
        try:
            yield pwd.getpwuid(user).pw_dir
        except (KeyError, OverflowError):
            continue


def why_not_output(
    out: PurePath, places: Places, project: PurePath | None = None
) -> str | None:
    """Say why ``out`` can never be an output folder; None if nothing in ``places`` forbids it.

    A ``project`` that lies in a folder of the system may generate into itself.
    """
    if out.parent == out:
        return "is the root of a file system"
    if out in places.homes:
        return "is your home folder"
    if any(home.is_relative_to(out) for home in places.homes):
        return "holds your home folder"
    if out.parent.name.lower() in _HOLDS_HOMES and len(out.parts) == _DEPTH_OF_HOMES:
        return "is the home folder of a user"
    if out in places.system or out in places.shared:
        return "is a folder of the system"
    if any(place.is_relative_to(out) for place in (*places.system, *places.shared)):
        return "holds folders of the system"
    for folder in places.system:
        if not out.is_relative_to(folder) or _is_in(out, places.open):
            continue
        if not _is_own(out, places, project) or _is_in(folder, (project or folder,)):
            return f"lies in {folder}, a folder of the system"
    return None


def _is_own(out: PurePath, places: Places, project: PurePath | None) -> bool:
    """Whether ``out`` lies in a project, and that in a folder of its own."""
    if project is None or not out.is_relative_to(project):
        return False
    taken = (*places.homes, *places.system, *places.shared)
    return project.parent != project and project not in taken


def _is_in(out: PurePath, folders: tuple[PurePath, ...]) -> bool:
    return any(out.is_relative_to(folder) for folder in folders)


def why_not_here(out: Path, project: Path) -> str | None:
    """`why_not_output` on this system, for every path that leads to ``out``.

    Both paths are resolved.
    """
    places = places_here()
    for path, of_project in ((out, project), *_other_paths(out, project, places)):
        if problem := why_not_output(path, places, of_project):
            return problem
    return None


def _other_paths(
    out: Path, project: Path, places: Places
) -> Iterator[tuple[Path, Path | None]]:
    """Other paths to ``out`` and to ``project`` that begin with a known place.

    Places are compared by the identity of folders: they may be linked, mounted elsewhere, or
    spelt in other letters on a file system that ignores case.
    """
    by_identity: dict[tuple[int, int], list[Path]] = {}
    for place in (*places.homes, *places.system, *places.shared):
        if identity := identity_of(Path(place)):
            by_identity.setdefault(identity, []).append(Path(place))
    for above in (out, *out.parents):
        identity = identity_of(above)
        for alias in by_identity.get(identity, ()) if identity else ():
            is_below = project.is_relative_to(above)
            of_project = alias / project.relative_to(above) if is_below else None
            if alias != above:
                yield alias / out.relative_to(above), of_project


def identity_of(folder: Path) -> tuple[int, int] | None:
    """The device and the number of a folder; None if there is none."""
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return status.st_dev, status.st_ino
