"""Plain options of `generate` in, what they say out: they need no command line.

Setting up click and all commands takes as long as building two dozen tools.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brimgen.diagnostics import Diagnostics
from brimgen.emit import LISTED
from brimgen.frozen import dataclass
from brimgen.regex import regex
from brimgen.settings.formats import COLOURS, FORMATS
from brimgen.settings.load import Flags, load_settings
from brimgen.settings.values import package_fault

if TYPE_CHECKING:
    from brimgen.stamp.answer import Question

_TEXTS = {"--package": "package", "--format": "format", "--color": "colour"}
_NUMBER = regex(r"[1-9][0-9]{0,5}", re.ASCII)
_PATHS = {"--specs": "specs", "--out": "out", "--config": "config"}


def plain(options: Sequence[str], asked: Question | None) -> int | None:
    """Do what `generate` does with plain options, and answer its exit code; None, with nothing
    done, for others, and where the command line has something to say of them.

    Raises `OSError` as `generated`.
    """
    read = options_of(options)
    if read is None or not _is_sound(read.flags):
        return None
    found = Diagnostics()
    settings = load_settings(read.flags, known_targets=tuple(LISTED), found=found)
    if found.has_errors:
        return None
    from brimgen.cli.generating import generated

    return generated(settings, asked, jobs=read.jobs)


@dataclass(frozen=True, slots=True)
class Plain:
    """What plain options say."""

    flags: Flags
    jobs: int | None


def options_of(options: Sequence[str]) -> Plain | None:
    """The plain options of `generate`, read as the command line reads them; None where there is
    any other.
    """
    flags: dict[str, Any] = {}
    jobs = None
    left = iter(options)
    for option in left:
        name, has_value, value = option.partition("=")
        if option == "--strict-loss":
            flags["strict_loss"] = True
            continue
        if name not in _TEXTS and name not in _PATHS and name != "--jobs":
            return None
        given = value if has_value else next(left, None)
        if given is None:
            return None
        if name in _TEXTS:
            flags[_TEXTS[name]] = given
        elif name in _PATHS:
            flags[_PATHS[name]] = Path(given)
        elif _NUMBER.fullmatch(given):
            jobs = int(given)
        else:
            return None
    return Plain(Flags(**flags), jobs)


def _is_sound(flags: Flags) -> bool:
    """Whether the command line would take the values as they are."""
    if flags.format is not None and flags.format not in FORMATS:
        return False
    if flags.colour not in COLOURS:
        return False
    if flags.package is not None and package_fault(flags.package) is not None:
        return False
    config = flags.config
    if config is not None and not (config.is_file() and os.access(config, os.R_OK)):
        return False
    return all(map(_may_be_folder, (flags.specs, flags.out)))


def _may_be_folder(path: Path | None) -> bool:
    if path is None or not path.exists():
        return True
    return path.is_dir() and os.access(path, os.R_OK)
