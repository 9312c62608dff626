"""Render templates with frozen views; only `Code` may be printed."""

from __future__ import annotations

import json
import marshal
import re
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

import jinja2
from jinja2 import BytecodeCache, Environment, FunctionLoader, StrictUndefined, nodes
from jinja2.runtime import Context

from brimgen.build.cache import entry_path, private_folder, read_bytes, write_bytes
from brimgen.build.states import state
from brimgen.emit.artifact import Artifact
from brimgen.emit.code import Code, RawText, header, only_code, py
from brimgen.emit.indented import json_line
from brimgen.emit.python_text import docstring
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.json import Json
from brimgen_runtime.schema.json_values import escaped

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from jinja2.bccache import Bucket

MOST_TEMPLATES = 512
"""Compiled templates that are kept, of all versions of Python, Jinja and brimgen."""


@cache
def template_root() -> Traversable:
    """The folder of templates: inside an installed package, or beside ``generator/``."""
    this_file = Path(__file__).resolve()
    for folder in (
        this_file.parents[1] / "templates",
        this_file.parents[3] / "templates",
    ):
        if folder.is_dir():
            return folder
    # Inside an archive; imported only there, because it imports a lot.
    from importlib.resources import files

    return files("brimgen") / "templates"


def render(template: str, view: object) -> str:
    """The text that ``template`` (``python/tool.py.j2``) makes of ``view``, its only variable.

    Raises:
        RawText: where the template prints what no literal writer has written.
        AttributeError: where the view lacks what the template names.
        jinja2.TemplateError: for mistakes in the template. All are bugs, not spec errors.
    """
    own = _OWN.get()
    if own is not None and own.changes(template):
        return own.render(template, {"view": view})
    loaded = _environment().get_template(template)
    context = loaded.new_context({"view": view}, shared=True)
    return "".join(loaded.root_render_func(context))


@dataclass(frozen=True, slots=True)
class Headed:
    """The view of a file that says nothing of a catalog but its header."""

    header: Code


def package_module(
    catalog: Catalog, template: str, view: object = None, name: str = ""
) -> Artifact:
    """Return the module of the package that ``template`` (``store/store.py.j2``) prints.

    It is called like the template, or ``name``; without a ``view`` it is the same in all packages.
    """
    name = name or template.rpartition("/")[2].removesuffix(".j2")
    text = render(template, view or Headed(header()))
    return Artifact(f"python/{catalog.project.package}/{name}", text)


_LAST_COMMA = re.compile(r",\s*\}\s*\Z")


class NotJson(ValueError):
    """A template of a JSON object printed something else."""


def _finite(text: str) -> float:
    """Read a number. Raises ValueError for one that JSON has not, or Python."""
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"no number of JSON: {text}")
    return number


def render_object(template: str, view: object) -> dict[str, Json]:
    """Return the JSON object that ``template`` makes of ``view``.

    Members that are null are left out, and a comma may stand behind the last one, so that a
    template lists all members that there can be, each in a line.

    Raises:
        NotJson: where the template prints anything else.
        RawText, AttributeError, jinja2.TemplateError: as `render` does.
    """
    try:
        text = _LAST_COMMA.sub("}", render(template, view))
        members: Any = json.loads(text, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError) as problem:
        raise NotJson(f"it prints no JSON: {problem}") from problem
    if not isinstance(members, dict):
        raise NotJson("it prints no JSON object")
    printed = cast("dict[str, Json]", members)
    return {key: value for key, value in printed.items() if value is not None}


class OwnTemplates(Protocol):
    """The templates of a project; see `brimgen.emit.custom.templates`."""

    def changes(self, name: str, /) -> bool:
        """Whether the project has a part in what the template ``name`` prints."""
        ...

    def render(self, name: str, data: Mapping[str, object], /) -> str:
        """What the template ``name`` prints of ``data``."""
        ...


_OWN: ContextVar[OwnTemplates | None] = ContextVar("own_templates", default=None)


@contextmanager
def printing_with(own: OwnTemplates) -> Generator[None]:
    """Let `render` use the templates of a project."""
    before = _OWN.set(own)
    try:
        yield
    finally:
        _OWN.reset(before)


def code_lines(lines: Sequence[Code], indent: int = 0, apart: int = 0) -> Code:
    """The filter ``lines``: one after the other, ``apart`` empty lines between them.

    All but the first are indented.

    Raises:
        RawText: where one of them is not `Code`.
    """
    if not _CODE.issuperset(map(type, lines)):
        for line in lines:
            only_code(line)
    between = "\n" * (apart + 1)
    return Code(f"{between}{' ' * indent}".join(lines))


