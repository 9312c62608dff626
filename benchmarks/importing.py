"""What importing generated code costs, beside the standard library and generators of models.

    python benchmarks/importing.py [--tools 100] [--rounds 15]

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
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from run import cost
from specs import write_specs

NOTHING = "an empty process"
UNIT = "import dataclasses"
PACKAGE = "import of the package"
ONE = "one tool"
ALL = "all tools"
PEER = "datamodel-code-generator: dataclasses"
PYDANTIC = "datamodel-code-generator: pydantic"
PROMISES = {ONE: (3, UNIT), ALL: (1.5, PEER)}
"""What we promise of an import: how many times which other one."""
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
    parser.add_argument("--tools", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        commands = make(Path(folder), options.tools)
        os.chdir(Path(folder) / "out/python")
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                taken[name].append(cost(*command).cpu)
        os.chdir("/")
    medians = {name: statistics.median(each) for name, each in taken.items()}
    report({name: each - medians[NOTHING] for name, each in medians.items()}, options)


def report(times: dict[str, float], options: argparse.Namespace) -> None:
    """Each contestant as a multiple of the two that stay the same."""
    print(
        f"\n| CPU of an import, {options.tools} tools | x `{UNIT}` | x {PEER} | promise |"
    )
    print("|---|---:|---:|---|")
    for name, time in times.items():
        if name != NOTHING:
            cells = f"{time / times[UNIT]:.2f} | {time / times[PEER]:.2f}"
            print(f"| {name} | {cells} | {_verdict(name, times)} |")


def _verdict(name: str, times: dict[str, float]) -> str:
    """What was promised of a contestant, and whether its figure keeps it."""
    if name not in PROMISES:
        return ""
    most, base = PROMISES[name]
    kept = round(times[name] / times[base], 2) <= most
    return f"{most} x {base}: {'met' if kept else 'NOT met'}"


if __name__ == "__main__":
    main()
