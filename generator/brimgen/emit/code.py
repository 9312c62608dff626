"""Code: text that is source of the target already; and the literal writers that make it."""

from __future__ import annotations


class Code(str):
    """Text that may be printed into a generated file as it is.

    Everything that comes from a spec is plain `str` until a literal writer of its target has
    turned it into `Code`; the template environment prints nothing else.
    """

    __slots__ = ()
