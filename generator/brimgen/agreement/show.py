"""A catalog, its generated files and its descriptors in; the report of all laws out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from brimgen.agreement.descriptors import Said, told_schema
from brimgen.agreement.laws import Agreement
from brimgen.agreement.oracle import Oracles
from brimgen.agreement.package import imported
from brimgen.agreement.report import Report
from brimgen.emit.account import Descriptor, Loss
from brimgen.model.catalog import Catalog


def agreement(
    catalog: Catalog,
    files: Mapping[str, str],
    descriptors: Sequence[Descriptor],
    losses: Sequence[Loss],
) -> Report:
    """Hold the artifacts of every tool against each other.

    ``files`` are the generated texts by path, those of the targets python and json_schema among
    them. What the generated code raises is a finding, never an error of this function.
    """
    report = Report()
    with imported(files.items(), catalog.project.package) as package:
        for tool in catalog.tools:
            published = files.get(f"json_schema/tools/{tool.name}.input.json")
            if tool.name not in package.TOOLS or published is None:
                continue
            oracles = Oracles()
            told = [
                Said(each.profile, schema, _of(losses, each), oracles.of(schema))
                for each in descriptors
                if each.tool == tool.name and (schema := told_schema(each)) is not None
            ]
            code = package.TOOLS[tool.name]
            Agreement(tool, code, json.loads(published), report).show(told)
    return report


def _of(losses: Sequence[Loss], descriptor: Descriptor) -> list[Loss]:
    asked = (descriptor.tool, descriptor.profile)
    return [each for each in losses if (each.tool, each.profile) == asked]
