"""The rules of the guides for API changes, with the place where each is checked: docs/change-guides.md."""

# ruff: noqa: E501 - each rule has one line
from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.markdown_escapes import cell, code
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.severity_profiles import PROFILES
from protoc_gen_crd.findings.rule_catalog import load_rules

RULE, PROFILE, ITEM, COMMAND, LINTER, PEOPLE = "rule", "profile", "checklist", "command", "linter", "not checked"

_INTRODUCTION = """# Rules of the guides for API changes

Each normative rule of four guides, and where it is checked. **Rule**: a finding, with its severity in the profile of the guide.
**Profile**: a row of the decision table, which `protoc-gen-crd changes --profile NAME --explain` prints. **Checklist**: an item
of [the checklist](changes.md#complete-a-change). **Command**: another command checks or does it. **Linter**: it is about one
state of an API, its names and style, and not about changes. **Not checked**: a tool cannot check it, for the reason in the table.
"""


class GuideRule(Record):
    """A rule of a guide: its number, its content, how it is checked, and the names or the reason."""

    number: str
    content: str
    check: str
    names: tuple[str, ...] = ()
    remark: str = ""


def _read(table: str) -> tuple[GuideRule, ...]:
    """Read lines of the form `number | content | check | names, separated by spaces | remark`."""
    rows = [[part.strip() for part in line.split("|")] for line in table.strip().splitlines()]
    return tuple(GuideRule(number, content, check, tuple(names.split()), remark)
                 for number, content, check, names, remark in rows)  # fmt: skip


