"""Take the setting `sources`: the Python modules whose classes are specs."""

from __future__ import annotations

import os
from glob import escape
from pathlib import Path

from brimgen.diagnostics.rules import NO_MODULE
from brimgen.settings.setting_errors import similar_paths
from brimgen.settings.values import SettingsReader
from brimgen.source.files import SUFFIX, module_files
from brimgen.source.nodes import ListNode, Node, ScalarNode


def take_sources(
    reader: SettingsReader, node: Node | None, folder: Path
) -> tuple[str, ...]:
    """The patterns in ``node``, which begin in ``folder``; each must fit a module."""
    items = node.items if isinstance(node, ListNode) else ()
    patterns: list[str] = []
    for item in items:
        text = item.text if isinstance(item, ScalarNode) else ""
        patterns.append(os.path.join(escape(str(folder)), text))
        if not module_files(patterns[-1:]):
            reader.report(
                NO_MODULE,
                item.span,
                suggestions=_intended_patterns(folder, text),
                pattern=text,
                reason=_reason(folder / text),
            )
    return tuple(patterns)


def _reason(path: Path) -> str:
    if path.is_dir():
        return "it is a folder"
    if path.is_file():
        return f"its name does not end in `{SUFFIX}`"
    return "there is no such file"


def _intended_patterns(folder: Path, text: str) -> tuple[str, ...]:
    """Suggest the modules of a folder, or modules of nearly the name in ``text``."""
    path = folder / text
    if path.is_dir():
        return ((Path(text) / f"*{SUFFIX}").as_posix(),)
    return similar_paths(path, Path(text), lambda module: module.name.endswith(SUFFIX))
