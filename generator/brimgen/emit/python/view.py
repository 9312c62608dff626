"""The views that the templates of the Python target print.

Statements, docstrings and the order of members are text of the templates.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.emit.code import Code
from brimgen.frozen import dataclass
from brimgen_runtime.calls.aliases import Aliases


@dataclass(frozen=True, slots=True, kw_only=True)
class PyField:
    """An attribute; ``options`` are the arguments of ``field``, None where there is none.
    ``note`` stands behind its line.

    ``is_hidden``: no caller sends it, it may be a secret.
    """

    name: Code
    annotation: Code
    options: Code | None
    documentation: Code | None
    is_hidden: bool
    note: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PyBinder:
    """``bind``: the class of the call, the parameters of the host program, and what it gives."""

    call: Code
    hosts: Code | None
    given: Code | None


@dataclass(frozen=True, slots=True)
class PyExtra:
    """The attribute with further properties, and the type of their values."""

    name: Code
    annotation: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PyClass:
    """A dataclass.

    ``kind`` is what it stands for, ``owner`` the name of that in the specs. ``source`` are the
    arguments that say by which schema its objects are read, ``binder`` is its ``bind``.
    """

    kind: str
    owner: str
    name: Code
    base: Code
    source: Code | None
    description: str | None
    fields: tuple[PyField, ...]
    extra: PyExtra | None
    nulls: Code | None
    absent: Code | None
    binder: PyBinder | None = None


@dataclass(frozen=True, slots=True)
class PyMember:
    """A member of an Enum class."""

    name: Code
    value: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PyEnum:
    """An Enum class in declared order."""

    owner: str
    name: Code
    base: Code
    description: str | None
    members: tuple[PyMember, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PyEntities:
    """The module of all entities and enums.

    ``schemas`` are its constants for files of schemas, with how the names of these begin.
    """

    header: Code
    imports: tuple[Code, ...]
    statements_before: tuple[Code, ...]
    enums: tuple[PyEnum, ...]
    classes: tuple[PyClass, ...]
    schemas: Mapping[Code, Code]


@dataclass(frozen=True, slots=True, kw_only=True)
class PyTool:
    """The module of one tool.

    ``schemas`` are the arguments that say which files its schemas are. ``has_bound``: arguments
    are hidden from the caller.
    """

    header: Code
    name: str
    imports: tuple[Code, ...]
    statements_before: tuple[Code, ...]
    classes: tuple[PyClass, ...]
    input_class: Code
    bound_class: Code
    has_bound: bool
    has_output: bool
    schemas: Code
    title: str | None
    description: str | None
    when_to_use: str | None
    version: str | None
    tags: Code | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PyPackage:
    """The package's ``__init__``: where each tool and each class is found on first use.

    ``runtime`` is the version of the runtime that it is made for. ``type_imports`` are what type
    checkers see. ``homes`` are the modules of names that are neither of a tool nor of entities.
    ``offered`` are the names of the runtime, with modules relative to it.
    """

    header: Code
    runtime: Code
    type_imports: tuple[Code, ...]
    tools: Code
    homes: Code
    offered: Code
    exported: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class DescriptorFunction:
    """The function that returns the descriptors of one provider.

    The file that it reads has the ``path``, in which a ``choice`` of forms and a profile may stand;
    the first of each is what a call means that says none. If only the file of the ``stored`` form
    is there, the others are made of that. ``folders`` are those of the profiles,
    where there are several. ``group`` is the key of the one object that holds all tools, if any.
    """

    name: Code
    provider: str
    folders: Code | None
    profile_type: Code
    profile: Code
    choice: Code | None
    form_type: Code
    form: Code
    stored: Code | None
    path: Code
    group: Code | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasesModule:
    """``aliases.py``: the aliases of the arguments of each tool."""

    header: Code
    aliases: Mapping[str, Aliases]


@dataclass(frozen=True, slots=True, kw_only=True)
class DescriptorsModule:
    """``descriptors/__init__.py``.

    ``wanted`` are the arguments that choose among the tools. ``has_chat``: tools of the Responses
    API are rewritten for Chat Completions. ``has_objects``: there are files whose
    list is the only member of an object, and that are not made where it is empty.
    """

    header: Code
    typing_names: Code
    bundle_type: Code | None
    functions: tuple[DescriptorFunction, ...]
    selection: Code
    has_chat: bool
    has_objects: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PyLeaf:
    """A leaf of the project: its type, and the functions that read and write its values.

    What a function needs imported stands in it; None for builtins.
    """

    spec_name: str
    name: Code
    type: Code
    type_module: Code | None
    plain: Code
    parse_name: Code
    parse: Code
    parse_module: Code | None
    dump_name: Code
    dump: Code
    dump_module: Code | None
    parser: Code
    is_builtin: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PyLeaves:
    """The module of all leaves of the project.

    ``parsers`` are the functions that read the values of each, by its name.
    """

    header: Code
    modules: tuple[Code, ...]
    leaves: tuple[PyLeaf, ...]
    converters: tuple[Code, ...]
    parsers: Code
