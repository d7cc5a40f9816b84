from __future__ import annotations

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.rule_catalog import load_rules
from protoc_gen_crd.settings.command_option_table import COMMAND_OPTIONS
from protoc_gen_crd.settings.mapping_options import READERS
from protoc_gen_crd.settings.merged_options import OPTIONS, list_options
from protoc_gen_crd.settings.option_declaration import KEPT, PARAMETER
from protoc_gen_crd.settings.plugin_parameters import check_effects, parse_parameter
from protoc_gen_crd.settings.settings import Settings


def parse(parameter: str) -> tuple[Settings, list[tuple[str, str, str]]]:
    problems = Problems()
    settings = parse_parameter(parameter, problems)
    assert all(finding.rule in load_rules() for finding in problems.findings)
    return settings, [(finding.rule, finding.message, finding.hint) for finding in problems.findings]


def test_every_attribute_has_its_option_and_the_reverse() -> None:
    assert (*OPTIONS, "places") == Settings._fields


def test_every_type_of_mapping_has_a_reader() -> None:
    assert {option.option_type for option in OPTIONS.values() if option.option_type.plain is dict} == READERS.keys()


@pytest.mark.parametrize("name", sorted(COMMAND_OPTIONS))
def test_plugin_runs_do_not_need_options_of_commands(name: str) -> None:
    option = COMMAND_OPTIONS[name]
    assert (PARAMETER in option.sources, option.compat) == (False, KEPT)


def test_options_of_commands_have_their_defaults_in_copies() -> None:
    settings = Settings(jobs=3).replace(format="json")
    assert (settings.jobs, settings.port, settings.format) == (3, 8443, "json")
    assert settings == Settings(jobs=3, format="json")


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no option unknown"):
        getattr(Settings(), "unknown")  # noqa: B009 - mypy rejects the attribute


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_an_option_is_documented_and_given_somewhere(name: str) -> None:
    assert OPTIONS[name].sources
    assert OPTIONS[name].help.strip().endswith(".")


def test_an_empty_parameter_sets_nothing() -> None:
    assert parse("") == (Settings(), [])


def test_an_unknown_option_is_rejected() -> None:
    with pytest.raises(AttributeError, match="formats"):
        Settings(formats="json")


def test_options_are_joined_with_commas() -> None:
    settings, findings = parse("compat=istio,include_description=FALSE,,max_description_length=0,header=a=b\\, c")
    assert findings == []
    assert settings == Settings(
        compat="istio", include_description=False, max_description_length=0, header="a=b, c"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("includ_description=true", ("option-unknown", 'unknown option "includ_description"',
                                     'did you mean "include_description"?')),
        ("paths", ("option-unknown", 'unknown option "paths"', "")),
        ("check=true", ("option-unknown", 'option "check" can only be set as a flag', "")),
        ("out=x", ("option-unknown", 'option "out" can only be set as a flag or in the settings file', "")),
        ("include_description", ("option-value", ('invalid value for "include_description": expected true or false, '
                                                 'got ""'), "")),
        ("include_description=1", ("option-value", ('invalid value for "include_description": expected true or '
                                                   'false, got "1"'), "")),
        ("format=toml", ("option-value", 'invalid value for "format": expected one of "yaml", "json", got "toml"', "")),
        ("compat=", ("option-value", 'invalid value for "compat": expected "istio", got ""', "")),
        ("node_limit=-1", ("option-value", ('invalid value for "node_limit": expected a whole number from 1 to '
                                           '999999999, got "-1"'), "")),
        ("node_limit=0", ("option-value", ('invalid value for "node_limit": expected a whole number from 1 to '
                                          '999999999, got "0"'), "")),
        ("dump_request=a\0", ("option-value", 'invalid value for "dump_request": expected a path, got "a\0"', "")),
        ("header=a\x07", ("option-value", ('invalid value for "header": expected a string without control '
                                           'characters, got "a\x07"'), "")),
        ("byte_limit=٣", ("option-value", ('invalid value for "byte_limit": expected a whole number from 1 to '
                                          '999999999, got "٣"'), "")),
        ("format=json,format=json", ("option-repeated", 'option "format" is repeated', "")),
        ("report=differences", ("option-needs", 'option "report" requires "compat"', "")),
    ],
)  # fmt: skip
def test_a_mistake_is_a_finding(parameter: str, expected: tuple[str, str, str]) -> None:
    assert parse(parameter)[1] == [expected]


@pytest.mark.parametrize(
    ("settings", "idle"),
    [
        (Settings(compat="istio", enum_as_int_or_string=True, include_description=False, kubernetes="1.30"), []),
        (Settings(compat="istio", format="yaml"), []),
        (Settings(compat="istio", format="json", bundle="a", oneof="cel"), ["oneof", "format", "bundle"]),
        (Settings(compat="istio", report="differences", header="a", oneof="cel"), ["header"]),
    ],
)
def test_options_without_effect_are_reported(settings: Settings, idle: list[str]) -> None:
    check_effects(settings, problems := Problems())
    message = 'option "{}" has no effect with compat=istio'
    assert [(f.rule, f.message) for f in problems.findings] == [
        ("option-unused", message.format(name)) for name in idle
    ]


@pytest.mark.parametrize(
    ("settings", "expected_messages"),
    [
        (Settings(channel_fields="omit", policy_switch="a"),
         ['{}"channel_fields" without "channel"', '{}"policy_switch" without "channel"']),
        (Settings(policy_namespaces={"matchLabels": {"a": "b"}}), ['{}"policy_namespaces" without "channel"']),
        (Settings(policy_existing="reject", policy_failure="Ignore"),
         ['{}"policy_existing" without "channel"', '{}"policy_failure" without "channel"']),
        (Settings(channel="stable", channel_fields="omit", policy_failure="Ignore"),
         ['{}"policy_failure" with channel_fields=omit']),
        (Settings(channel="stable", policy_failure="Ignore"), []),
        (Settings(channel="stable", channel_fields="omit"), []),
    ],
)  # fmt: skip
def test_options_of_channels_without_effect_are_reported(settings: Settings, expected_messages: list[str]) -> None:
    check_effects(settings, problems := Problems())
    expected = [message.format("option ").replace('" with', '" has no effect with') for message in expected_messages]
    assert [(f.rule, f.message) for f in problems.findings] == [("option-unused", text) for text in expected]


@pytest.mark.parametrize("text", ["1.30", "1.28..1.37", "1.30..1.30"])
def test_a_range_of_versions(text: str) -> None:
    assert parse(f"kubernetes={text}") == (Settings(kubernetes=text), [])


@pytest.mark.parametrize(
    "text", ["", "1", "v1..", "..", "1.31..1.30", "1.30.", "2.0", "1.30-1.31", "1.24", "1.38", "1.0..1.37"]
)
def test_not_a_range_of_versions(text: str) -> None:
    assert [item[0] for item in parse(f"kubernetes={text}")[1]] == ["option-value"]


def test_the_last_of_two_values_stands() -> None:
    assert parse("include_description=true,include_description=false")[0].include_description is False


def test_what_only_a_file_can_hold_is_no_parameter() -> None:
    assert {"types", "findings", "inputs", "out", "check", "prune"}.isdisjoint(list_options("parameter"))
