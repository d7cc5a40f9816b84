"""Errors of options, whatever their source: unknown names and invalid values."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.settings.option_declaration import FILE, FLAG, PARAMETER, SettingsOption

# Similarity of a name with the same words, of one with the same first letter, and of any other name.
_RELATED, _LIKENESS, _CERTAIN = 0.6, 0.7, 0.8
_RULES = ("lint", "linter", "rule", "rules", "severities", "severity")
_RULES_HINT = 'set the severities of rules under "findings", and the conventions of the linter with "profile"'
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
        hint = "move the options in it to the top level" if is_section else _suggest_option(name, known)
        problems.report("option-unknown", f'unknown option "{name}"', at, hint=hint)


def _suggest_option(name: str, known: Mapping[str, SettingsOption]) -> str:
    """Return a hint for an unknown option: a similar name, or one with the same words; empty if there is none."""
    if name.lower() in _RULES and "findings" in known:
        return _RULES_HINT
    near = find_nearest(name, known, _LIKENESS)
    if near and (near[0] == name[0].lower() or find_nearest(name, [near], _CERTAIN)):
        return did_you_mean(near)
    words = _split_words(name)
    contained = [option for option in known if _split_words(option) <= words]
    prefix = max([option for option in known if name.startswith(option)], key=len, default=None)
    shared = [
        option for option in known if _split_words(option if len(words) > 1 else option.partition("_")[0]) & words
    ]
    return did_you_mean(find_nearest(name, contained, 0) or prefix or find_nearest(name, shared, _RELATED))


def _split_words(name: str) -> set[str]:
    """Return the words of a name in the singular."""
    return {word.removesuffix("s") for word in name.lower().replace("-", "_").split("_")}
