"""Compare losses.json with what the targets account for, with the schemas and with the words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from brimgen.agreement.ledger_file import LEDGER, Ledger, parsed
from brimgen.agreement.report import Fault
from brimgen.agreement.same_schema import SchemaFile
from brimgen.agreement.schema_parts import at_pointer
from brimgen.agreement.stated_limits import BOUNDS
from brimgen.emit.account import Descriptor, Loss, Recovery
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.json import is_list, is_object


def ledger_faults(
    catalog: Catalog,
    descriptors: Iterable[Descriptor],
    losses: Sequence[Loss],
    ledger: Ledger,
) -> Iterator[Fault]:
    """Yield the rows that are missing, too many or wrong."""
    tools = {tool.name: tool for tool in catalog.tools}
    if ledger.text is not None:
        yield from _row_faults(tools, losses, ledger)
    words = {
        (descriptor.profile, descriptor.tool): " ".join(_strings(descriptor.json))
        for descriptor in descriptors
    }
    for loss in losses:
        if loss.part == "input" and loss.keyword in BOUNDS:
            text = words.get((loss.profile, loss.tool))
            yield from _bound_faults(tools[loss.tool], loss, text)


def _row_faults(
    tools: Mapping[str, Tool], losses: Sequence[Loss], ledger: Ledger
) -> Iterator[Fault]:
    if not is_list(parsed(ledger.text)):
        for tool in [*tools.values()][:1]:
            yield Fault(tool, LEDGER, LEDGER, "is no list of rows")
        return
    own = {_row(row) for row in ledger.rows}
    expected = {
        (
            *(loss.tool, loss.path, loss.keyword, _text(loss.value)),
            *(loss.profile, str(loss.recovered_by)),
        )
        for loss in losses
    }
    for row in sorted(own ^ expected, key=str):
        says = "has a row too many" if row in own else "lacks a row"
        tool = tools.get(row[0], next(iter(tools.values())))
        yield Fault(tool, LEDGER, LEDGER, f"{says}: {row[4]}, {row[2]} at {row[1]}")


_BRANCH = re.compile(r"/(anyOf|oneOf)/[0-9]+$")


def _followed(schema: Any, pointer: str) -> Any:
    return SchemaFile(schema).follow(at_pointer(schema, pointer))[0]


def _bound_faults(tool: Tool, loss: Loss, text: str | None) -> Iterator[Fault]:
    """A bound in a row is that of the spec, and stands in the text if the row says so."""
    pointer = loss.pointer
    part = _followed(tool.input_schema, pointer)
    while is_object(part) and loss.keyword not in part and _BRANCH.search(pointer):
        pointer = _BRANCH.sub("", pointer)  # what stands beside branches holds in each
        part = _followed(tool.input_schema, pointer)
    is_simple = is_object(part) and "allOf" not in part
    if is_simple and _text(part.get(loss.keyword)) != _text(loss.value):
        says = f"has {loss.keyword} {_text(loss.value)} at {loss.path}"
        wanted = _text(part.get(loss.keyword))
        yield Fault(tool, LEDGER, LEDGER, f"{says}, and the spec {wanted}")
    is_said = loss.recovered_by is Recovery.TEXT and text is not None
    if is_said and not re.search(
        rf"(?<!\d){re.escape(str(loss.value))}(?!\d)", text or ""
    ):
        says = f"does not say {loss.keyword} {loss.value} in words ({loss.path})"
        yield Fault(tool, loss.profile, "", says)


def _row(row: Mapping[str, Any]) -> tuple[Any, ...]:
    names = ("tool", "path", "keyword")
    return (
        *(row.get(name) for name in names),
        _text(row.get("value")),
        row.get("profile"),
        row.get("recovered_by"),
    )


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _strings(value: Any) -> Iterator[str]:
    """The descriptions in a descriptor."""
    if is_list(value):
        for member in value:
            yield from _strings(member)
    elif is_object(value):
        for key, member in value.items():
            if key == "description" and isinstance(member, str):
                yield member
            else:
                yield from _strings(member)
