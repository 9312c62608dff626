"""Look handlers up in the source code of a project, without importing anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules import HANDLER_MISSING
from brimgen.model.catalog import Catalog, PythonBody, ResourceBody

if TYPE_CHECKING:
    import ast


def check_handlers(
    catalog: Catalog, roots: Sequence[Path], diagnostics: Diagnostics
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


def looked_up_files(catalog: Catalog, roots: Sequence[Path]) -> Iterator[str]:
    """Yield the files, there or not, that decide what `check_handlers` reports."""
    for tool in catalog.tools:
        if isinstance(tool.body, PythonBody | ResourceBody) and tool.body.handler:
            parts = tool.body.handler.partition(":")[0].split(".")
            for folder in roots:
                for end in range(1, len(parts) + 1):
                    base = folder.joinpath(*parts[:end])
                    yield from (f"{base}.py", str(base / "__init__.py"))


def _problem(
    module: str, name: str, roots: Sequence[Path]
) -> tuple[str, Sequence[str]] | None:
    """Return what is wrong with a handler, and names that may be meant; None for nothing."""
    first, *rest = module.split(".")
    path = _in_folders(first, roots)
    if path is None:
        return None  # it may be installed elsewhere
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
