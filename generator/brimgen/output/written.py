"""Read generated files back, from the output folder or from a package, and compare them."""

from __future__ import annotations

import importlib.util
import zipfile
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

from brimgen.frozen import dataclass
from brimgen.output.disk import Blocked, Disk, Present
from brimgen.output.manifest import UnreadableManifest, read_manifest
from brimgen.output.paths import MANIFEST_NAME
from brimgen.output.plan import Output

_LONGEST = 70


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """Generated files as they are on the disk.

    ``texts`` has the text of each file by its path; for a file that was not read, the text that a
    build makes. ``problems`` describes what is wrong with a file, by its path. ``count`` is the
    number of files that were read, ``unread`` describes those that were not.
    """

    texts: dict[str, str]
    problems: dict[str, str]
    count: int
    unread: tuple[str, ...]


def read_folder(
    root: Path, outputs: Iterable[Output], *, finds_extra: bool = True
) -> WrittenFiles:
    """Read ``outputs`` from the output folder.

    With ``finds_extra``, report files of the manifest that are not among ``outputs``.
    """
    disk, generated = Disk(root), {output.path: output.data for output in outputs}

    def read(path: str) -> bytes | str | None:
        match disk.look(path):
            case Present(data=data):
                return data
            case Blocked(description=description):
                return f"is {description}"
            case _:
                return None

    files = _compare(generated, read, ())
    manifest = disk.look(MANIFEST_NAME)
    if not isinstance(manifest, Present):
        files.problems[MANIFEST_NAME] = "is missing"
        return files
    try:
        rows = read_manifest(manifest.data).files
    except UnreadableManifest as problem:
        files.problems[MANIFEST_NAME] = f"cannot be read: {problem}"
        return files
    for path, data in generated.items():
        entry = rows.get(path)
        if entry is None:
            files.problems.setdefault(MANIFEST_NAME, f"has no row for {path}")
        elif entry.sha256 != sha256(data).hexdigest():
            files.problems.setdefault(MANIFEST_NAME, f"has another hash of {path}")
    for path in sorted(rows.keys() - generated.keys()) if finds_extra else ():
        if isinstance(disk.look(path), Present):
            files.problems[path] = "no spec makes it any more"
    return files


def read_package(place: Path, name: str, outputs: Iterable[Output]) -> WrittenFiles:
    """Read the files of the package ``name`` from a wheel, its folder, or the folder that has it.

    Raises `OSError` and `zipfile.BadZipFile` where ``place`` is none of these.
    """
    start = f"python/{name}/"
    contents = {output.path: output.data for output in outputs}
    packaged = {path: data for path, data in contents.items() if path.startswith(start)}
    unread_count = len(contents) - len(packaged)
    unread = (
        (f"{unread_count} generated files outside of the package",)
        if unread_count
        else ()
    )
    if place.is_dir():
        root = place if (place / "__init__.py").is_file() else place / name

        def read(path: str) -> bytes | None:
            file = root / path.removeprefix(start)
            return file.read_bytes() if file.is_file() else None

        files = _compare(packaged, read, unread)
    else:
        with zipfile.ZipFile(place) as wheel:
            held = {*wheel.namelist()}

            def unpacked(path: str) -> bytes | None:
                entry = f"{name}/{path.removeprefix(start)}"
                return wheel.read(entry) if entry in held else None

            files = _compare(packaged, unpacked, unread)
    for path, data in contents.items():
        files.texts.setdefault(path, data.decode())
    return files


def find_package(name: str) -> Path | None:
    """Return the wheel or folder of ``name``, which is a path or is imported by that name."""
    if Path(name).exists():
        return Path(name)
    try:
        spec = importlib.util.find_spec(name) if _is_dotted(name) else None
    except (ImportError, ValueError):
        return None
    places = None if spec is None else spec.submodule_search_locations
    return Path(next(iter(places))) if places else None


def _is_dotted(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def _compare(
    generated: dict[str, bytes],
    read: Callable[[str], bytes | str | None],
    unread: tuple[str, ...],
) -> WrittenFiles:
    """``read`` returns the bytes of a file, what is wrong with it, or None where it is missing."""
    texts, problems, count = dict[str, str](), dict[str, str](), 0
    for path, expected in generated.items():
        content = read(path)
        texts[path] = expected.decode()
        if content is None:
            problems[path] = "is missing"
            continue
        if isinstance(content, str):
            problems[path] = content
            continue
        count += 1
        if content != expected:
            texts[path] = content.decode("utf-8", "replace")
            problems[path] = _first_difference(texts[path], expected.decode())
    return WrittenFiles(texts, problems, count, unread)


def _first_difference(actual: str, expected: str) -> str:
    """Describe the first difference between a file and the generated text."""
    lines, expected_lines = actual.split("\n"), expected.split("\n")
    for number, (line, expected_line) in enumerate(
        zip(lines, expected_lines, strict=False), 1
    ):
        if line != expected_line:
            has, makes = _shortened(line), _shortened(expected_line)
            return f"line {number} is `{has}`; the specs make `{makes}`"
    if len(lines) > len(expected_lines):
        return f"it has more lines than the {len(expected_lines)} that the specs make"
    return (
        f"it ends after line {len(lines)}; the specs make {len(expected_lines)} lines"
    )


def _shortened(line: str) -> str:
    text = line.strip() or line
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
