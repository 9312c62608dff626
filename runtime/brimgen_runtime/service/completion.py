"""Complete the command line of a package in a shell."""

from __future__ import annotations

from collections.abc import Sequence

from .connect import CLIENTS
from .flags import flags_of
from .plan import Plan

SCRIPTS = {
    "bash": """\
_PACKAGE() {
    COMPREPLY=()
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(
        python -m PACKAGE completion words "${COMP_WORDS[@]:1:COMP_CWORD}"
    )
}
PACKAGE() { python -m PACKAGE "$@"; }
complete -o default -F _PACKAGE PACKAGE
""",
    "zsh": """\
_PACKAGE() {
    compadd -- "${(@f)$(python -m PACKAGE completion words "${(@)words[2,CURRENT]}")}"
}
PACKAGE() { python -m PACKAGE "$@" }
compdef _PACKAGE PACKAGE
""",
    "fish": """\
function PACKAGE; python -m PACKAGE $argv; end
complete -c PACKAGE -f -a '(python -m PACKAGE completion words \
    (commandline -opc)[2..] (commandline -ct))'
""",
}
"""What a shell evaluates: it makes a command of the package, and completes it with `words`."""

_COMMANDS = ("call", "completion", "connect", "list", "serve")


def script_of(package: str, shell: str) -> str:
    """Return the script of a shell."""
    return SCRIPTS[shell].replace("PACKAGE", package)


def words(plan: Plan, given: Sequence[str]) -> list[str]:
    """Return what may stand in the place of the last of the ``given`` words, which is unfinished:
    commands, tools, the flags of a tool, the choices of a flag.
    """
    *before, last = given or ("",)
    return sorted(word for word in _words(plan, before) if word.startswith(last))


def _words(plan: Plan, before: Sequence[str]) -> Sequence[str]:
    if not before:
        return _COMMANDS
    if before[0] == "completion":
        return [*SCRIPTS]
    if before == ["connect"]:
        return [*CLIENTS]
    if before[0] != "call":
        return ()
    named = [word for word in before[1:] if word in plan.tools]
    if not named:
        return [*plan.tools]
    flags = {flag.option: flag for flag in flags_of(plan.tools[named[0]].input_schema)}
    behind = [(number, word) for number, word in enumerate(before) if word in flags]
    if behind:
        number, option = behind[-1]
        flag = flags[option]
        if flag.choices and (flag.is_list or number == len(before) - 1):
            return [*flag.choices]
    switches = [f"--no-{name[2:]}" for name, flag in flags.items() if flag.is_switch]
    return [*flags, *switches, "--help"]
