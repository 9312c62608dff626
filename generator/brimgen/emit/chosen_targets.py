"""Find the targets that a project makes, whatever a single run is limited to."""

from __future__ import annotations

from brimgen.model.project import Project
from brimgen.model.targets import chosen_targets, target_named


def makes(project: Project, name: str) -> bool:
    """Return whether ``project`` chooses the target called ``name``."""
    profiles = project.descriptors.profiles
    target = target_named(name)
    return bool(chosen_targets((target,), project.targets, profiles, project.models))
