"""Records: the nested objects of a tool, which of them are read at once, and who reads them."""

from __future__ import annotations

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
        checked = tuple(
            replace(each, fast=each.fast and is_record_fast(each, module))
            for each in records
        )
        if checked == records:
            return _called(tool, package, records)
        records = checked
    return records


def _called(
    tool: Tool, package: Package, records: tuple[PyRecord, ...]
) -> tuple[PyRecord, ...]:
    """The records of a tool, which nobody else reads, with those of their readers that it calls."""
    module = Module(package, Scope(".."), records, package.attributes)
    if not is_fast(tool.caller_fields, tool.enforced_schema, module, INPUT):
        module.called.clear()
    fast_option(tool.caller_fields, tool.enforced_schema, module)
    for each in reversed(records):
        if module.called & {each.readers.one, each.readers.many}:
            is_record_fast(each, module)
    return tuple(replace(each, called=frozenset(module.called)) for each in records)
