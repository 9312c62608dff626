"""T4xx: what the Python target cannot express."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error
from brimgen.diagnostics.rules.examples import tool

SAME_ATTRIBUTE = error(
    "T401",
    "same-attribute",
    "`{name}` and `{other}` are one attribute in Python: `{python}`",
    help="Names of arguments become Python identifiers; rename one of the two.",
    wrong=tool("arguments:\n  inline:\n    user-id: int\n    user_id: int\n"),
    right=tool("arguments:\n  inline:\n    user-id: int\n    owner_id: int\n"),
)
SAME_CLASS = error(
    "T402",
    "same-class",
    "`{name}` and `{other}` are one class in Python: `{python}`",
    help=(
        "An entity `order` becomes the class `Order`, a tool `order` the classes `OrderInput` "
        "and `OrderBound`; rename one of the two."
    ),
    wrong="type: entity\nname: order-line\nfields: {sku: string}\n---\n"
    "type: entity\nname: order_line\nfields: {sku: string}\n",
    right="type: entity\nname: order-line\nfields: {sku: string}\n---\n"
    "type: entity\nname: invoice_line\nfields: {sku: string}\n",
)
SAME_MODULE = error(
    "T403",
    "same-module",
    "`{name}` and `{other}` are one module in Python: `{python}`",
    help=(
        "A tool becomes a module of its name, with `_` for `-` and one more `_` behind a word of "
        "Python; rename one of the two."
    ),
    wrong="type: python_function\nname: import\n---\ntype: python_function\nname: import_\n",
    right="type: python_function\nname: import\n---\ntype: python_function\nname: import_all\n",
)
CLASS_AS_ATTRIBUTE = error(
    "T404",
    "class-as-attribute",
    "`{name}` is the name of a class, which an attribute of that name would hide",
    help="Give the argument another name than the entity or tool, `customer` for `Customer`.",
    wrong=tool("arguments:\n  inline:\n    Customer: Customer\n", "Customer"),
    right=tool("arguments:\n  inline:\n    customer: Customer\n", "Customer"),
)

RULES: tuple[Rule, ...] = (
    SAME_ATTRIBUTE,
    SAME_CLASS,
    SAME_MODULE,
    CLASS_AS_ATTRIBUTE,
)
"""All rules of the target."""
