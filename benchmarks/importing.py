"""What importing generated code costs, beside the standard library and generators of models.

    python benchmarks/importing.py [--tools 300] [--rounds 9]

The package is made by the real generator from the specs of `specs`, the peers' modules by
datamodel-code-generator from the input schemas of the same tools. A figure is the CPU of a whole
process without that of an empty one, the median of several rounds in which all take turns; modules
are compiled before.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from figures import show, verdict
from run import Cost, cost, median
from specs import write_specs

import brimgen_runtime

NOTHING = "an empty process"
UNIT = "import dataclasses"
PACKAGE = "import of the package"
ONE = "one tool"
ALL = "all tools"
PEER = "datamodel-code-generator: dataclasses"
PYDANTIC = "datamodel-code-generator: pydantic"
PROMISES = {ALL: 1.2}
"""What we promise of an import, as a multiple of the peer's."""
FLAVOURS = {PEER: "dataclasses.dataclass", PYDANTIC: "pydantic_v2.BaseModel"}


def make(folder: Path, tools: int) -> dict[str, tuple[str, ...]]:
    """Generate everything below a folder; return the command of each contestant."""
    write_specs(folder / "specs", tools)
    (folder / "pyproject.toml").write_text('[tool.brimgen]\npackage = "made"\n')
    _run(folder, "brimgen", "generate")
    schemas = folder / "schemas"
    schemas.mkdir()
    for schema in (folder / "out").rglob("schemas/tools/*.input.json"):
        shutil.copy(schema, schemas / schema.name.replace(".input", ""))
    commands = {
        NOTHING: _python("pass"),
        UNIT: _python("import dataclasses"),
        PACKAGE: _python("import made"),
        ONE: _python("import made.tools.tool_0"),
        ALL: _python("import made; list(made.TOOLS.values())"),
    }
    names = sorted(path.stem for path in schemas.glob("*.json"))
    for number, (title, flavour) in enumerate(FLAVOURS.items()):
        peer = folder / "out/python" / f"peer{number}"
        _run(
            folder,
            *("datamodel_code_generator", "--input", str(schemas)),
            *("--output", str(peer), "--input-file-type", "jsonschema"),
            *("--output-model-type", flavour, "--formatters", "builtin"),
        )
        code = f"from importlib import import_module\nfor each in {names}:\n"
        code += f"    import_module(f'peer{number}.{{each}}')"
        commands[title] = _python(code, site=flavour.startswith("pydantic"))
    compileall.compile_dir(folder / "out/python", quiet=1)
    return commands


def _run(folder: Path, *command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def _python(code: str, *, site: bool = False) -> tuple[str, ...]:
    return (sys.executable, *(() if site else ("-S",)), "-c", code)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one row a contestant."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tools", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        commands = make(Path(folder), options.tools)
        os.chdir(Path(folder) / "out/python")
        os.environ["PYTHONPATH"] = str(Path(brimgen_runtime.__file__).parents[1])
        taken: dict[str, list[Cost]] = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                taken[name].append(cost(*command))
        os.chdir("/")
    report({name: median(each) for name, each in taken.items()}, options.tools)


def report(costs: dict[str, Cost], tools: int) -> None:
    """Each contestant as a multiple of the two that stay the same."""
    nothing = costs.pop(NOTHING)
    times = {name: each.cpu - nothing.cpu for name, each in costs.items()}
    rows = [
        [
            name,
            f"{time / times[UNIT]:.2f}",
            f"{time / times[PEER]:.2f}",
            verdict(time / times[PEER], PROMISES.get(name)),
            f"{(costs[name].memory - nothing.memory) / 1024:.1f}",
        ]
        for name, time in times.items()
    ]
    head = [f"CPU of an import, {tools} tools", f"of `{UNIT}`", f"of {PEER}"]
    show("importing", [*head, "promise", "MB"], rows)


if __name__ == "__main__":
    main()
