"""Compare the written files that describe tools with the specs, without calls.

Each is held to the spec, never to what an emitter of ours would write: see docs/verify.md for the
kinds of files. Files that are copies of the runtime say nothing of tools.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from brimgen.agreement.descriptor_file_laws import descriptor_file_faults
from brimgen.agreement.hint_laws import annotations_in, hint_faults, hints_in
from brimgen.agreement.ledger_file import LEDGER, Ledger, parsed
from brimgen.agreement.ledger_laws import ledger_faults
from brimgen.agreement.list_laws import list_file_faults
from brimgen.agreement.missing_files import missing_descriptors, missing_files
from brimgen.agreement.module_laws import module_faults
from brimgen.agreement.page_laws import page_faults
from brimgen.agreement.report import Fault, Report
from brimgen.agreement.schema_file_laws import schema_file_faults, typescript_tools
from brimgen.agreement.sql_laws import sql_faults
from brimgen.agreement.typescript_laws import TYPESCRIPT, typescript_faults
from brimgen.emit.account import Descriptor, Loss
from brimgen.model.catalog import Catalog
from brimgen.model.json import is_object


def check_files(
    catalog: Catalog,
    files: Mapping[str, str],
    descriptors: Sequence[Descriptor],
    losses: Sequence[Loss],
    report: Report,
    targets: Collection[str] = (),
) -> None:
    """Note down in ``report`` the faults of the files of the tools.

    ``targets`` are those whose files must all be there; `LEDGER` counts as one.
    """
    for fault in (
        *_missing(catalog, files, descriptors, losses, targets),
        *_faults(catalog, files, descriptors, losses),
    ):
        report.add_fault(fault)


def _missing(
    catalog: Catalog,
    files: Mapping[str, str],
    descriptors: Sequence[Descriptor],
    losses: Sequence[Loss],
    targets: Collection[str],
) -> Iterator[Fault]:
    yield from missing_files(catalog, files, targets)
    if targets:
        yield from missing_descriptors(catalog, files, descriptors)
    if LEDGER in targets and losses and LEDGER not in files:
        (tool,) = (tool for tool in catalog.tools if tool.name == losses[0].tool)
        yield Fault(tool, LEDGER, LEDGER, "is missing")


def _faults(
    catalog: Catalog,
    files: Mapping[str, str],
    descriptors: Sequence[Descriptor],
    losses: Sequence[Loss],
) -> Iterator[Fault]:
    ledger = Ledger(files.get("losses.json"), losses)
    yield from schema_file_faults(catalog, files)
    yield from sql_faults(catalog, files)
    yield from descriptor_file_faults(catalog, files, descriptors, ledger)
    yield from ledger_faults(catalog, descriptors, losses, ledger)
    yield from list_file_faults(catalog, files)
    yield from hint_faults(catalog, _hints(files))
    yield from module_faults(catalog, files)
    yield from page_faults(catalog, files)
    yield from typescript_faults(catalog, files)


def _hints(files: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The hints that files give, by path and tool."""
    hints: dict[str, dict[str, Any]] = {}
    for path, text in files.items():
        if path.endswith("mcp/tools.json"):
            value = parsed(text)
            entries = value.get("tools") if is_object(value) else None
            hints[path] = annotations_in(entries)
        elif path == TYPESCRIPT:
            hints[path] = hints_in(typescript_tools(text))
    return hints
