"""Look handlers up in the source code of a project, without importing anything."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules import HANDLER_MISSING
from brimgen.model.catalog import Catalog, PythonBody, ResourceBody
from brimgen.model.project import SourceRoots

if TYPE_CHECKING:
    import ast


def check_handlers(
    catalog: Catalog, roots: SourceRoots, diagnostics: Diagnostics
) -> None:
    """Report the handlers of enabled tools whose module or function does not exist."""
    for tool in catalog.tools:
        body = tool.body
        if not isinstance(body, PythonBody | ResourceBody) or not tool.enabled:
            continue
        if body.handler is None:
            continue
        module, _, name = body.handler.partition(":")
        problem = _problem(module, name, roots)
        if problem is not None:
            reason, known = problem
            diagnostics.add(
                HANDLER_MISSING,
                body.handler_span or tool.span,
                suggestions=did_you_mean(name, known),
                tool=tool.name,
                handler=body.handler,
                reason=reason,
            )


def looked_up_files(catalog: Catalog, roots: SourceRoots) -> Iterator[str]:
    """Yield the files, there or not, that decide what `check_handlers` reports."""
    for tool in catalog.tools:
        if isinstance(tool.body, PythonBody | ResourceBody) and tool.body.handler:
            parts = tool.body.handler.partition(":")[0].split(".")
            for folder in roots.folders:
                for end in range(1, len(parts) + 1):
                    base = folder.joinpath(*parts[:end])
                    yield from (f"{base}.py", str(base / "__init__.py"))


def _problem(
    module: str, name: str, roots: SourceRoots
) -> tuple[str, Sequence[str]] | None:
    """Return what is wrong with a handler, and names that may be meant; None for nothing."""
    first, *rest = module.split(".")
    folders: Iterable[Path] = roots.folders
    path = _in_folders(first, folders)
    if path is None:
        if not roots.is_set:
            return None
        spec = _installed_spec(first)
        if spec is None:
            return f"there is no module {first} in its source roots", ()
        path = _source_file(spec)
    for number, part in enumerate(rest, 1):
        if path is None:
            return None  # it has no source code that could be read
        inner = path.parent if path.name == "__init__.py" else path
        path = _in_folders(part, [inner]) if inner.is_dir() else None
        if path is None:
            return f"there is no module {'.'.join([first, *rest[:number]])}", ()
    if path is None or path.is_dir():
        return None if path is None else (f"the package {module} is empty", ())
    return _missing_function(path, module, name)


def _in_folders(name: str, folders: Iterable[Path]) -> Path | None:
    """Return the file of a module, or the folder of a package without one."""
    for folder in folders:
        for path in (folder / name / "__init__.py", folder / f"{name}.py"):
            if path.is_file():
                return path
        if (folder / name).is_dir():
            return folder / name
    return None


def _installed_spec(name: str) -> ModuleSpec | None:
    """Return the spec of a module that is installed beside brimgen; none is imported."""
    try:
        return find_spec(name)
    except (ImportError, ValueError):
        loaded = sys.modules.get(name)
        return None if loaded is None else ModuleSpec(name, None)


def _source_file(spec: ModuleSpec) -> Path | None:
    """Return the source file of a module; None where it has none."""
    origin = Path(spec.origin) if spec.origin and spec.origin.endswith(".py") else None
    return origin if origin is not None and origin.is_file() else None


def _missing_function(
    file: Path, module: str, name: str
) -> tuple[str, Sequence[str]] | None:
    """Return what a module lacks; None where it may have the name."""
    import ast

    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None
    names = set(_bound_names(tree.body))
    if name in names or names & {"*", "__getattr__"}:
        return None
    return f"the module {module} has no {name}", sorted(names)


def _bound_names(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that the statements of a module may bind; ``*`` for unknown ones."""
    import ast

    for statement in body:
        match statement:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name.split(".")[0] for alias in names)
            case _:
                for inner in ast.walk(statement):
                    if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                        yield inner.id
                    elif isinstance(
                        inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
                    ):
                        yield inner.name
                    elif isinstance(inner, ast.Import | ast.ImportFrom):
                        yield from (alias.asname or alias.name for alias in inner.names)