_CODE = frozenset({Code})


class BlockContext(Context):
    """A context that blocks inside of others share, unless they stand in a loop."""

    def derived(self, locals: dict[str, Any] | None = None) -> Context:
        """Return the context of a block that also sees ``locals``."""
        return super().derived(locals) if locals else self


class CodeEnvironment(Environment):
    """An environment in which macros, ``{% set %}`` blocks, calls and includes give `Code`.

    What a template names of a view is an attribute of it; one that is not there raises
    AttributeError.
    """

    getattr: Any = staticmethod(getattr)
    context_class = BlockContext

    def compile(self, source: Any, *place: Any, **options: Any) -> Any:
        """Compile a template.

        Raises:
            TemplateSyntaxError: for a filter of a block, whose result the guard does not see.
        """
        tree = self.parse(source, *place[:2]) if isinstance(source, str) else source
        for block in tree.find_all(nodes.FilterBlock):
            why = "a block has no filter"
            raise jinja2.TemplateSyntaxError(why, block.lineno, *place[:2])
        return cast(Any, super().compile(cast(Any, tree), *place, **options))

    @staticmethod
    def concat(parts: Iterable[str]) -> Code:
        """The parts of a text that a template made, as one."""
        return Code("".join(parts))


@cache
def _environment() -> CodeEnvironment:
    """The environment of all templates.

    What they are compiled to is code that runs: it is kept only where the cache folder is private.
    """
    code_environment = CodeEnvironment(
        loader=FunctionLoader(_source),
        finalize=only_code,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,
        bytecode_cache=_bytecode_cache(),
    )
    code_environment.filters.update(FILTERS)
    return code_environment


_COMPILERS = jinja2.__file__, __file__
"""The modules that say what a template is compiled to."""


class CompiledTemplates(BytecodeCache):
    """Compiled templates in the private cache folder; a damaged file counts as absent."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template the code that it was compiled to, if that is kept."""
        key = _key_of(bucket)
        data = read_bytes(entry_path(self._folder, key, "template"))
        if data is not None and data.startswith(key):
            bucket.code = marshal.loads(data[len(key) :])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what a template was compiled to."""
        key, code = _key_of(bucket), marshal.dumps(bucket.code)
        path = entry_path(self._folder, key, "template")
        write_bytes(path, key + code, most=MOST_TEMPLATES)


def _key_of(bucket: Bucket) -> bytes:
    """What the code of a template depends on: its text, Python, Jinja and the settings here."""
    made_by = sys.version, *map(state, _COMPILERS)
    return repr((bucket.key, bucket.checksum, *made_by)).encode() + b"\n"


def _bytecode_cache() -> CompiledTemplates | None:
    folder = private_folder(create=True)
    return None if folder is None else CompiledTemplates(folder)


@cache
def template_text(name: str) -> str | None:
    """The text of a template of brimgen; None where there is none of this name."""
    if name not in template_names():
        return None
    return (template_root() / name).read_text("utf-8")


@cache
def template_names() -> frozenset[str]:
    """The names of the templates of brimgen: ``python/module.py.j2``."""
    return frozenset(_names(template_root(), ""))


def _names(folder: Traversable, before: str) -> Iterator[str]:
    for path in folder.iterdir():
        if path.is_dir():
            yield from _names(path, f"{before}{path.name}/")
        elif path.name.endswith(".j2"):
            yield before + path.name


def _source(name: str) -> str | None:
    source = template_root() / name
    return source.read_text("utf-8") if source.is_file() else None


def _json(value: Json) -> Code:
    """The filter ``json``: a value as JSON on one line."""
    return (
        _json_string(value) if type(value) is str else Code(escaped(json_line(value)))
    )


@lru_cache(maxsize=4096)
def _json_string(text: str) -> Code:
    return Code(escaped(json_line(text)))


def _docstring(text: str, column: int = 0) -> Code:
    """The filter ``docstring``: a text as the first statement of a class, module or function, in
    a line at ``column``.
    """
    return docstring(text, indent=column)


_NAME = re.compile(r"[\w./-]+")


def _name(text: str) -> Code:
    """The filter ``name``: a name of a spec, for a docstring or a comment.

    Raises:
        RawText: for a text that is no name.
    """
    if not _NAME.fullmatch(text):
        raise RawText(f"no name: {text!r}")
    return Code(text)


FILTERS: dict[str, Callable[..., Code]] = {
    "name": _name,
    "py": py,
    "json": _json,
    "docstring": _docstring,
    "lines": code_lines,
}
