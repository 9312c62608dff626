"""Check the types of what a host program passes to the functions of statements and requests.

Type checkers report the same mistakes earlier; this is for programs that run without one.
"""

from __future__ import annotations

from .json_object import wrong_class


def check_bound(bound: object, kind: str) -> None:
    """Raise TypeError for what is no object of the class called ``kind``, which ``bind`` returns.

    Of classes only the names are compared, so that a statement does not import its tool.
    """
    bound_type = type(bound)
    if bound_type.__name__ == kind or kind in [
        base.__name__ for base in bound_type.__mro__
    ]:
        return
    if kind.endswith("Input"):
        raise wrong_class(bound, kind, "from_call makes one of what was sent")
    raise wrong_class(bound, kind, "bind makes one of a call and its context")
