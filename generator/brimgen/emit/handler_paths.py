"""Look handlers up in the source code of a project, without importing anything."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules import HANDLER_MISSING, RESULT_DROPPED
from brimgen.model.catalog import Catalog, PythonBody, ResourceBody, Tool


def check_handlers(
    catalog: Catalog, roots: Sequence[Path], diagnostics: Diagnostics
) -> None:
    """Report the handlers of enabled tools whose module or function does not exist, and functions
    without a type whose value no caller gets, since their tool has no ``returns``.
    """
    for tool in catalog.tools:
        body = tool.body
        if not isinstance(body, PythonBody | ResourceBody) or not tool.enabled:
            continue
        if body.handler is None:
            continue
        module, _, name = body.handler.partition(":")
        found, known = _module(module, roots), set[str]()
        if isinstance(found, ast.Module):
            tree, found = found, None
            known = set(_bound_names(tree.body))
            if name not in known and not known & {"*", "__getattr__"}:
                found = f"the module {module} has no {name}"
            elif _is_void(tool) and _gives_untyped(tree, name):
                diagnostics.add(
                    RESULT_DROPPED,
                    body.handler_span or tool.span,
                    tool=tool.name,
                    handler=body.handler,
                )
        if found is not None:
            diagnostics.add(
                HANDLER_MISSING,
                body.handler_span or tool.span,
                suggestions=did_you_mean(name, sorted(known)),
                tool=tool.name,
                handler=body.handler,
                reason=found,
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


def _module(module: str, roots: Sequence[Path]) -> ast.Module | str | None:
    """Return the code of a module, or why there is none; None where it cannot be read."""
    first, *rest = module.split(".")
    path = _in_folders(first, roots)
    if path is None:
        return None  # it may be installed elsewhere
    for number, part in enumerate(rest, 1):
        inner = path.parent if path.name == "__init__.py" else path
        path = _in_folders(part, [inner]) if inner.is_dir() else None
        if path is None:
            return f"there is no module {'.'.join([first, *rest[:number]])}"
    if path.is_dir():
        return f"the package {module} is empty"
    try:
        return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None


def _in_folders(name: str, folders: Iterable[Path]) -> Path | None:
    """Return the file of a module, or the folder of a package without one."""
    for folder in folders:
        for path in (folder / name / "__init__.py", folder / f"{name}.py"):
            if path.is_file():
                return path
        if (folder / name).is_dir():
            return folder / name
    return None


def _is_void(tool: Tool) -> bool:
    return isinstance(tool.body, PythonBody) and tool.returns is None


def _gives_untyped(tree: ast.Module, name: str) -> bool:
    """Return whether a function of a module returns values, and nothing says their type."""
    for each in tree.body:
        if isinstance(each, _FUNCTIONS) and each.name == name:
            declared = "Any" if each.returns is None else ast.unparse(each.returns)
            is_untyped = declared.rpartition(".")[2].strip("'\"") == "Any"
            return is_untyped and any(map(_is_value, _own_nodes(each)))
    return False


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands in a function, and not what stands in functions and classes in it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)):
            yield node
            yield from _own_nodes(node)


def _is_value(node: ast.AST) -> bool:
    """Return whether a node returns anything but None."""
    if not isinstance(node, ast.Return) or node.value is None:
        return False
    return not (isinstance(node.value, ast.Constant) and node.value.value is None)


def _bound_names(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that the statements of a module may bind; ``*`` for unknown ones."""
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
