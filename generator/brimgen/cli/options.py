"""Options that several commands share, and the Settings made from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brimgen.settings.formats import COLOURS, FORMATS

if TYPE_CHECKING:
    from brimgen.settings.load import Settings


def _package(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    from brimgen.settings.values import package_fault

    fault = None if value is None else package_fault(value)
    if value is not None and fault is not None:
        tidy = re.sub(r"[^A-Za-z0-9_]+", "_", value).strip("_")
        near = f" Did you mean {tidy!r}?" if package_fault(tidy) is None else ""
        raise click.BadParameter(f"{value!r} {fault}.{near}")
    return value


def _once(
    _: click.Context, __: click.Parameter, value: tuple[str, ...]
) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value))


def _check_targets(settings: Settings) -> None:
    """Refuse a target that neither brimgen nor the project has."""
    if not settings.only:
        return
    from brimgen.model.targets import target_names

    known = (*target_names(), *(target.name for target in settings.custom))
    for name in settings.only:
        check_known("target", name, known, "'--target'")


def check_known(kind: str, name: str, known: Collection[str], parameter: str) -> None:
    """Raise `click.BadParameter` for ``parameter`` if ``name`` is not ``known``: no such ``kind``
    of thing.
    """
    if name in known:
        return
    from brimgen.diagnostics import did_you_mean

    near = did_you_mean(name, known)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    problem = f"there is no {kind} {name!r}.{hint}"
    raise click.BadParameter(problem, param_hint=parameter)


def _begun_targets(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    from brimgen.model.targets import target_names

    return [
        target_name
        for target_name in target_names()
        if target_name.startswith(incomplete)
    ]


def _databases(
    _: click.Context, __: click.Parameter, value: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Return pairs of a connection ("": all of the dialect) and the URL of its database."""
    databases: list[tuple[str, str]] = []
    for item in value:
        prefix, separator, location = item.partition("://")
        name, _equals, scheme = prefix.rpartition("=")
        if not separator:
            raise click.BadParameter(
                "it is no URL, such as 'postgresql://localhost/shop'."
            )
        databases.append((name, f"{scheme}://{location}"))
    return tuple(databases)


color_option = click.option(
    "--color",
    "colour",
    type=click.Choice(COLOURS),
    default="auto",
    help="Colour the messages. [default: auto: on a terminal; NO_COLOR and FORCE_COLOR count]",
)
config_option = click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Configuration file. [default: the nearest brimgen.yaml or "
    "pyproject.toml with [tool.brimgen]]",
)
_FOLDER = click.Path(file_okay=False, path_type=Path)
_JUDGING = (
    click.option(
        "--strict-loss",
        is_flag=True,
        help="Report an error if a descriptor cannot express a constraint and its description "
        "does not say it either.",
    ),
    click.option(
        "--verify-db",
        "databases",
        multiple=True,
        callback=_databases,
        metavar="[CONNECTION=]URL",
        help="Check the SQL statements against this database without running them: "
        "postgresql://…, mysql://…, sqlite:///FILE, duckdb:///FILE.",
    ),
)
"""Options of commands that check specs against the rules of targets."""
_OF_OUTPUT = {
    "out": click.option(
        "--out", type=_FOLDER, help="Folder to generate into. [default: out]"
    ),
    "package": click.option(
        "--package",
        metavar="NAME",
        callback=_package,
        help="Name of the generated Python package.",
    ),
    "targets": click.option(
        "--target",
        "targets",
        multiple=True,
        callback=_once,
        shell_complete=_begun_targets,
        metavar="NAME",
        help="Only this target; may be repeated. The files of others stay as they are.",
    ),
}
"""Options of commands that ask for what is generated, and where to."""
_OPTIONS = (
    click.option(
        "--specs", type=_FOLDER, help="Folder that holds the specs. [default: specs]"
    ),
    *_OF_OUTPUT.values(),
    click.option(
        "--format",
        type=click.Choice(FORMATS),
        help="Format of the messages on stderr. [default: full]",
    ),
    color_option,
    *_JUDGING,
    config_option,
)


def project_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a project to ``command``, which receives them as ``settings``.

    Mistakes in the settings are printed and end the process with exit code 2.
    """
    return _with_options(command, _OPTIONS)


def options_without(
    *names: str, judges: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what adds the `project_options` but for some of ``out``, ``package`` and ``targets``,
    which mean nothing to a command; and those of judging only to one that ``judges``.
    """
    unwanted = [_OF_OUTPUT[name] for name in names]
    if not judges:
        unwanted += _JUDGING
    shared = [option for option in _OPTIONS if option not in unwanted]
    return lambda command: _with_options(command, shared)


def _with_options(
    command: Callable[..., Any], shared: Sequence[Callable[..., Any]]
) -> Callable[..., Any]:

    @wraps(command)
    def wrapper(**options: Any) -> Any:
        from brimgen.settings.load import Flags

        names = Flags.__annotations__.keys() & options.keys()
        given = {name: options.pop(name) for name in names}
        flags = Flags(**given, needs_specs=not options.get("files"))
        return command(settings=_settings(flags), **options)

    for option in reversed(shared):
        wrapper = option(wrapper)
    return wrapper


def sound_settings(options: Mapping[str, Any]) -> Settings | None:
    """Return the settings from the configuration as it is now; None if it has errors.

    ``options`` are those of the command line, by parameter. Errors are printed.
    """
    from brimgen.settings.load import Flags

    try:
        return _settings(Flags(**options))
    except click.exceptions.Exit:
        return None
    except click.BadParameter as problem:
        # A target on the command line that the configuration no longer has.
        problem.show()
        return None


def _settings(flags: Any) -> Settings:
    from brimgen.cli.console.report import USAGE, report_settings
    from brimgen.diagnostics import Diagnostics
    from brimgen.settings.load import load_settings

    diagnostics = Diagnostics()
    settings = load_settings(flags, diagnostics)
    if diagnostics.has_errors:
        report_settings(diagnostics, settings)
        raise click.exceptions.Exit(USAGE)
    _check_targets(settings)
    return settings
