"""An option: its name, type, default, sources, commands, and help.

An option may be set as a plugin parameter (`--crd_opt=name=value`), as a flag of a command (`--name value`) and in
the settings file (`name: value`), depending on its sources. Independent of file formats and the command line.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.settings.option_types import OptionType

PARAMETER, FLAG, FILE = "parameter", "flag", "file"
EVERYWHERE = (PARAMETER, FLAG, FILE)
# Effect of an option with compat: the same, only on the report of differences to default mode, or none.
KEPT, REPORTED, IGNORED = "kept", "reported", "ignored"
FUZZ, CORPUS = ("fuzz",), ("corpus",)
READING_COMMANDS = (
    "generate",
    "validate",
    "changes",
    "lint",
    "cost",
    "cel",
    "fuzz",
    "samples",
    "docs",
    "explore",
    "schemas",
    "explain",
    "convert",
    "manifests",
    "patch",
    "migrate",
    "serve",
    "history record",
    "version add",
    "version deprecate",
    "version remove",
)  # commands that read protos
HISTORY_COMMANDS = ("history record", "history show", "history diff", "history changelog", "history check")
ALL_COMMANDS = (*READING_COMMANDS, "corpus", "import", "init", *HISTORY_COMMANDS[1:])
GENERATE, VALIDATE, COST, CEL = ("generate",), ("validate",), ("cost",), ("cel",)
MANIFESTS_COMMANDS, PATCH_COMMANDS = ("manifests",), ("patch",)
CHANGES = ("changes",)
LINT = ("lint",)
CONVERT, SAMPLES, DOCS, SCHEMAS, EXPLORE = ("convert",), ("samples",), ("docs",), ("schemas",), ("explore",)
SERVE_COMMANDS = ("serve",)
MIGRATE_COMMANDS = ("migrate",)
CLUSTER_COMMANDS = (*MIGRATE_COMMANDS, *PATCH_COMMANDS)  # commands that talk to a cluster


# Values of options that are neither set nor have a default, by their plain types; None for numbers.
_UNSET_VALUES: dict[type, object] = {str: "", bool: False, dict: {}, list: ()}


class SettingsOption(Record):
    """One option; its name is the attribute of Settings.

    Without a `default`, it is the empty value of the type. `repeated` options are tuples, and lists in a file. `flags`
    are its flags if they differ from its name with dashes. `former_flags` and `former_names` are those of the last
    release, which are reported. `bare_value` is the value of the flag without `=VALUE`. `commands` are the commands
    with the flag, and `compat` is the effect in compat mode.

    The first paragraph of `help` is the help of the flag; the reference has all paragraphs. `command_help` has the help
    of commands where it differs.
    """

    name: str
    option_type: OptionType
    sources: tuple[str, ...]
    help: str
    default: object = None
    repeated: bool = False
    flags: tuple[str, ...] = ()
    former_flags: tuple[str, ...] = ()
    former_names: tuple[str, ...] = ()
    bare_value: str = ""
    commands: tuple[str, ...] = READING_COMMANDS
    command_help: Mapping[str, str] = {}
    compat: str = KEPT

    def get_flag_help(self, command: str) -> str:
        """Return the help of the flag of a command in one line, without the default."""
        return " ".join(self.command_help.get(command, self.help.strip().partition("\n\n")[0]).split())

    def get_default(self, folder: str = "") -> object:
        """Return the value of the option if it is not set; a path is relative to `folder`."""
        if folder and self.option_type.path and self.default:
            return os.path.normpath(os.path.join(folder, str(self.default)))  # noqa: PTH118 - Path costs start-up time
        if self.default is not None:
            return self.default
        return () if self.repeated else _UNSET_VALUES.get(self.option_type.plain)
