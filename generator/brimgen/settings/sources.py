"""Take the setting `sources`: the Python modules whose classes are specs."""

from __future__ import annotations

import os
from glob import escape
from pathlib import Path

from brimgen.diagnostics.rules import NO_MODULE
from brimgen.settings.setting_errors import similar_paths
from brimgen.settings.values import SettingReader, path_text
from brimgen.source.files import SUFFIX, module_files


def take_sources(reader: SettingReader, folder: Path) -> tuple[str, ...]:
    """The patterns of the setting, which begin in ``folder``; each must fit a module."""
    node = reader.value("sources")
    expected = f"a list of Python modules (`app/tools{SUFFIX}`, `app/*{SUFFIX}`)"
    texts = reader.take_list("sources", path_text, expected) or ()
    items = getattr(node, "items", ())
    patterns: list[str] = []
    for text, item in zip(texts, items, strict=False):
        pattern = os.path.join(escape(str(folder)), text)
        patterns.append(pattern)
        if not module_files([pattern]):
            reader.diagnostics.add(
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
