"""Check all laws for all tools of a catalog, and report the results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import TypeVar

from jsonschema.exceptions import SchemaError

from brimgen.agreement.decoder import PYTHON
from brimgen.agreement.descriptors import JudgedDescriptor, arguments_schema, name_of
from brimgen.agreement.import_package import imported
from brimgen.agreement.reference_validator import Oracles
from brimgen.agreement.report import Report
from brimgen.agreement.tool_laws import SCHEMA, ToolLaws
from brimgen.emit.account import Descriptor, Loss
from brimgen.emit.projection.json_values import plain_json
from brimgen.emit.schema_files import file_stem, schemas_root
from brimgen.model.catalog import Catalog, Tool


def agreement(
    catalog: Catalog,
    files: Mapping[str, str],
    descriptors: Sequence[Descriptor],
    losses: Sequence[Loss],
    *,
    through: Callable[[Sequence[Tool]], Iterable[Tool]] = iter,
) -> Report:
    """Hold the artifacts of every tool against each other.

    ``through`` yields the tools that it is given; it may show the progress.
    ``files`` are the generated texts by path, those of the targets python and json_schema among
    them. What the generated code raises is a finding, never an error of this function.
    """
    report = Report()
    with imported(files.items(), catalog.project.package) as package:
        judge = _Judge(catalog, files, descriptors, losses, package)
        for tool in through(catalog.tools):
            judge.check(tool, report)
    return report


class _Judge:
    """Asks the artifacts of one tool after the other."""

    def __init__(
        self,
        catalog: Catalog,
        files: Mapping[str, str],
        descriptors: Sequence[Descriptor],
        losses: Sequence[Loss],
        package: Callable[[], ModuleType],
    ) -> None:
        self._files, self._package = files, package
        self._root = schemas_root(catalog.project)
        self._descriptors = _grouped_by_tool(descriptors)
        self._losses = _grouped_by_tool(losses)

    def check(self, tool: Tool, report: Report) -> None:
        """Note in the report what is found about a tool, and how often each artifact was asked."""
        if f"{self._root}/{file_stem(tool)}.input.json" not in self._files:
            if tool.enabled and tool.is_for("json_schema"):
                report.differ(tool, SCHEMA, "has no file of the arguments", None)
            return
        try:
            code = self._package().TOOLS.get(tool.name)
        except Exception as error:
            says = f"cannot be imported ({type(error).__name__}: {error})"
            report.differ(tool, PYTHON, says, None)
            return
        if code is None:
            if tool.enabled and tool.is_for("python"):
                report.differ(tool, PYTHON, "is not in TOOLS of the package", None)
            return
        descriptors = self._descriptors.get(tool.name, ())
        losses = self._losses.get(tool.name, ())
        try:
            # The package reads the file, so calls show whether that says what the tool does.
            schema = plain_json(tool.input_schema)
            oracles = Oracles()
            laws = ToolLaws(tool, code, schema, report, oracles.of(schema))
            laws.check(_judged_descriptors(descriptors, losses, oracles))
        except (ValueError, SchemaError) as error:
            # Only a file that was edited can hold no JSON or no schema.
            says = f"cannot be read ({type(error).__name__}: {error})"
            report.differ(tool, SCHEMA, says, None)


def _judged_descriptors(
    descriptors: Iterable[Descriptor], losses: Sequence[Loss], oracles: Oracles
) -> list[JudgedDescriptor]:
    judged = list[JudgedDescriptor]()
    for descriptor in descriptors:
        schema = arguments_schema(descriptor)
        if schema is not None:
            own = [loss for loss in losses if loss.profile == descriptor.profile]
            oracle, name = oracles.of(schema), name_of(descriptor)
            judged.append(
                JudgedDescriptor(descriptor.profile, schema, own, oracle, name)
            )
    return judged


_Of = TypeVar("_Of", Descriptor, Loss)


def _grouped_by_tool(items: Iterable[_Of]) -> dict[str, list[_Of]]:
    groups: dict[str, list[_Of]] = {}
    for item in items:
        groups.setdefault(item.tool, []).append(item)
    return groups
