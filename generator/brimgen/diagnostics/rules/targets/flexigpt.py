"""T472: what a tool store of FlexiGPT cannot run."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, warning

_TOOL = (
    "type: bundle\nname: files\n---\ntype: {type}\nname: read-file\n"
    "description: Read a file.\nbundle: files\n"
)

NOT_IN_STORE = warning(
    "T472",
    "not-in-store",
    "target flexigpt: `{tool}` is left out: {reason}",
    "A store of FlexiGPT has `go` documents with `goImpl`, and http_functions whose arguments "
    "all come from the caller. Leave the target out with the tool's `targets` otherwise.",
    wrong=_TOOL.replace("{type}", "python_function"),
    right=_TOOL.replace("{type}", "go") + "goImpl: {func: example.org/tools.Read}",
)

RULES: tuple[Rule, ...] = (NOT_IN_STORE,)
