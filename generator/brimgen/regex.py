"""Regex: `re.compile`, which compiles when it is first asked.

The rooms of a build have a hundred patterns and ask a sixth of them about plain specs; compiling
all of them was half a start of Python (`docs/performance.md`).
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_compile = re.compile
_ASKED = (
    *("findall", "finditer", "flags", "fullmatch", "groupindex", "groups", "match"),
    *("pattern", "search", "split", "sub", "subn"),
)


class _Later:
    """What stands for a pattern: its attributes are there once one of them was asked for."""

    __slots__ = ("_said", *_ASKED)

    def __init__(self, *said: Any) -> None:
        self._said = said

    def __getattr__(self, name: str) -> Any:
        made = _compile(*self._said)
        for each in _ASKED:
            setattr(self, each, getattr(made, each))
        return getattr(made, name)


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The pattern, which is not looked at before it is first asked for anything; so a mistake in it
    is an error then.
    """
    return cast("re.Pattern[AnyStr]", _Later(pattern, flags))
