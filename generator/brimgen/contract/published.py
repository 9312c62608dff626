"""Read the published contracts of a generated tree, from a folder or from a commit."""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from brimgen.frozen import dataclass, field
from brimgen.model.json import is_list, is_object

_PARTS = (
    "json_schema/tools/*.json",
    "python/*/schemas/tools/*.json",
    "mcp/tools.json",
    "mcp/tools/*.json",
    "python/*/descriptors/mcp/tools.json",
    "python/*/descriptors/mcp/tools/*.json",
    "manifest.json",
)


class NoTree(Exception):
    """There is no such tree; the text says why."""


class NoCommit(NoTree):
    """Git knows no such commit: the name is misspelt, or was never fetched."""


def of_folder(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield (path below ``root``, content) of the files of contracts, and of the manifest.

    The manifest shows that there is an output.
    """
    for part in _PARTS:
        for path in sorted(root.glob(part)):
            if path.is_file():
                yield path.relative_to(root).as_posix(), path.read_bytes()


def of_commit(root: Path, reference: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the folder ``root`` at a commit, branch or tag of its repository.

    Raises `NoCommit` where git does not know the commit, `NoTree` where that has no such folder.
    """
    # The nearest folder that exists: the output may be new, or deleted in the work tree.
    base = next(folder for folder in (root, *root.parents) if folder.is_dir())
    below = root.relative_to(base).as_posix()
    top = Path(_git_line(base, "--show-toplevel"))
    prefix = PurePosixPath(_git_line(base, "--show-prefix"), below).as_posix()
    commit = _commit(base, reference)
    packed = _git(top, "archive", "--format=tar", f"{commit}:{prefix.strip('.')}")
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None and _is_part(member.name):
                yield member.name, content.read()


def _is_part(path: str) -> bool:
    place = PurePosixPath(path)
    return any(
        len(place.parts) == part.count("/") + 1 and place.match(part) for part in _PARTS
    )


def _commit(folder: Path, reference: str) -> str:
    try:
        return _git_line(
            folder, "--verify", "--end-of-options", f"{reference}^{{commit}}"
        )
    except NoTree as problem:
        raise NoCommit(str(problem)) from problem


def _git_line(folder: Path, *arguments: str) -> str:
    """The line that ``git rev-parse`` prints."""
    return _git(folder, "rev-parse", *arguments).decode("utf-8", "replace").strip()


def _git(folder: Path, *arguments: str) -> bytes:
    command = ["git", "-C", str(folder), *arguments]
    try:
        process = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError as missing:
        raise NoTree("git is not installed") from missing
    if process.returncode:
        message = process.stderr.decode("utf-8", "replace").strip()
        lines = message.splitlines()
        fatal = [line for line in lines if line.startswith("fatal: ")] or lines[-1:]
        reason = fatal[0].removeprefix("fatal: ").rstrip(".") if fatal else "git failed"
        raise NoTree(reason)
    return process.stdout


INPUTS = ".input.json"
OUTPUTS = ".output.json"
_SCHEMAS = ("json_schema/tools/*.json", "python/*/schemas/tools/*.json")
_DESCRIPTORS = "mcp/tools.json"
_DESCRIPTOR = "mcp/tools/*.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """The published contract of a tool: its schemas (None for no result) and their descriptions.

    ``words`` has the title, description and hints that a model reads; it is empty where the
    target that publishes them is off.
    """

    name: str
    input: Any
    output: Any = None
    words: Mapping[str, Any] = field(default_factory=dict[str, Any])


def contracts(files: Iterable[tuple[str, bytes]]) -> Mapping[str, Contract]:
    """The contracts of a tree of (path below the output folder, content), by the tool's name.

    They are read from what the targets ``json_schema`` and ``mcp`` make. A file that is no JSON,
    or of another shape, is passed over: trees of other versions are compared as far as they go.
    """
    inputs: dict[str, Any] = {}
    outputs: dict[str, Any] = {}
    words: dict[str, Mapping[str, Any]] = {}
    for path, content in files:
        place = PurePosixPath(path)
        is_schema = any(map(place.match, _SCHEMAS))
        if is_schema and place.name.endswith(INPUTS):
            inputs[place.name.removesuffix(INPUTS)] = _json(content)
        elif is_schema and place.name.endswith(OUTPUTS):
            outputs[place.name.removesuffix(OUTPUTS)] = _json(content)
        elif place.match(_DESCRIPTORS):
            listed = _json(content)
            words.update(_words(listed.get("tools") if is_object(listed) else None))
        elif place.match(_DESCRIPTOR):
            words.update(_words([_json(content)]))
    return {
        name: Contract(
            name=name,
            input=schema,
            output=outputs.get(name),
            words=words.get(name, {}),
        )
        for name, schema in sorted(inputs.items())
        if isinstance(schema, dict | bool)
    }


def _words(tools: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for tool in tools if is_list(tools) else ():
        if is_object(tool) and isinstance(tool.get("name"), str):
            words = {key: tool[key] for key in ("title", "description") if key in tool}
            hints = tool.get("annotations")
            yield tool["name"], words | (hints if is_object(hints) else {})


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None
