"""Read the settings about templates of a project, and about the targets that it makes with them.

::

    [tool.brimgen]
    templates = "my_templates"          # a file of the same name replaces one of brimgen

    [[tool.brimgen.custom]]             # a target of the project
    name = "clients"
    template = "clients/tool.ts.j2"
    path = "ts/{{ tool.name }}.ts"
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import MappingProxyType

from brimgen.diagnostics import Span
from brimgen.diagnostics.rules import CUSTOM_PATH, UNREADABLE_TEMPLATE
from brimgen.frozen import replace
from brimgen.model.targets import Target, target_names
from brimgen.model.templates import (
    FilePattern,
    TemplateFile,
    TemplateFolder,
    TemplateScope,
)
from brimgen.output.paths import leaves_root, not_portable
from brimgen.settings.connections import Base
from brimgen.settings.values import CUSTOM, SettingsReader
from brimgen.source.files import relative_name
from brimgen.source.nodes import ListNode, Node, Text

ENDING = ".j2"
LARGEST = 1024 * 1024
_MOST_FILES = 1000
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)
_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_PAGE = "templates.md"


class _Refused(Exception):
    """A folder of templates that cannot be read; says which file, and why."""

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(reason)
        self.file, self.reason = file, reason


def take_templates(
    reader: SettingsReader, written: Text | None, base: Base
) -> TemplateFolder | None:
    """The templates in the folder that ``templates`` names."""
    if written is None:
        return None
    folder = Path(os.path.abspath(base.folder / written.value))
    try:
        files = {name: _read(folder / name, base) for name in _names(folder)}
    except _Refused as problem:
        from brimgen.settings.setting_errors import shown_path, similar_folders

        reader.report(
            UNREADABLE_TEMPLATE,
            written.span,
            suggestions=similar_folders(folder, Path(written.value)),
            file=shown_path(problem.file),
            reason=problem.reason,
        )
        return None
    return TemplateFolder(str(folder), MappingProxyType(files))


def _names(folder: Path) -> list[str]:
    """The names of the templates in ``folder``, sorted. Raises `_Refused`."""
    if not folder.is_dir():
        raise _Refused(folder, "there is no such folder")
    names = sorted(
        path.relative_to(folder).as_posix() for path in _template_paths(folder)
    )
    if len(names) > _MOST_FILES:
        raise _Refused(folder, f"it holds more than {_MOST_FILES} templates")
    return names


def _template_paths(folder: Path) -> Iterator[Path]:
    """The files below ``folder`` that are templates. Raises `_Refused`."""
    root = os.path.join(os.path.realpath(folder), "")
    waiting = [folder]
    while waiting:
        for entry in _entries(waiting.pop()):
            path = Path(entry.path)
            is_template = entry.name.endswith(ENDING)
            leaves = not os.path.realpath(path).startswith(root)
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            elif is_template and leaves:
                raise _Refused(path, "it is a link that leaves the folder")
            elif is_template and not entry.is_file():
                raise _Refused(path, "it is no file")
            elif entry.is_symlink() and entry.is_dir():
                raise _Refused(path, "it is a link to a folder, and is not followed")
            elif is_template:
                yield path


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if not entry.name.startswith(".")]
    except OSError as problem:
        reason = problem.strerror or type(problem).__name__
        raise _Refused(folder, reason) from problem


def _read(path: Path, base: Base) -> TemplateFile:
    """Raises `_Refused`."""
    try:
        if path.stat().st_size > LARGEST:
            raise _Refused(path, "it has more than 1 MiB")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as problem:
        raise _Refused(path, "it is not UTF-8") from problem
    except OSError as problem:
        raise _Refused(path, problem.strerror or type(problem).__name__) from problem
    return TemplateFile(relative_name(path, base.specs.parent), text)


def take_custom(
    reader: SettingsReader, node: Node | None, base: Base
) -> tuple[Target, ...]:
    """The targets in ``node``; entries of one name are one target."""
    targets: dict[str, Target] = {}
    for item in node.items if isinstance(node, ListNode) else ():
        target = _target(item, reader.within("custom"), base)
        if target is not None:
            earlier = targets.get(target.name, target)
            files = target.files if earlier is target else earlier.files + target.files
            targets[target.name] = replace(earlier, files=files)
    return tuple(targets.values())


def row_of(custom: Iterable[Target], name: str, path: str) -> Span | None:
    """The place of the `path` under ``custom`` by which the target ``name`` writes ``path``; None
    where it is no target of the project.
    """
    rows = [row for target in custom if target.name == name for row in target.files]
    fitting = [row for row in rows if _fits(row.path, path)]
    return next((row.span for row in (*fitting, *rows)), None)


def _fits(pattern: str, path: str) -> bool:
    parts = map(re.escape, _TAG.split(pattern))
    return re.fullmatch(".*".join(parts), path, re.DOTALL) is not None


def _target(item: Node, reader: SettingsReader, base: Base) -> Target | None:
    """One entry of ``custom``; None where a part of it is wrong."""
    section = reader.read(item, CUSTOM)
    for key in CUSTOM.shapes:
        if key not in section.written:
            reader.refuse(key, item, expected="there", actual="left out")
    name, template, path = map(section.text, CUSTOM.shapes)
    if name and (not _NAME.fullmatch(name.value) or name.value in _TAKEN):
        reader.refuse("name", section.entries["name"].value, expected=_NAMED)
    if template and not template.value.endswith(ENDING):
        expected = f"a file name in `{ENDING}`"
        reader.refuse("template", section.entries["template"].value, expected=expected)
    if reader.errors or not (name and template and path):
        return None
    problem = _path_problem(path.value)
    if problem is not None:
        reader.report(CUSTOM_PATH, path.span, name=name.value, problem=problem)
        return None
    file = relative_name(path.span.file, base.specs.parent)
    spans = [text.span._replace(file=file) for text in (path, template)]
    pattern = FilePattern(template.value, path.value, _scope(path.value), *spans)
    return Target(name.value, "a target of the project", _PAGE, files=(pattern,))


def _scope(path: str) -> TemplateScope:
    """What files of ``path`` are printed for: each tool or entity that it names, or the package."""
    words = {word for tag in _TAG.findall(path) for word in re.findall(r"\w+", tag)}
    if "tool" in words:
        return TemplateScope.TOOL
    return TemplateScope.ENTITY if "entity" in words else TemplateScope.PACKAGE


def _path_problem(path: str) -> str | None:
    """Why files cannot have paths like ``path``, whatever its expressions give."""
    written = _TAG.sub("x", path)
    if leaves_root(written):
        return f"cannot write to `{path}`: it leads out of the output folder"
    reason = not_portable(written)
    return f"cannot write to `{path}` on every system: {reason}" if reason else None


_TAKEN = frozenset({*target_names(), "losses"})
_NAMED = "small letters, digits and `_`, and not the name of a target of brimgen"
