"""Settings from the plugin parameter and the settings file; parameters and flags take precedence.

Reports options that do not exist, do not parse, or have no effect. Independent of file formats and the command line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.settings.option_declaration import IGNORED, PARAMETER, REPORTED, SettingsOption
from protoc_gen_crd.settings.option_types import suggest_value
from protoc_gen_crd.settings.plugin_option_table import PLUGIN_OPTIONS
from protoc_gen_crd.settings.settings import Settings


def parse_parameter(parameter: str, problems: Problems) -> Settings:
    """Parse the settings of a plugin run.

    Args:
        parameter: Pairs `name=value`, which protoc and buf join with commas; a comma in a value is `\\,`.
        problems: Receives unknown options and invalid values.
    """
    options = _list_parameters()
    values: dict[str, object] = {}
    for piece in _split_parameter(parameter):
        name, _, value = piece.partition("=")
        if name in values and not options[name].repeated:
            problems.report("option-repeated", f'option "{name}" is repeated')
        if name in options:
            parse_option(options[name], value, values, problems)
        else:
            from protoc_gen_crd.settings.option_errors import report_unknown  # noqa: PLC0415 - only an error pays for it

            report_unknown(name, options, None, problems)
    return combine_settings(values, problems)


def format_parameter(settings: Settings) -> str:
    """Format settings as a plugin parameter, without options that cannot be parameters."""
    values = {name: getattr(settings, name) for name in _list_parameters() if name != "dump_request"}
    defaults = Settings()
    changed = {name: value for name, value in values.items() if value != getattr(defaults, name)}
    repeated = {name for name in changed if PLUGIN_OPTIONS[name].repeated}
    pairs = [(name, item) for name, value in changed.items() for item in (value if name in repeated else (value,))]
    return ",".join(f"{name}={value}".replace(",", "\\,") for name, value in pairs)


def combine_settings(values: Mapping[str, object], problems: Problems) -> Settings:
    """Combine parameters or flags with the settings file that they name."""
    file_values: Mapping[str, object] = {}
    places: dict[str, Place] = {}
    if values.get("settings"):
        from protoc_gen_crd.settings.settings_file import read_settings  # noqa: PLC0415 - most plugin runs read no file

        file_values = read_settings(str(values["settings"]), problems, places)
    places = {name: at for name, at in places.items() if name.partition("[")[0] not in values}
    settings = Settings(**{**file_values, **values, "places": places})
    if settings.report and not settings.compat:
        problem = 'option "report" requires "compat"'
        problems.report("option-needs", problem, places.get("report"))
    return settings


def check_effects(settings: Settings, problems: Problems) -> None:
    """Report options that have no effect in combination with the others."""
    if not settings.compat:
        for names, is_idle, condition in _IDLE_OPTIONS:
            if is_idle(settings):
                _report_idle(names, condition, settings, problems)
        return
    idle = (IGNORED,) if settings.report else (IGNORED, REPORTED)
    names = [name for name, option in PLUGIN_OPTIONS.items() if option.compat in idle]
    _report_idle(names, f"with compat={settings.compat}", settings, problems)


_POLICY_OPTIONS = ("policy_existing", "policy_failure", "policy_namespaces", "policy_switch")
_IDLE_OPTIONS: tuple[tuple[Sequence[str], Callable[[Settings], bool], str], ...] = (
    (("header",), lambda settings: settings.format == "json", "with format=json"),
    (("channel_fields", *_POLICY_OPTIONS), lambda settings: not settings.channel, 'without "channel"'),
    (("release_guard",), lambda settings: not settings.release, 'without "release" or a recorded release'),
    (("webhook_service",), lambda settings: bool(settings.webhook_url), 'with "webhook_url"'),
    (("webhook_ca",), lambda settings: not settings.webhook_service and not settings.webhook_url, "without a webhook"),
    (("kcp_prefix",), lambda settings: not settings.kcp, 'without "kcp"'),
    (
        _POLICY_OPTIONS,
        lambda settings: bool(settings.channel) and settings.channel_fields != "policy",
        "with channel_fields=omit",
    ),
)


def _report_idle(names: Iterable[str], condition: str, settings: Settings, problems: Problems) -> None:
    defaults = Settings(settings=settings.settings)
    for name in names:
        if getattr(settings, name) != getattr(defaults, name):
            problem = f'option "{name}" has no effect {condition}'
            problems.report("option-unused", problem, settings.places.get(name))


def parse_option(
    option: SettingsOption, string: str, into: dict[str, object], problems: Problems, at: Place | None = None
) -> None:
    """Parse one value of an option.

    Args:
        option: The option.
        string: The value as written by the user.
        into: Receives the value by the name of the option; values of a repeated option are appended.
        problems: Receives the finding on an invalid value.
        at: The location of the value, None for a parameter or a flag.
    """
    try:
        value = option.option_type.parse(string)
    except (ValueError, KeyError):
        from protoc_gen_crd.settings.option_errors import format_invalid  # noqa: PLC0415 - only an error pays for it

        problem = format_invalid(option.name, option.option_type.requirement, f'"{string}"')
        problems.report("option-value", problem, at, hint=suggest_value(option.option_type, string))
        return
    previous = into.get(option.name, ())
    into[option.name] = (*previous, value) if option.repeated and isinstance(previous, tuple) else value


def _list_parameters() -> dict[str, SettingsOption]:
    return {name: option for name, option in PLUGIN_OPTIONS.items() if PARAMETER in option.sources}


def _split_parameter(parameter: str) -> Iterator[str]:
    pieces = re.split(r"(?<!\\),", parameter) if "\\" in parameter else parameter.split(",")
    for piece in pieces:
        if piece:
            yield piece.replace("\\,", ",")
