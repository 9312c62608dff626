"""What a generated module of Python says of itself in the comments at its top."""

from __future__ import annotations

from brimgen.emit.code import Code, plain_path
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleHeader:
    """What the comments at the top of a module say of it.

    ``source`` is the only spec file that it comes from; ``exempt`` are the rules of pyright that
    it breaks.
    """

    source: Code | None = None
    is_mixed_case: bool = False
    exempt: tuple[Code, ...] = ()


def module_header(
    file: str | None = None, *, module: str = "", exempt: tuple[Code, ...] = ()
) -> ModuleHeader:
    """The header of a module that comes from one spec file, or from several.

    A file name that is not plain is left out, because a comment has no escapes. A ``module`` that
    is called as its tool is, in capitals as well, says that it is to be so.
    """
    return ModuleHeader(
        source=None if file is None else plain_path(file),
        is_mixed_case=module != module.lower(),
        exempt=exempt,
    )
