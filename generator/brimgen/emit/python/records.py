"""Records: the nested objects of a tool, which of them are read at once, and who reads them."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code
from brimgen.emit.python.classes import is_fast
from brimgen.emit.python.methods import INPUT
from brimgen.emit.python.package import Module, Package, PyRecord, name_records
from brimgen.emit.python.scope import Scope
from brimgen.emit.python.validators import fast_option
from brimgen.frozen import replace
from brimgen.model.catalog import Tool


def is_record_fast(record: PyRecord, module: Module) -> bool:
    """Whether the class of a record gets a fast path, given those that its module has."""
    return is_fast(record.type.fields, record.full_schema, module)


def records_of(tool: Tool, package: Package, scope: Scope) -> tuple[PyRecord, ...]:
    """The records of a tool, each with what it is to know of itself."""
    records = tuple(name_records(tool, tool.enforced_schema, scope, package.records))
    while records:
        module = Module(package, Scope(".."), records, package.attributes)
        slow: list[PyRecord] = []
        calls: list[set[Code]] = []
        for record in records:
            module.called = set()
            if record.fast and not is_record_fast(record, module):
                slow.append(record)
            calls.append(module.called)
        if not slow:
            return _called(tool, module, calls)
        records = tuple(
            replace(record, fast=False) if record in slow else record
            for record in records
        )
    return records


def _called(
    tool: Tool, module: Module, calls: Sequence[set[Code]]
) -> tuple[PyRecord, ...]:
    """The records of a tool, which nobody else reads, with those of their readers that it calls.

    ``calls`` are the readers that each of the records calls, if it is read itself.
    """
    called = module.called = set()
    if not is_fast(tool.caller_fields, tool.enforced_schema, module, INPUT):
        called.clear()
    fast_option(tool.caller_fields, tool.enforced_schema, module)
    for each, own in zip(reversed(module.records), reversed(calls), strict=True):
        if each.reader in called:
            called |= own
    return tuple(
        replace(each, is_called=each.reader in called) for each in module.records
    )
