"""Turn findings into violations with pointers and sentences, when somebody reads them."""

from __future__ import annotations

from .errors import MISSING, REDACTED, Finding, Path, Violation
from .words import show

_LONGEST_NAME = 200
_LONGEST_POINTER = 1000
"""Pointers are cut after so many characters: callers choose names, and how deep they stand."""


def steps(path: Path) -> list[str | int]:
    """Return the steps from the root to a value."""
    found: list[str | int] = []
    while path is not None:
        path, step = path
        found.append(step)
    found.reverse()
    return found


def pointer(path: Path) -> str:
    """Return the JSON Pointer (RFC 6901) of a value; a very long one is cut."""
    named = [
        step_of(step)[:_LONGEST_POINTER].replace("~", "~0").replace("/", "~1")
        for step in steps(path)
    ]
    whole = "/" + "/".join(named) if named else ""
    if len(whole) <= _LONGEST_POINTER:
        return whole
    return whole[: _LONGEST_POINTER - 1] + "…"


def step_of(name: object) -> str:
    """Return a name or an index as text; of what is neither only its type is told."""
    if isinstance(name, str):
        return str.__str__(name)
    return f"{name}" if type(name) is int else f"a Python {type(name).__name__}"


def violation(finding: Finding) -> Violation:
    """Return a finding as a violation."""
    path, rule, expected, value, _ = finding
    where = pointer(path)
    name = _shown(where[1:]) or "input"
    if value is MISSING:
        message = f"{name}: missing, expected {expected}"
    elif rule == "unknown":
        message = f"{name}: unknown {'argument' if _at_top(path) else 'property'}"
        message += f", expected {expected}"
    elif rule in ("json", "depth", "changed"):
        message = f"{name}: {expected}"
    elif value is REDACTED:
        message = f"{name}: expected {expected}, got something else"
    else:
        message = f"{name}: expected {expected}, got {_shown_value(value)}"
    return Violation(where, rule, expected, value, message)


def _shown_value(value: object) -> str:
    """Return a value as JSON, or its type where code of its own fails."""
    try:
        return show(value)
    except Exception:  # noqa: BLE001
        return f"a Python {type(value).__name__}"


def _shown(name: str) -> str:
    """Return a name on one line and of bearable length: callers choose names, too."""
    if len(name) <= _LONGEST_NAME and name.isprintable():
        return name
    return show(name, _LONGEST_NAME).strip('"').replace('"…', "…")


def _at_top(path: Path) -> bool:
    return path is not None and path[0] is None
