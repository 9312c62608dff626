"""Tools of others, in every profile: all artifacts agree at the edges of their schemas."""

from __future__ import annotations

import pytest

from agreement.everywhere import PROFILES, shown
from running.test_agreement import cases
from runtime.corpora import needs_corpora

PARTS = {
    "bfcl": 150,
    "seal-tools": 150,
    "tau-bench": 4,
    "mcp": 200,
    "flexigpt": 2,
    "genai-toolbox": 12,
    "openapi": 200,
    "json-schema-test-suite": 40,
}
"""Of each corpus, `make test` takes one item of so many, `make test-all` ten times as many."""


def judge(corpus: str, step: int) -> None:
    """Every artifact was asked, and no two differ."""
    report = shown([each.schema for each in list(cases(corpus))[::step]])
    told = [f"{x.tool.name}: {x.artifact} {x.says}" for x in report.differences]
    assert [] == told
    assert {*PROFILES} <= report.tallies.keys()
    assert report.instances > 10 * report.tools
    assert len(report.unshown + report.uncalled) <= report.tools * 0.1


@needs_corpora
@pytest.mark.parametrize("corpus", PARTS)
def test_artifacts_of_some_real_tools_agree(corpus: str) -> None:
    judge(corpus, PARTS[corpus])


@needs_corpora
@pytest.mark.whole
@pytest.mark.parametrize("corpus", PARTS)
def test_artifacts_of_many_real_tools_agree(corpus: str) -> None:
    judge(corpus, max(PARTS[corpus] // 10, 1))
