"""The profiles of all targets, from the folders of these."""

from __future__ import annotations

from importlib import import_module

from brimgen.emit.projection.profiles import Profile
from brimgen.model.targets import TARGETS

PROFILES: tuple[Profile, ...] = tuple(
    profile
    for row in TARGETS
    if row.profiles
    for profile in import_module(f"brimgen.emit.{row.name}").PROFILES
)
