"""Name the file that an artifact of a tool stands in."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.agreement.binding_laws import CALLS
from brimgen.agreement.bound_calls import HTTP, PROMPTS, SQL
from brimgen.agreement.decoder import PYTHON
from brimgen.agreement.tool_laws import ROUND, SCHEMA
from brimgen.emit.names import module_name
from brimgen.model.catalog import Tool


class FileNames:
    """The paths of the files of a package."""

    def __init__(self, package: str, files: Mapping[str, str]) -> None:
        self._package, self._files = f"python/{package}", files

    def of(self, artifact: str, tool: Tool) -> str:
        """The file of an artifact; the first list of a profile of descriptors."""
        module = f"{module_name(tool.name)}.py"
        paths = {
            **dict.fromkeys((PYTHON, ROUND, CALLS), f"{self._package}/tools/{module}"),
            SQL: f"{self._package}/sql/{module}",
            HTTP: f"{self._package}/http/{module}",
            PROMPTS: f"{self._package}/prompts.py",
            SCHEMA: f"json_schema/tools/{tool.name}.input.json",
        }
        path = paths.get(artifact) or self._list_of(artifact)
        return path if path in self._files else ""

    def _list_of(self, profile: str) -> str:
        folder = f"{profile.partition('_')[0]}/"
        starts = (folder, f"{self._package}/descriptors/{folder}")
        return next((path for path in self._files if path.startswith(starts)), "")
