"""The views that the templates of the Python target print.

Statements, docstrings and the order of members are text of the templates.
"""

from __future__ import annotations

from brimgen.emit.code import Code, skipped_assignment
from brimgen.emit.imports import Import, ImportGroup
from brimgen.emit.module_header import ModuleHeader
from brimgen.emit.python.attributes import PyAttribute
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True)
class PyRead:
    """How the fast path reads an attribute into a local name.

    ``default`` is the JSON that stands for it where it is not given; ``is_display`` says that this
    is a list or an object. On the ``float_condition``, a float is made of a number.
    """

    name: Code
    key: Code
    is_required: bool
    default: Code | None
    is_display: bool
    float_condition: Code | None = None


@dataclass(frozen=True, slots=True)
class PyValue:
    """An attribute of the object that the fast path makes."""

    name: Code
    value: Code

    @property
    def note(self) -> Code:
        """What stands behind the line that gives the attribute its value."""
        return skipped_assignment(f"decoded.{self.name}", self.value, 16)


@dataclass(frozen=True, slots=True, kw_only=True)
class PyFast:
    """The fast path of a class.

    ``length`` is how many properties an object has, where none is optional; else ``given`` counts
    those that were given. ``condition`` is that on which an object is made; None where each is.
    """

    length: Code | None
    read: tuple[PyRead, ...]
    given: Code | None
    condition: Code | None
    values: tuple[PyValue, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PyReader:
    """The function that reads one object on the fast path, and the one that reads a list.

    An object of endless depth has at most ``levels`` levels, and ``least_levels`` at least.
    """

    name: Code
    fast: PyFast
    levels: Code | None
    least_levels: Code | None
    list_name: Code | None


@dataclass(frozen=True, slots=True)
class PyDecoded:
    """The statements that give a local name the decoded value of an attribute.

    With a ``condition``, the name has its ``default`` unless the condition holds; without, it has
    the ``source`` first, and then the ``value`` that is made of that.
    """

    name: Code
    source: Code | None = None
    value: Code | None = None
    condition: Code | None = None
    default: Code | None = None
    annotation: Code | None = None


@dataclass(frozen=True, slots=True)
class PyDecodedExtra:
    """The statements that decode the further properties of an object.

    ``known`` is the constant with the names of the others, None where there are none.
    """

    name: Code
    value: Code
    known: Code | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PyDecoder:
    """``from_accepted``: what goes ahead of the constructor, and its arguments."""

    decoded: tuple[PyDecoded, ...]
    extra: PyDecodedExtra | None
    arguments: Code


@dataclass(frozen=True, slots=True)
class PyEncoded:
    """An entry that ``to_dict`` adds, with the condition on which it does."""

    key: Code
    value: Code
    condition: Code | None = None

    @property
    def note(self) -> Code:
        """What stands behind the line that adds the entry."""
        return skipped_assignment(f"encoded[{self.key}]", self.value, 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class PyEncoder:
    """``to_dict``: what it begins with, and what it adds to that.

    ``is_all`` says that it adds nothing.
    """

    first: Code
    is_all: bool
    nulls: Code | None = None
    encoded: tuple[PyEncoded, ...] = ()


@dataclass(frozen=True, slots=True)
class PyHidden:
    """A value that ``bind`` finds by a ``function`` of the runtime, with its ``arguments``.

    ``value`` is what is made of what the function returns, the binder's ``raw``.
    """

    name: Code
    function: Code
    arguments: Code
    value: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PyBinder:
    """``bind``: the class of the call, and where the values come from that it does not have.

    ``hosts`` are the parameters of the host program. Without ``arguments`` there are no hidden
    values, and the call is what the handler receives.
    """

    call: Code
    raw: Code = Code("raw")
    hidden: tuple[PyHidden, ...] = ()
    hosts: Code | None = None
    arguments: Code | None = None


@dataclass(frozen=True, slots=True)
class PyExtra:
    """The attribute with further properties, and the type of their values."""

    name: Code
    annotation: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PyClass:
    """A dataclass and its methods; those that are None it does not have.

    ``kind`` is what it stands for, ``owner`` the name of that in the specs. With a ``validator`` it
    has ``from_dict``, of which ``fast`` is the fast path; ``refuses_items`` says that this may
    refuse. ``reader`` is what reads its objects for others.
    """

    kind: str
    owner: str
    name: Code
    description: str | None
    fields: tuple[PyAttribute, ...]
    extra: PyExtra | None
    nulls: Code | None
    absent: Code | None
    validator: Code | None = None
    fast: PyFast | None = None
    refuses_items: bool = False
    reads_calls: bool = False
    decoder: PyDecoder | None = None
    binder: PyBinder | None = None
    encoder: PyEncoder
    reader: PyReader | None = None


@dataclass(frozen=True, slots=True)
class PyMember:
    """A member of an Enum class."""

    name: Code
    value: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PyEnum:
    """An Enum class in declared order, and the table that finds its members by their values."""

    owner: str
    name: Code
    base: Code
    description: str | None
    members: tuple[PyMember, ...]
    table: Code
    entries: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PyEntities:
    """The module of all entities and enums."""

    header: ModuleHeader
    imports: tuple[ImportGroup, ...]
    statements_before: tuple[Code, ...]
    functions: tuple[Code, ...]
    enums: tuple[PyEnum, ...]
    classes: tuple[PyClass, ...]
    statements_after: tuple[Code, ...]


@dataclass(frozen=True, slots=True)
class EntitySchema:
    """The constant of the schema of an entity."""

    name: Code
    schema: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class PySchemas:
    """The module of the schemas of entities."""

    header: ModuleHeader
    schemas: tuple[EntitySchema, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PyBoundSchema:
    """The schema of what a handler receives: the ``whole``, or what it adds to the input schema.

    ``hidden`` are properties; ``required`` is None where it stays as it is.
    """

    whole: Code | None = None
    hidden: tuple[Code, ...] = ()
    required: Code | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PyTool:
    """The module of one tool.

    ``bound_schema`` is None where nothing is hidden from the caller. ``closed_schema`` is what is
    enforced, with its name, where that is not the input schema.
    """

    header: ModuleHeader
    name: str
    imports: tuple[ImportGroup, ...]
    statements_before: tuple[Code, ...]
    functions: tuple[Code, ...]
    classes: tuple[PyClass, ...]
    input_class: Code
    bound_class: Code
    input_schema: Code
    bound_schema: PyBoundSchema | None
    output_schema: Code | None
    closed_schema: tuple[Code, Code] | None
    validator_arguments: Code
    statements_after: tuple[Code, ...]
    title: str | None
    description: str | None
    when_to_use: str | None
    version: str | None
    tags: Code | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PyPackage:
    """The package's ``__init__``: where each tool and each class is found on first use.

    ``runtime`` is the version of the runtime that it is made for. ``type_imports`` are what type
    checkers see. ``homes`` are the modules of all names; a name that is a module has itself.
    ``offered`` are the names of the runtime, with modules relative to it.
    """

    header: ModuleHeader
    runtime: Code
    type_imports: tuple[ImportGroup, ...]
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
class DescriptorsModule:
    """``descriptors/__init__.py``; with ``per_tool``, each tool has a file of its own.

    ``wanted`` are the arguments that choose among the tools. ``has_chat``: tools of the Responses
    API are rewritten for Chat Completions. ``has_objects``: there are files whose
    list is the only member of an object, and that are not made where it is empty.
    """

    header: ModuleHeader
    typing_names: Code
    bundle_type: Code | None
    functions: tuple[DescriptorFunction, ...]
    selection: Code
    has_chat: bool
    has_objects: bool
    per_tool: bool


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PyLeaves:
    """The module of all leaves of the project.

    ``parsers`` are the functions that read the values of each, by its name.
    """

    header: ModuleHeader
    modules: tuple[Code, ...]
    leaves: tuple[PyLeaf, ...]
    converters: tuple[Import, ...]
    parsers: Code
