"""Decide whether output is coloured; nothing of ours is imported for it."""

from __future__ import annotations

import os
import sys


def has_colour(mode: str) -> bool:
    """Whether stderr gets colours, where ``--color`` says ``mode``.

    The option decides, then NO_COLOR and FORCE_COLOR (set and not empty), then whether stderr is a
    terminal. (https://no-color.org and https://force-color.org: options come first.)
    """
    if mode != "auto":
        return mode == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    if sys.stderr is None:  # the process was started without one
        return False
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
