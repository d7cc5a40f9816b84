"""All options of the plugin and the commands; `Settings` has the values of a run."""

from __future__ import annotations

from protoc_gen_crd.settings.command_option_table import COMMAND_OPTIONS
from protoc_gen_crd.settings.option_declaration import SettingsOption
from protoc_gen_crd.settings.plugin_option_table import PLUGIN_OPTIONS

OPTIONS = {**PLUGIN_OPTIONS, **COMMAND_OPTIONS}


def list_options(where: str) -> dict[str, SettingsOption]:
    """Return the options that can be set in one kind of source."""
    return {name: option for name, option in OPTIONS.items() if where in option.sources}
