"""OpenAPI documents as services publish them: what is imported of each builds."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PLACE = os.environ.get("BRIMGEN_CORPORA", "")
pytestmark = pytest.mark.skipif(not PLACE, reason="BRIMGEN_CORPORA is not set")


def benchmark() -> Any:
    """The module of the benchmark, which imports and generates one document."""
    spec = importlib.util.spec_from_file_location(
        "benchmark_of_documents", ROOT / "benchmarks" / "documents.py"
    )
    assert spec is not None and spec.loader is not None
    sys.path.append(str(ROOT / "benchmarks"))
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _measured(folder: Path, step: int) -> list[Any]:
    """What became of every ``step``-th document."""
    documents = benchmark()
    rows: list[Any] = []
    corpus = [*documents.documents(Path(PLACE) / "documents", "")]
    for name, text in corpus[::step]:
        place = folder / name
        place.mkdir()
        rows.append(documents.measure(name, text, place, 300))
    return rows


def _judge(rows: list[Any], share: float) -> None:
    assert [row.name for row in rows if not row.built] == []
    assert [row.name for row in rows if "TRACEBACK" in str(row.reasons)] == []
    tools, operations = (
        sum(getattr(row, key) for row in rows) for key in ("tools", "operations")
    )
    assert tools >= share * operations


@pytest.mark.whole
def test_documents_of_services_build(tmp_path: Path) -> None:
    _judge(_measured(tmp_path, 9), 0.97)


@pytest.mark.fuzz
def test_all_documents_of_services_build(tmp_path: Path) -> None:
    _judge(_measured(tmp_path, 1), 0.98)
