"""`verify` calls nothing a bug of brimgen that the specs may say."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROFILES = (
    "[openai, openai_azure, openai_loose, mcp, anthropic, anthropic_strict, gemini,"
    " gemini_openapi]"
)


@pytest.mark.whole
def test_nothing_is_found_in_sound_specs(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    shutil.copy(Path(__file__).parent / "specs/sound.yaml", tmp_path / "specs")
    (tmp_path / "brimgen.yaml").write_text(
        "targets: [python, json_schema, http, openai, mcp, anthropic, gemini, docs,"
        " typescript]\n"
        f"descriptors: {{ profiles: {PROFILES} }}\n",
        encoding="utf-8",
    )
    ran = subprocess.run(
        [sys.executable, "-m", "brimgen", "verify", "--format", "concise"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert 0 == ran.returncode, ran.stderr[-3000:]
    assert "12 tools, " in ran.stderr + ran.stdout
