"""The target typescript: what a type, a name, a comment and the list of tools look like."""

from __future__ import annotations

import json
import re
from pathlib import Path

from brimgen.model.scalars import SCALARS
from support.project import build

ORDER = """\
type: entity
name: order
description: "Ends */ a comment."
fields:
  id: int
  note: { type: string, required: false, default: "x", description: What was said. }
  parent: { type: order, required: false }
---
type: entity
name: Colour
enum: [red, 'gr"een']
"""
TOOL = """\
type: python_function
name: find_orders
description: Finds orders.
arguments:
  inline:
    order: order
    colours: 'Colour[]'
    limit: { type: int, minimum: 1, default: null }
    total: decimal
    exact: { type: decimal, wire: string }
    sums: { type: 'decimal[]', required: false }
    big: uint64
    bigs: 'uint64[]?'
    maybe: { type: 'decimal?', wire: string }
    day: date
    any_of: primitive
    free: object
    list: array
    word: { type: string, enum: [mon, 'tu"e'], deprecated: true, required: false }
    box: { type: object, fields: { width: { type: float, description: In metres. } } }
    "odd-name": bool
    who: { type: string, from_context: app.user.id }
returns: 'order[]'
"""
ARGUMENTS = """\
{
  order: Order;
  colours: Array<Colour>;
  /** @default null */
  limit?: number | null;
  total: number;
  exact: string;
  sums?: Array<number>;
  big: number;
  bigs?: Array<number> | null;
  maybe?: string | null;
  day: string;
  any_of: string | number | boolean;
  free: { [key: string]: unknown };
  list: unknown[];
  /** @deprecated */
  word?: "mon" | "tu\\"e";
  box: {
    /** In metres. */
    width: number;
  };
  "odd-name": boolean;
};
"""


def made(folder: Path, *specs: str) -> str:
    files = {f"{number}.yaml": text for number, text in enumerate(specs)}
    built = build(folder, files, targets=("typescript",))
    assert not built.diagnostics.has_errors, [*built.diagnostics]
    return built.files["typescript/tools.ts"]


def test_each_type_has_its_type(tmp_path: Path) -> None:
    text = made(tmp_path, ORDER, TOOL)
    assert f"/** Finds orders. */\nexport type FindOrdersInput = {ARGUMENTS}" in text
    assert "\nexport type FindOrdersOutput = Array<Order>;\n" in text
    assert '\nexport type Colour = "red" | "gr\\"een";\n' in text
    entity = """\
/** Ends *\\/ a comment. */
export type Order = {
  id: number;
  /**
   * What was said.
   * @default "x"
   */
  note?: string;
  parent?: Order;
};
"""
    assert entity in text
    assert "find_orders: { input: FindOrdersInput; output: FindOrdersOutput };" in text
    assert "user" not in text  # what is hidden from callers is hidden here


def test_a_value_has_the_type_that_its_server_reads(tmp_path: Path) -> None:
    words = [row.value for row in SCALARS if not SCALARS[row].is_path_rest]
    arguments = "".join(f"    a_{word}: {word}\n" for word in words)
    tool = f"type: python_function\nname: take\narguments:\n  inline:\n{arguments}"
    built = build(tmp_path, {"take.yaml": tool}, targets=("typescript", "json_schema"))
    schema = built.schema("take.input")
    told = {
        "integer": "number",
        "object": "{ [key: string]: unknown }",
        "array": "unknown[]",
    }
    for name, part in schema["properties"].items():
        kinds = [part["type"]] if isinstance(part["type"], str) else part["type"]
        expected = " | ".join(told.get(kind, kind) for kind in kinds)
        assert f"  {name}: {expected};\n" in built.files["typescript/tools.ts"]


def test_an_output_is_unwrapped_only_where_mcp_wraps_it(tmp_path: Path) -> None:
    """The schema of a recursive entity is a reference, without a type."""
    results = {"one": "order", "many": "'order[]'", "maybe": "order?", "text": "string"}
    tools = [
        f"type: python_function\nname: {name}\nreturns: {result}\n"
        for name, result in results.items()
    ]
    files = {f"{number}.yaml": text for number, text in enumerate([ORDER, *tools])}
    built = build(tmp_path, files, targets=("typescript", "mcp"))
    assert not built.diagnostics.has_errors, [*built.diagnostics]
    text = built.files["typescript/tools.ts"]
    found = re.findall(
        r'^    name: "(\w+)",.*?^    isWrapped: (\w+),', text, re.M | re.S
    )
    told = json.loads(built.files["mcp/tools.json"])["tools"]
    declared = {
        each["name"]: str("result" in each["outputSchema"]["properties"]).lower()
        for each in told
    }
    assert declared == dict(found)
    assert {"one": "false", "many": "true", "maybe": "true", "text": "true"} == declared


def test_names_that_clash_differ(tmp_path: Path) -> None:
    clashing = ("find_orders", "findOrders", "promise", "find_orders_input_2")
    tools = [f"type: python_function\nname: {name}\n" for name in clashing]
    entities = [
        f"type: entity\nname: {name}\nfields: {{ a: int }}\n"
        for name in ("Promise", "FindOrdersInput", "ToolInfo", "Record", "Array")
    ]
    text = made(tmp_path, *tools, *entities)
    names = re.findall(r"^export (?:type|interface|class) (\w+)", text, re.MULTILINE)
    assert len(names) == len({each.casefold() for each in names})
    assert {"Array", "Promise", "Error"}.isdisjoint(names)


def test_what_a_spec_says_cannot_become_code(tmp_path: Path) -> None:
    hostile = """\
type: python_function
name: probe
description: "a */ process.exit() /* ${process.env} ` \\\\ \\" '"
arguments:
  inline:
    "__proto__": { type: string, description: "*/ evil()" }
    "x\\"; evil(); \\"": { type: string, enum: ["</script>", "${x}", "\\\\"] }
returns: { type: string, description: "*/ evil()" }
"""
    text = made(tmp_path, hostile)
    without = re.sub(r"/\*\*.*?\*/", "", text, flags=re.DOTALL)
    without = re.sub(r'"(?:[^"\\]|\\.)*"', '""', without)
    assert "evil" not in without
    assert "process" not in without
    assert "</script>" not in text
    assert '["__proto__"]: {' in text  # else the schema would lose the property
