"""T4xx: what the Python target cannot express."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error

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

RULES: tuple[Rule, ...] = (
    SAME_CLASS,
    SAME_MODULE,
)
"""All rules of the target."""