GUIDES = {
    "open-cluster-management": _read("""
O1 | Know the conventions and the existing types | not checked | | knowledge of people
O2 | Old and new clients work with each other | profile | open-cluster-management | the purpose of the whole table
O3 | No new field is required | rule | change-field-added-required change-required-added |
O4 | Defaults keep their values and behavior | rule | change-default change-default-added change-default-removed | behavior behind a value is code
O5 | Existing elements are interpreted as before | rule | change-documentation | an edited description is the only sign of another meaning
O6 | Required fields stay required, and optional ones optional | rule | change-required-added change-required-removed |
O7 | A mutable field does not become immutable | rule | change-immutable-added |
O8 | Valid values stay valid | rule | change-bound-tightened change-pattern change-rule-added change-enum-value-removed |
O9 | Invalid values stay invalid | rule | change-bound-loosened change-pattern-removed change-rule-removed change-enum-value-added |
O10 | A field that is added has a default or is optional | rule | change-field-added change-field-added-required |
O11 | A single value does not become a list | rule | change-type |
O12 | A plural field beside a singular one includes it | command | | `generate` writes the rule for the marker `plural_of`
O13 | Another shape is a new version, with conversions in both directions | checklist | conversion | `convert --prove` tests the round trip
O14 | The first version is named after its stability | command | | `version add` requires such names
O15 | The first version stores the first objects | command | | `generate` requires one storage version
O16 | Versions with different schemas have a conversion | checklist | conversion |
O17 | The webhook is deployed before the CRD refers to it | checklist | webhook |
O18 | The new version is served and the conversion is set | rule | change-version-added change-conversion |
O19 | Both versions are served while clients migrate | rule | change-version-unserved |
O20 | Stored objects are migrated before a version is removed | checklist | migration |
O21 | The migration has succeeded | command | | `migrate --wait` reads the conditions in the cluster
"""),
    "istio": _read("""
I1 | Google's guide for API design is the base | linter | |
I2 | Files are in a folder of area and version | linter | |
I3 | Names of files are whole words | linter | |
I4 | Packages are lower case without underscores | linter | |
I5 | Packages are singular | linter | |
I6 | Packages have the prefix, the area, and the version | linter | |
I7 | Names contain no acronyms in capitals | linter | |
I8 | Messages and enums are CamelCase | linter | |
I9 | Fields are lower_snake_case | linter | |
I10 | Repeated fields are plural | linter | |
I11 | Adjectives precede nouns | linter | |
I12 | Enum values are UPPER_SNAKE_CASE | linter | |
I13 | Every enum has an entry 0 | linter | |
I14 | Entry 0 is undefined or a sensible default | linter | |
I15 | Field numbers never change | rule | change-field-number change-number-reused | `change-unreserved` warns before a number can be used again
I16 | Fields are never renamed | rule | change-field-renamed change-field-removed |
I17 | Cardinality never changes | rule | change-type change-map-object |
I18 | The message of a kind is never renamed | rule | change-message-name change-kind-removed change-names |
I19 | A type changes only to one of the same structure | rule | change-type change-wire-type change-no-effect | types with the same schema are no change
I20 | Enum values are never renamed or renumbered | rule | change-enum-value-removed change-enum-number |
I21 | Fields are never removed | rule | change-field-removed |
I22 | Validation never becomes stricter | rule | change-bound-tightened change-rule-added change-pattern-added | `fuzz --against` compares webhooks
I23 | Valid objects stay valid after an upgrade | rule | change-bound-tightened | evidence is an object; `validate` replays documents
I24 | Validation may become looser | rule | change-bound-loosened |
I25 | New types have the strictest validation | linter | |
I26 | The type of a field implies a validation | linter | |
I27 | Of field_behavior, only REQUIRED is effective | linter | |
I28 | Other validation is declared in markers | command | | `generate` reports unknown and misplaced markers
I29 | Map keys are validated by CEL on the map | linter | |
I30 | Durations are not zero | linter | |
I31 | Lists, maps, and strings have limits, for the cost of CEL | command | | `cost` reports the limit of each rule
I32 | The oldest supported Kubernetes has the CEL functions | command | | the setting `kubernetes`
I33 | CEL rules guard optional fields | linter | |
I34 | Each type has valid and invalid documents | checklist | samples test-documents |
I35 | The API group has the area and the domain | linter | |
I36 | The API version is that of the package | linter | |
I37 | The kind is the name of the message | linter | |
I38 | Versions have a major number and a stage | command | | `version add` requires such names
I39 | All versions of a kind have the same schema | command | | `generate` reports `version-differs` and `version-loss`
I40 | New kinds start in a later channel | checklist | channel |
I41 | The policies of the stable channel exclude them | command | | `generate --channel` writes the policies
I42 | New fields of stable versions start in a later channel | checklist | channel |
I43 | The policies of the stable channel exclude them | command | | `generate --channel` writes the policies
I44 | Features are deprecated one by one | rule | change-deprecated |
I45 | Only released versions are bound by the rules | command | | recorded releases are the base, and `--old` selects another one
I46 | Exceptions are decided case by case | command | | the setting `findings`, with a reason and an end
"""),
    "immutable": _read("""
S1 | API groups are independent | linter | |
S2 | Endpoints are named after group and version | not checked | | the name of a socket is not in the API
S3 | Each group has a folder, each version a file | linter | |
S4 | A file has exactly one service | linter | |
S5 | The package is named after the version | linter | |
S6 | Internal types represent all versions | command | | `generate --groups` writes the hub types
S7 | One server handles all versions of a group | command | | `generate --groups` writes it
S8 | Differences have conversions in both directions | command | | `generate --groups` converts to and from the hub types
S9 | Existing versions are immutable | profile | immutable | schemas of kinds, and descriptors of kinds and API groups, without comments, `deprecated`, and options of languages
S10 | Each change needs a new version | profile | immutable | as S9
S11 | A change is made in the order of the guide | command | | `version add` lists the steps that are left
S12 | Versions follow each other as alpha, beta, stable, and the alpha of the next number | command | | the verdict and `version add` use these names
S13 | Deprecated elements stay for their period | checklist | deprecation | periods: the setting `deprecation_policy`
S14 | Deprecation is rare | not checked | | a matter of judgment
S15 | A field is deprecated before it is removed | checklist | deprecation |
S16 | An RPC is deprecated before it is removed | checklist | deprecation |
S17 | A version is deprecated before it is removed | checklist | deprecation deprecation-notice |
S18 | A version is removed by deleting its folder | command | | `version remove`
S19 | All versions of a group are removed before it | rule | change-version-removed change-kind-removed |
S20 | Generated files are up to date | command | | `generate --check`
"""),
    "microversion": _read("""
C1 | Clients select a microversion in a header | command | | generated servers of gRPC services read it; Kubernetes has no microversions in requests
C2 | Without it, the oldest microversion is served | command | | as C1
C3 | The contract of requests: resources, parameters, and their values | profile | microversion |
C4 | The contract of responses: attributes and their values | profile | microversion | status codes other than those of validation are code
C5 | Changes that are not released may share a microversion | rule | microversion-number | with `--old merge-base`, changes of what no release has are only counted
C6 | A change that clients cannot notice needs none | rule | change-no-effect change-documentation |
C7 | Elements have a range of microversions | rule | microversion-range | `since` and `until` of elements
C8 | A removal closes the range; ranges have no gaps | rule | microversion-body history-frozen | for kinds, `history check` reports ranges that recorded releases contradict
C9 | The history of microversions has an entry | rule | microversion-note | for kinds, the checklist item `history-entry`
C10 | Each microversion has a constant | command | | `generate` writes it from the title of the note
C11 | Tests expect the microversion | not checked | | code of tests
C12 | A release note names the number | command | | `history record` adds the note with its number; for kinds, the section of the changelog has it
C13 | Samples show the version | command | | the discovery document is generated
C14 | A change of the contract has new samples | checklist | samples | `history record` keeps the samples of each release
C15 | Tests use the samples | checklist | test-documents |
C16 | Docs name the first microversion of each element | checklist | docs | `docs` writes it from the history
C17 | The next microversion is the current one plus one | command | | the verdict, and `history record`
C18 | Unit tests cover new functions only | not checked | | code of tests
"""),
}


def page() -> str:
    """Return the page."""
    return "\n".join([_INTRODUCTION, *(line for name, rules in GUIDES.items() for line in _format_guide(name, rules))])


def _format_guide(name: str, rules: Sequence[GuideRule]) -> Iterator[str]:
    yield f"## {PROFILES[name].guide} (profile {code(name)})\n"
    yield "| | rule | checked as | |\n|---|---|---|---|"
    for rule in rules:
        checks = ", ".join(_format_name(each, rule.check, name) for each in rule.names)
        detail = "; ".join(filter(None, (checks, rule.remark.replace("|", "\\|"))))
        yield f"| {rule.number} | {cell(rule.content)} | {rule.check} | {detail} |"
    yield ""


def _format_name(name: str, check: str, profile: str) -> str:
    """Format a name; a rule has its severity in a stable version."""
    if check != RULE:
        return code(name)
    return f"{code(name)} ({find_severity(name, profile)})"


def find_severity(rule: str, profile: str) -> str:
    """Return the severity of a rule in a stable version under a profile."""
    if rule not in CHANGE_RULES:
        return load_rules()[rule].severity.name.lower()
    change = Change(rule, CHANGE_RULES[rule].change_class, "group/Kind", "", "", ("v1",))
    decision = PROFILES[profile].decide(change)
    usual = PROFILES["kubernetes"].decide(change)
    severity = decision.severity if decision.severity != usual.severity else load_rules()[rule].severity
    return severity.name.lower()
