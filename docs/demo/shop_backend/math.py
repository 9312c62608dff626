"""Arithmetic."""

from __future__ import annotations

import operator

from shop.handlers import ToolError
from shop.tools.calculator import CalculatorBound

_OPERATIONS = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
}


def calculate(call: CalculatorBound) -> float:
    """Compute; what cannot be computed is told to the model."""
    operation = _OPERATIONS.get(call.operation)
    if operation is None:
        raise ToolError(f"operation must be one of {', '.join(_OPERATIONS)}")
    if call.operation == "div" and call.b == 0:
        raise ToolError("b must not be 0")
    result: float = operation(call.a, call.b)
    return result
