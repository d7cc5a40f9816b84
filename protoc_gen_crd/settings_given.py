"""Settings from options as they are given: the plugin's parameter, values on the spot over those of the settings file.

Reports options that do not exist, do not parse, or have no effect. Knows no file format and no command line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.kinds import hint_of
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.settings_options import FILE, FLAG, IGNORED, OPTIONS, PARAMETER, REPORTED, Option, options_in

_PLACES = {PARAMETER: "as a plugin parameter", FLAG: "as a flag", FILE: "in the settings file"}


def parse_parameter(parameter: str, problems: Problems) -> Settings:
    """The settings of a plugin run. protoc and buf join several options with commas; a comma in a value is `\\,`."""
    known = options_in(PARAMETER)
    given: dict[str, object] = {}
    for piece in _pieces(parameter):
        name, _, text = piece.partition("=")
        if name in given:
            problems.report("option-repeated", f'an option must be given once, found "{name}" again')
        if name in known:
            take(known[name], text, given, problems)
        else:
            unknown(name, known, None, problems)
    return combine(given, problems)


def parameter_of(settings: Settings) -> str:
    """The plugin parameter that makes these settings, as far as a parameter can."""
    given = {name: getattr(settings, name) for name in options_in(PARAMETER) if name != "dump_request"}
    defaults = Settings()
    changed = {name: value for name, value in given.items() if value != getattr(defaults, name)}
    return ",".join(f"{name}={value}".replace(",", "\\,") for name, value in changed.items())


def combine(given: Mapping[str, object], problems: Problems) -> Settings:
    """Options as given on the spot, over those of the settings file that they name."""
    below: Mapping[str, object] = {}
    places: dict[str, Place] = {}
    if given.get("settings"):
        from protoc_gen_crd.settings_file import read_settings  # noqa: PLC0415 - most plugin runs read no file

        below = read_settings(str(given["settings"]), problems, places)
    places = {name: at for name, at in places.items() if name not in given}
    settings = Settings(**{**below, **given, "places": places})  # type: ignore[arg-type]
    if settings.report and not settings.compat:
        problem = 'the option "report" must come with "compat", found no "compat"'
        problems.report("option-needs", problem, places.get("report"))
    return settings


def check_effects(settings: Settings, problems: Problems) -> None:
    """Report options that are set and do nothing with compat, with format=json, or without a channel to guard."""
    if not settings.compat:
        for names, without, beside in _WITHOUT_EFFECT:
            if without(settings):
                _report_idle(names, beside, settings, problems)
        return
    idle = (IGNORED,) if settings.report else (IGNORED, REPORTED)
    names = [name for name, option in OPTIONS.items() if option.compat in idle]
    _report_idle(names, f"with compat={settings.compat}", settings, problems)


_POLICY = ("policy_existing", "policy_failure", "policy_namespaces", "policy_switch")
_WITHOUT_EFFECT: tuple[tuple[Sequence[str], Callable[[Settings], bool], str], ...] = (
    (("header",), lambda given: given.format == "json", "with format=json"),
    (("channel_fields", *_POLICY), lambda given: not given.channel, 'without "channel"'),
    (("webhook_service",), lambda given: bool(given.webhook_url), 'with "webhook_url"'),
    (("webhook_ca",), lambda given: not given.webhook_service and not given.webhook_url, "without a webhook"),
    (("kcp_prefix",), lambda given: not given.kcp, 'without "kcp"'),
    (_POLICY, lambda given: bool(given.channel) and given.channel_fields != "guarded", "with channel_fields=left-out"),
)


def _report_idle(names: Iterable[str], beside: str, settings: Settings, problems: Problems) -> None:
    defaults = Settings()
    for name in names:
        if getattr(settings, name) != getattr(defaults, name):
            problem = f'an option must have an effect, found "{name}" {beside}, where it has none'
            problems.report("option-unused", problem, settings.places.get(name))


def take(option: Option, text: str, into: dict[str, object], problems: Problems, at: Place | None = None) -> None:
    """Parse one value into the dictionary; a value that does not parse is a finding."""
    try:
        value = option.kind.parse(text)
    except (ValueError, KeyError):
        problem = f'"{option.name}" must be {option.kind.demand}, found "{text}"'
        problems.report("option-value", problem, at, hint=hint_of(option.kind, text))
        return
    into[option.name] = value


def unknown(name: str, known: Mapping[str, Option], at: Place | None, problems: Problems) -> None:
    """Report an option that does not exist, or not in this place."""
    if name in OPTIONS:
        places = " or ".join(_PLACES[where] for where in OPTIONS[name].where)
        problems.report("option-unknown", f'"{name}" must be given {places}', at)
    else:
        problems.report("option-unknown", f'an option must exist, found "{name}"', at, hint=suggestion(name, known))


def _pieces(parameter: str) -> Iterator[str]:
    pieces = re.split(r"(?<!\\),", parameter) if "\\" in parameter else parameter.split(",")
    for piece in pieces:
        if piece:
            yield piece.replace("\\,", ",")
