"""Errors of options, whatever their source: unknown names and invalid values."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.settings.option_declaration import FILE, FLAG, PARAMETER, SettingsOption

_SOURCE_PHRASES = {PARAMETER: "as a plugin parameter", FLAG: "as a flag", FILE: "in the settings file"}


def format_invalid(name: str, requirement: str, value: object) -> str:
    """Format the message for an invalid value of an option."""
    return f'invalid value for "{name}": expected {requirement}, got {value}'


def report_unknown(
    name: str, known: Mapping[str, SettingsOption], at: Place | None, problems: Problems, value: object = None
) -> None:
    """Report an option that does not exist, or not in this source."""
    from protoc_gen_crd.settings.merged_options import OPTIONS  # noqa: PLC0415 - only an error pays for it

    if name in OPTIONS:
        places = " or ".join(_SOURCE_PHRASES[source] for source in OPTIONS[name].sources)
        problems.report("option-unknown", f'option "{name}" can only be set {places}', at)
    else:
        is_section = isinstance(value, dict) and any(key in known for key in value)
        hint = "move the options in it to the top level" if is_section else suggest(name, known)
        problems.report("option-unknown", f'unknown option "{name}"', at, hint=hint)
