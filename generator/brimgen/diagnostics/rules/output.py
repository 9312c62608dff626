"""O5xx: errors of the configuration, and of files that exist on the disk."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from brimgen.diagnostics.rule import Rule, error, warning

UNKNOWN_SETTING = error(
    "O501",
    "unknown-setting",
    "unknown setting `{name}`{among}",
    "Settings stand in brimgen.yaml or under [tool.brimgen] in pyproject.toml. Correct the name or "
    "remove the line.",
    wrong="pacakge: shop",
    right="package: shop",
)
WRONG_SETTING = error(
    "O502",
    "wrong-setting",
    "setting `{name}` must be {expected}, not {got}",
    "Write a list as `[a, b]`, a yes or no as `true` or `false`, a number without quotes, and a "
    "mapping as `{key: value}` or as indented lines `key: value`. The page configuration.md "
    "shows every setting with an example.",
    wrong="targets: python",
    right="targets: [python]",
)
TWO_CONFIGURATIONS = error(
    "O503",
    "two-configurations",
    "both brimgen.yaml and [tool.brimgen] in pyproject.toml configure this folder",
    "Keep one of the two; brimgen does not choose between them.",
)
UNREADABLE_CONFIGURATION = error(
    "O504",
    "unreadable-configuration",
    "cannot read the configuration: {reason}",
    "Correct the file, or name another one with --config.",
)
FOREIGN_CONFIGURATION = error(
    "O534",
    "foreign-configuration",
    "`{name}` or its folder belongs to another user, so it may not configure this run",
    "If you trust the file, name it with --config. Otherwise create a configuration in "
    "this folder.",
)
OVERLAPPING_FOLDERS = error(
    "O505",
    "overlapping-folders",
    "the output folder {out} {relation} {other}",
    "Give the output its own folder: brimgen replaces the whole folder.",
    wrong="out: .",
    right="out: out",
)
MISSING_SPECS = error(
    "O506",
    "missing-specs",
    "there is no folder {specs}",
    "Name the folder of the specs with --specs or the setting `specs`; "
    "`brimgen init` makes a small project to start from.",
)
NO_MODULE = error(
    "O551",
    "no-module",
    "`{pattern}` of the setting `sources` fits no Python module: {reason}",
    "Name files that end in .py, relative to the folder of the configuration. `*` stands for any "
    "text of a name, `**` for any folders.",
)
EMPTIED_SPECS = error(
    "O535",
    "emptied-specs",
    "there are no specs in {specs}, and {files} generated files would be removed",
    "Put the specs back, or name their folder with --specs. If the files are to go, run "
    "`brimgen generate --force`.",
)
UNKNOWN_DRIVER = error(
    "O507",
    "unknown-driver",
    "the connection `{name}` names the driver `{driver}`, which {why}",
    "Correct the name, or leave `drivers` out to use the usual drivers of the dialect.",
    wrong="connections: {default: {dialect: sqlite, drivers: [sqlite4]}}",
    right="connections: {default: {dialect: sqlite, drivers: [sqlite3]}}",
)
UNREADABLE_SCHEMA = error(
    "O508",
    "unreadable-schema",
    "cannot read {file}, which `{name}` names: {reason}",
    "The setting names DDL files or folders of migrations, which statements are checked "
    "against. The path starts at the folder of the configuration. Correct it, or leave "
    "the setting out; then the statements are read without knowing their tables.",
)
SYSTEM_FOLDER = error(
    "O509",
    "system-folder",
    "the output folder {out} {problem}",
    "Give the output its own folder in your project: brimgen removes files there.",
    wrong="out: /",
    right="out: out",
)

PATH_LEAVES_OUTPUT = error(
    "O510",
    "path-leaves-output",
    "`{path}` does not stay inside the output folder",
    "A generated path is relative, with `/`, and has no empty, `.` or `..` segment.",
)
PATH_NOT_PORTABLE = error(
    "O511",
    "path-not-portable",
    "`{path}` cannot be a file on every system: {reason}",
    "Rename the tool, entity or package that the file is named after.",
)
PATH_TWICE = error(
    "O512",
    "path-twice",
    "`{path}` would be written twice: on some systems it is the same file as `{other}`",
    "Rename one of the two tools or entities that give the files their names.",
)
FILE_IN_THE_WAY = error(
    "O513",
    "file-in-the-way",
    "{what} that brimgen did not write stands where a generated file must go",
    "Move it away. `brimgen generate --force` overwrites a plain file.",
)
UNREADABLE_MANIFEST = error(
    "O514",
    "unreadable-manifest",
    "the manifest cannot be read: {reason}",
    "Restore it from version control. In a merge, restore the whole output folder of your "
    "side, here `out`: `git reset -q -- out`, `git restore out`, `git clean -fdq out`; "
    "then run `brimgen generate`. `brimgen generate --force` also creates a new manifest, "
    "but then keeps files that no spec makes any more.",
)

HAND_EDITED = warning(
    "O520",
    "hand-edited",
    "this generated file was edited by hand; brimgen kept it",
    "Move the change into the spec, then run `brimgen generate --force` to replace the "
    "file.",
)
OUTDATED = warning(
    "O521",
    "outdated",
    "this generated file is out of date",
    "Run `brimgen generate` and commit the result.",
)
MISSING_OUTPUT = warning(
    "O522",
    "missing-output",
    "this generated file is missing",
    "Run `brimgen generate` and commit the result.",
)
EXTRA_OUTPUT = warning(
    "O523",
    "extra-output",
    "no spec makes this generated file any more",
    "Run `brimgen generate`, which removes it, and commit the result.",
)
INTERRUPTED = warning(
    "O524",
    "interrupted",
    "an earlier run was interrupted while it wrote",
    "Run `brimgen generate`, which completes or undoes the interrupted run.",
)
UNREADABLE_LOCK = error(
    "O525",
    "unreadable-lock",
    "cannot read the lock file: {reason}",
    "The lock file stores ids and times of bundles and tools. Restore it from version "
    "control; in a merge keep the entries of both sides. Without it, brimgen creates new "
    "ids and times.",
)
STALE_LOCK = warning(
    "O526",
    "stale-lock",
    "the lock file is out of date",
    "Run `brimgen generate` and commit the lock file with the generated files.",
)
NOTHING_GENERATED = warning(
    "O527",
    "nothing-generated",
    "nothing was generated yet",
    "Run `brimgen generate` and commit the output folder.",
)
EDITED_ORPHAN = warning(
    "O528",
    "edited-orphan",
    "this generated file was edited by hand, and no spec makes it any more",
    "brimgen kept it. Save what you need under another name and remove the file, or let "
    "`brimgen generate --force` remove it. If its spec is gone by mistake, restore the "
    "spec.",
)
MISSING_MANIFEST = error(
    "O529",
    "missing-manifest",
    "the manifest is missing, and {differ} from what the specs say, so brimgen cannot know "
    "who wrote them",
    "Restore manifest.json from version control: it belongs to the generated files. Or run "
    "`brimgen generate --force`, which replaces the files that differ and creates a new "
    "manifest. It keeps files that no spec makes any more.",
)
FOREIGN_FOLDER = error(
    "O530",
    "foreign-folder",
    "the output folder has files that brimgen did not write: {names}",
    "Name another folder. If generated files may stand beside these, run `brimgen generate "
    "--adopt` once: it keeps them, and so do later runs.",
)
FOLDER_OF_OTHERS = error(
    "O531",
    "folder-of-others",
    "the output folder belongs to other specs: no file in it comes from the specs of this run",
    "Name another folder. If these specs may take this one over, run `brimgen generate "
    "--adopt`: it removes the files that the other specs generated.",
)
LOCK_OF_THE_PROJECT = error(
    "O532",
    "lock-of-the-project",
    "the lock file lacks ids or times, and a run for another output folder does not add "
    "them",
    "The lock file belongs to the project's output folder. First run `brimgen generate` "
    "without `--out`, or make this folder the project's: name it in the setting `out` in "
    "brimgen.yaml.",
)

TARGET_EMPTY = warning(
    "O536",
    "target-empty",
    "the target `{target}` writes no file, because no spec has anything for it",
    "Leave the target out of `targets`, or write what it is made of: `store` and `flexigpt` hold "
    "the tools of bundles, `handlers` those with a handler of Python.",
    wrong="targets: [default, store]",
    right="targets: [default]",
)

RULES: tuple[Rule, ...] = (
    UNKNOWN_SETTING,
    WRONG_SETTING,
    TWO_CONFIGURATIONS,
    UNREADABLE_CONFIGURATION,
    FOREIGN_CONFIGURATION,
    OVERLAPPING_FOLDERS,
    MISSING_SPECS,
    NO_MODULE,
    EMPTIED_SPECS,
    UNKNOWN_DRIVER,
    UNREADABLE_SCHEMA,
    SYSTEM_FOLDER,
    PATH_LEAVES_OUTPUT,
    PATH_NOT_PORTABLE,
    PATH_TWICE,
    FILE_IN_THE_WAY,
    UNREADABLE_MANIFEST,
    HAND_EDITED,
    OUTDATED,
    MISSING_OUTPUT,
    EXTRA_OUTPUT,
    INTERRUPTED,
    UNREADABLE_LOCK,
    STALE_LOCK,
    NOTHING_GENERATED,
    EDITED_ORPHAN,
    MISSING_MANIFEST,
    FOREIGN_FOLDER,
    FOLDER_OF_OTHERS,
    LOCK_OF_THE_PROJECT,
    TARGET_EMPTY,
)

ON_DISK: frozenset[Rule] = frozenset(
    {
        FILE_IN_THE_WAY,
        UNREADABLE_MANIFEST,
        HAND_EDITED,
        OUTDATED,
        MISSING_OUTPUT,
        EXTRA_OUTPUT,
        INTERRUPTED,
        UNREADABLE_LOCK,
        STALE_LOCK,
        NOTHING_GENERATED,
        EDITED_ORPHAN,
        MISSING_MANIFEST,
        FOREIGN_FOLDER,
        FOLDER_OF_OTHERS,
        LOCK_OF_THE_PROJECT,
    }
)
"""The rules whose places are files beside or in the output folder, not specs."""

BY_CHECK: frozenset[Rule] = frozenset(
    {
        OUTDATED,
        MISSING_OUTPUT,
        EXTRA_OUTPUT,
        INTERRUPTED,
        STALE_LOCK,
        NOTHING_GENERATED,
    }
)
"""The rules that only `check` reports, and that make it fail."""

STATES: Mapping[Rule, str] = MappingProxyType(
    {
        HAND_EDITED: "edited by hand",
        EDITED_ORPHAN: "edited by hand, without a spec",
        MISSING_OUTPUT: "missing",
        EXTRA_OUTPUT: "without a spec",
        OUTDATED: "outdated",
    }
)
"""The rules about single outdated files, the most important first, each with the state of the file.
"""
