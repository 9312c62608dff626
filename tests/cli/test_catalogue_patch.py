"""`diff` shows what changes on the catalogue page once."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def test_a_patch_leaves_out_the_data_of_the_catalogue(project: Path, run: Any) -> None:
    spec = project / "specs/a.yaml"
    spec.parent.mkdir(exist_ok=True)
    text = "type: python_function\nname: a\ndescription: Count.\nreturns: int\n"
    spec.write_text(text)
    (project / "brimgen.yaml").write_text("targets: [default, catalogue]\n")
    assert 0 == run("generate").code
    spec.write_text(text.replace("Count.", "Count all of them."))
    patch = run("diff").out
    assert '+<span class="line">Count all of them.</span>' in patch
    assert 'id="catalog">{' not in patch
    assert 1 == sum(
        "catalogue" in line and "+++" in line for line in patch.splitlines()
    )
