"""The rules of the linter, and where the rules of other linters are checked: docs/lint-rules.md."""

# ruff: noqa: E501 - each rule has one line
from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.markdown_escapes import cell, code
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.rule_catalog import load_rules
from protoc_gen_crd.lint.all_rules import LINT_RULES
from protoc_gen_crd.lint.lint_rule import LintRule

BUILT, EXISTS, NOISE = "built", "exists", "not built"

_INTRODUCTION = """# Rules of the linter

`protoc-gen-crd explain RULE` describes a rule. A severity in parentheses applies to the profile that is named there. A rule
with **new** requires `--old`, and checks only elements that the old API does not have. A rule that is off is applied only if
the settings give it a severity.
"""
_CATALOG = """
## Rules of other linters

The rules of kube-api-linter, buf lint, and the guides of Istio, Open Cluster Management, and csi-proxy, with the number of
findings in Istio's networking API, all severities included. **Built**: a rule of this linter. **Exists**: another finding
or command checks it. **Not built**: it would report too much that is correct, or for the reason in
the table.

| rule | is | checked by | findings |
|---|---|---|---|"""


class SurveyedRule(Record):
    """A rule of other linters: how it is checked here, the names of the findings, and a remark."""

    name: str
    status: str
    rules: tuple[str, ...]
    remark: str


def _read(table: str) -> tuple[SurveyedRule, ...]:
    """Read lines of the form `name | status | findings, separated by spaces | remark`."""
    rows = [[part.strip() for part in line.split("|")] for line in table.strip().splitlines()]
    return tuple(SurveyedRule(name, status, tuple(rules.split()), remark) for name, status, rules, remark in rows)


SURVEY = _read("""
package-name | built | lint-package-name lint-package-underscore |
package-version-suffix | built | lint-package-version |
file-in-package-dir | built | lint-file-folder | the folder may omit the first parts of the package
file-name-words | built | lint-file-name |
type-name-pascal | built | lint-type-name |
embedded-acronym | built | lint-acronym |
field-lower-snake | built | lint-field-name |
json-name-camel | built | lint-json-name |
oneof-lower-snake | built | lint-field-name |
enum-value-upper-snake | built | lint-enum-value-name |
repeated-plural | built | lint-plural |
postpositive-adjective | built | lint-adjective |
enum-zero-missing | built | lint-enum-zero | protoc requires it in proto3
enum-zero-name | built | lint-enum-zero-name |
enum-alias | built | lint-enum-alias |
enum-value-prefix | built | lint-enum-prefix |
name-convention | built | lint-timestamp lint-phase lint-reference | only the presets; free patterns are rules that no page explains
group-matches-package | not built | | the group is declared on the package, and projects use other names on purpose
version-matches-package | exists | resource-version | the version of a kind is that of the package by default
kind-matches-message | exists | resource-kind | the kind of a message is its name by default
marker-unknown | exists | marker-unknown |
marker-wrong-type | exists | marker-type |
marker-duplicate | exists | marker-repeated |
marker-conflict | exists | marker-contradiction |
marker-forbidden | not built | | user tables of markers; no project asked for them
marker-dependent | exists | crd-rejected | API servers require the keys of a list map
marker-preferred | exists | marker-dialect |
marker-target-mismatch | exists | resource-kind |
channel-missing | built | lint-channel-kind lint-channel-field |
field-behavior-ignored | exists | vocabulary-unsupported |
optional-and-required | exists | marker-contradiction |
required-with-default | built | lint-required-default |
default-invalid | exists | field-default crd-rejected |
no-float | built | lint-float |
no-unsigned | built | lint-unsigned |
no-bool | built | lint-bool |
no-map | built | lint-map |
no-duration | not built | | durations of protobuf have a defined form in JSON
no-nullable | not built | | wrapper types are nullable by their definition
no-any | built | lint-any |
no-struct | built | lint-any |
int64-json | not built | | the setting int64_as decides it for the whole API
unbounded-string | built | lint-unbounded-string |
unbounded-list | built | lint-unbounded-list |
unbounded-map | built | lint-unbounded-map |
min-size-missing | not built | | proto3 cannot distinguish an empty value from an absent one
object-list-without-required | built | lint-list-item |
list-type-missing | built | lint-list-type |
list-type-invalid | exists | crd-rejected |
list-set-of-objects | built | lint-list-set |
conditions-shape | built | lint-conditions |
status-without-subresource | built | lint-status |
subresource-without-status | built | lint-status-subresource |
status-field-required | built | lint-status-required |
cel-invalid | exists | cel-syntax cel-type cel-field |
cel-cost | exists | crd-rejected | `protoc-gen-crd cost` suggests bounds
cel-unguarded-optional | built | lint-cel-optional lint-cel-has |
cel-needs-newer-kubernetes | exists | crd-rejected | for the versions of the setting kubernetes
cel-message-missing | built | lint-cel-message |
cel-message-linebreak | exists | crd-rejected |
comment-missing | built | lint-comment lint-comment-kind |
comment-start | built | lint-comment-start |
deprecated-without-note | built | lint-deprecation |
unstable-import | built | lint-unstable-import | only types of fields
service-per-file | built | lint-service-file |
samples-missing | exists | sample-file | `samples --check`, and the checklist of `changes`
generated-out-of-date | exists | | `generate --check`
crd-too-large | exists | crd-size |
""")  # fmt: skip

# The findings in Istio's networking API. A test counts them.
COUNTS = {
    "lint-acronym": 28,
    "lint-field-name": 1,
    "lint-json-name": 1,
    "lint-plural": 14,
    "lint-reserved-word": 3,
    "lint-enum-zero-name": 7,
    "lint-enum-prefix": 85,
    "lint-bool": 12,
    "lint-float": 4,
    "lint-unsigned": 30,
    "lint-map": 3,
    "lint-any": 10,
    "lint-unbounded-string": 133,
    "lint-unbounded-list": 47,
    "lint-unbounded-map": 13,
    "lint-list-type": 54,
    "lint-list-item": 10,
    "lint-union": 5,
    "lint-channel-kind": 22,
    "lint-channel-field": 300,
    "lint-comment": 9,
    "lint-comment-start": 401,
    "lint-deprecation": 3,
    "lint-comment-exclusive": 9,
    "lint-comment-default-missing": 15,
    "lint-comment-bound": 2,
}


def page() -> str:
    """Return the page."""
    return "\n".join([_INTRODUCTION, *_format_rules(), _CATALOG, *map(_format_surveyed, SURVEY)])


def _format_rules() -> Iterator[str]:
    yield "| rule | severity | checks | |\n|---|---|---|---|"
    catalog = load_rules()
    for rule in LINT_RULES.values():
        kinds = ", ".join(rule.kinds)
        yield f"| {code(rule.id)} | {_format_severity(rule)} | {kinds} | {cell(catalog[rule.id].summary)} |"


def _format_severity(rule: LintRule) -> str:
    usual = load_rules()[rule.id].severity.name.lower()
    others = [f"({severity.name.lower()}: `{profile}`)" for profile, severity in rule.severities.items()]
    return " ".join([usual, *others, *(["**new**"] if rule.for_new else [])])


def _format_surveyed(rule: SurveyedRule) -> str:
    names = ", ".join(map(code, rule.rules))
    detail = "; ".join(filter(None, (names, rule.remark.replace("|", "\\|"))))
    count = str(sum(COUNTS.get(name, 0) for name in rule.rules)) if rule.status == BUILT else ""
    return f"| {rule.name} | {rule.status} | {detail} | {count} |"
