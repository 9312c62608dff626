"""The prompts target: templates compiled to Python, so that rendering needs no Jinja.

It needs the Python target, whose classes it names.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.render import package_module
from brimgen.model.catalog import Catalog, TemplateBody, Tool
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]
_NEEDED = ("python", "prompts")


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report what compiled prompts do not support of Jinja (T480)."""
    tools = _prompts(catalog)
    if tools:
        from brimgen.emit.prompts.check import check_prompts

        check_prompts(tools, diagnostics)


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``<package>/prompts.py``, if there is a prompt."""
    tools = _prompts(catalog)
    if not tools:
        return ()
    from brimgen.emit.prompts.lower import lower

    view = lower(tools, catalog)
    return (package_module(catalog, "prompts/prompts.py.j2", view),)


def _prompts(catalog: Catalog) -> tuple[Tool, ...]:
    return tuple(
        tool
        for tool in catalog.tools
        if isinstance(tool.body, TemplateBody) and tool.is_for(*_NEEDED)
    )


EMITTER = Emitter(target_named("prompts"), emit, check)
