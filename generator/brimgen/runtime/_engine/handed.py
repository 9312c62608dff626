"""Check the types of what a host program passes to generated functions.

Type checkers report the same mistakes earlier; this is for programs that run without one.
"""

from __future__ import annotations


def check_call(call: object, kind: type[object]) -> None:
    """Raise TypeError for what is no call of the input class ``kind``."""
    if not isinstance(call, kind):
        raise _wrong(call, kind.__name__, "from_call makes one of what was sent")


def check_bound(bound: object, kind: str) -> None:
    """Raise TypeError for what is no object of the class called ``kind``, which ``bind`` returns.

    Of classes only the names are compared, so that a statement does not import its tool.
    """
    found = type(bound)
    if found.__name__ == kind or kind in [each.__name__ for each in found.__mro__]:
        return
    if kind.endswith("Input"):
        raise _wrong(bound, kind, "from_call makes one of what was sent")
    raise _wrong(bound, kind, "bind makes one of a call and its context")


def _wrong(value: object, kind: str, made: str) -> TypeError:
    got = "None" if value is None else type(value).__name__
    return TypeError(f"expected {kind}, got {got}: {kind}.{made}")
