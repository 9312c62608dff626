"""Completion of ``python -m <package>`` in a shell: commands, tools, flags and choices."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.checkers import RUNTIME
from support.project import sound

SPEC = """\
type: python_function
name: order
description: Order something.
arguments:
  inline:
    kinds: {type: "string[]", required: false, enum: [tea, cup]}
    kind: {type: string, enum: [tea, cup], default: tea}
    gift: {type: bool, default: false}
---
type: python_function
name: pick
description: Pick.
---
type: template_function
name: ask
description: Ask.
arguments: {inline: {topic: string}}
messages: [{role: user, content: "Tell me about {{ topic }}"}]
"""


@pytest.mark.whole
def test_a_shell_completes_commands_tools_flags_and_choices(tmp_path: Path) -> None:
    built = sound(tmp_path, SPEC)

    def completed(*words: str) -> list[str]:
        script = "\n".join(
            (
                "python() { " + f'"{sys.executable}"' + ' "$@"; }',
                f'eval "$(python -m {built.package} completion bash)"',
                f"COMP_WORDS=({' '.join(['shop', *words[:-1]])} '{words[-1]}')",
                f"COMP_CWORD={len(words)}",
                f"_{built.package}",
                'printf "%s\\n" "${COMPREPLY[@]}"',
            )
        )
        done = subprocess.run(
            ["bash", "-c", script],
            env={"PYTHONPATH": f"{built.out / 'python'}:{RUNTIME}", "PATH": "/bin"},
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert (0, "") == (done.returncode, done.stderr)
        return done.stdout.split()

    assert ["call", "completion", "connect"] == completed("c")
    assert ["ask", "order", "pick"] == completed("call", "")
    assert ["--gift"] == completed("call", "order", "--gi")
    assert ["--kind", "--kinds"] == completed("call", "order", "--ki")
    assert ["cup", "tea"] == completed("call", "order", "--kind", "")
    assert ["tea"] == completed("call", "order", "--kinds", "cup", "t")
    assert ["bash", "fish", "zsh"] == completed("completion", "")
