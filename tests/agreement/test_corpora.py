"""Tools of others, in every profile: all artifacts agree at the edges of their schemas."""

from __future__ import annotations

import pytest

from brimgen.agreement.report import Report
from brimgen.agreement.show import agreement
from brimgen.emit import EMITTERS
from brimgen.emit.losses import losses_of
from brimgen.model.catalog import DescriptorOptions, Project
from running.packages import errors, link, standard_spec, tool_name, without_errors
from running.test_agreement import Case, cases
from runtime.corpora import needs_corpora

PROFILES = (
    *("openai", "openai_azure", "openai_loose", "mcp"),
    *("anthropic", "anthropic_strict", "gemini", "gemini_openapi"),
)
TARGETS = ("python", "json_schema", "openai", "mcp", "anthropic", "gemini")
PARTS = {
    "bfcl": 150,
    "seal-tools": 150,
    "tau-bench": 4,
    "mcp": 60,
    "flexigpt": 2,
    "genai-toolbox": 12,
    "openapi": 40,
}
"""Of each corpus, `make test` takes one item of so many, `make fuzz` ten times as many."""


def shown(chosen: list[Case]) -> Report:
    """What the laws say of tools whose arguments are these schemas; refused ones are left out."""
    texts = [
        standard_spec(tool_name("x", number), None, each.schema)
        for number, each in enumerate(chosen)
    ]
    options = DescriptorOptions(profiles=PROFILES)
    linked, found = link(texts, Project(package="edges", descriptors=options))
    emitters = [each for each in EMITTERS if each.name in TARGETS]
    for emitter in emitters:
        emitter.check(linked, found)
    catalog, refused = without_errors(linked, found)
    assert len(refused) <= len(chosen) * 0.2, [each.message for each in errors(found)]
    files = {
        artifact.path: artifact.text
        for emitter in emitters
        for artifact in emitter.emit(catalog)
    }
    descriptors = [
        each
        for emitter in emitters
        if emitter.descriptors is not None
        for each in emitter.descriptors(catalog)
    ]
    return agreement(catalog, files, descriptors, losses_of(catalog, emitters) or ())


def judge(corpus: str, step: int) -> None:
    """Every artifact was asked, and no two differ."""
    report = shown(list(cases(corpus))[::step])
    told = [f"{x.tool.name}: {x.artifact} {x.says}" for x in report.differences]
    assert [] == told
    assert {*PROFILES} <= report.tallies.keys()
    assert report.instances > 10 * report.tools
    assert len(report.unshown) <= report.tools * 0.1


@needs_corpora
@pytest.mark.parametrize("corpus", PARTS)
def test_a_part_agrees(corpus: str) -> None:
    judge(corpus, PARTS[corpus])


@needs_corpora
@pytest.mark.fuzz
@pytest.mark.parametrize("corpus", PARTS)
def test_a_larger_part_agrees(corpus: str) -> None:
    judge(corpus, max(PARTS[corpus] // 10, 1))
