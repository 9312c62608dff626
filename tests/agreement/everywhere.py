"""Schemas in, what the laws say of them in every profile out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from brimgen.agreement.report import Report
from brimgen.agreement.verify import agreement
from brimgen.emit import EMITTERS
from brimgen.emit.losses import losses_of
from brimgen.emitting import emitted
from brimgen.model.project import DescriptorOptions, Project
from running.packages import errors, link, standard_spec, tool_name, without_errors

PROFILES = (
    *("openai", "openai_azure", "openai_loose", "mcp"),
    *("anthropic", "anthropic_strict", "gemini", "gemini_openapi"),
)
TARGETS = ("python", "json_schema", "openai", "mcp", "anthropic", "gemini")


def shown(schemas: Sequence[Any]) -> Report:
    """What the laws say of tools whose arguments are these schemas; refused ones are left out."""
    texts = [
        standard_spec(tool_name("x", number), None, each)
        for number, each in enumerate(schemas)
    ]
    options = DescriptorOptions(profiles=PROFILES)
    linked, found = link(texts, Project(package="edges", descriptors=options))
    emitters = [each for each in EMITTERS if each.name in TARGETS]
    for emitter in emitters:
        emitter.check(linked, found)
    catalog, refused = without_errors(linked, found)
    assert len(refused) <= len(schemas) * 0.2, [each.message for each in errors(found)]
    files = {artifact.path: artifact.text for _, artifact in emitted(catalog, emitters)}
    descriptors = [
        each
        for emitter in emitters
        if emitter.descriptors is not None
        for each in emitter.descriptors(catalog)
    ]
    return agreement(catalog, files, descriptors, losses_of(catalog, emitters) or ())
