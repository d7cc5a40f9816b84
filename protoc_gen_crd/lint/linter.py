"""The linter: it applies the rules to the elements of an API and returns findings, with `old` only new ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.protos.proto_summary import ENUM as ENUM_TYPE
from protoc_gen_crd.comparison.protos.proto_summary import ProtoSummary
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Finding, Severity
from protoc_gen_crd.findings.rule_catalog import load_rules
from protoc_gen_crd.findings.severity_policy import PolicyEntry
from protoc_gen_crd.lint.all_rules import LINT_RULES
from protoc_gen_crd.lint.lint_rule import (
    ENUM,
    ENUM_VALUE,
    FIELD,
    FILE,
    MESSAGE,
    NODE,
    ONEOF,
    PROTO_KINDS,
    Issue,
    LintRule,
)
from protoc_gen_crd.lint.proto_elements import ProtoElement, iterate_elements
from protoc_gen_crd.lint.schema_elements import CrdElement, SchemaElement, SchemaWalker
from protoc_gen_crd.proto.api_set import ApiSet

Identity = tuple[str, str]
LintElement = ProtoElement | CrdElement | SchemaElement
_UNRELEASED = " before the first release"  # without an old API, an element can be one that clients use
_RULES_BY_KIND = {
    kind: [rule for rule in LINT_RULES.values() if kind in rule.kinds]
    for kind in {kind for rule in LINT_RULES.values() for kind in rule.kinds}
}


class LintApi(Record):
    """An API: the protos that were compiled, each with the messages that define one version of a kind, and the CRDs.

    An old API from a recorded release has the `summary` of its protos instead of the protos.
    """

    protos: tuple[tuple[ApiSet, frozenset[str]], ...]
    crds: tuple[Crd, ...]
    summary: ProtoSummary | None = None

    @property
    def has_protos(self) -> bool:
        """Report whether the elements of protos are known, as those of an empty API are."""
        return bool(self.protos) or self.summary is not None or not self.crds

    def iterate_elements(self, *, is_old: bool = False) -> Iterator[LintElement]:
        """Yield the elements that rules check, each declaration once; those of an old API without protos at each path.

        New protos can declare at any of these paths what the old CRDs repeat.
        """
        for api, resources in self.protos:
            yield from iterate_elements(api, resources)
        yield from SchemaWalker(self._is_foreign, merges_equal=not is_old).walk(self.crds)

    def _is_foreign(self, field: str) -> bool:
        messages = [api.find_message(field.rpartition(".")[0]) for api, _ in self.protos]
        pairs = zip(self.protos, messages, strict=True)
        files = [api.get_file(message.file) for (api, _), message in pairs if message]
        return bool(files) and not any(file.target for file in files)


class Linter:
    """Applies the rules. Rules that are off in a profile are applied if an entry of the settings names them."""

    def __init__(self, profiles: ProfileChoice, entries: Sequence[PolicyEntry]) -> None:
        self._profiles = profiles
        self._named = frozenset(entry.rule for entry in entries if entry.severity)
        self._catalog = load_rules()
        self._selected: dict[tuple[str, str, bool], Sequence[tuple[LintRule, Severity]]] = {}

    def lint(self, api: LintApi, old: LintApi | None = None) -> list[Finding]:
        """Return the findings of an API; with an old one, those that the same element does not have there."""
        known = self._list_known(old) if old is not None else set()
        skips_protos = old is not None and not old.has_protos
        findings: list[Finding] = []
        for element in api.iterate_elements():
            if skips_protos and element.kind in PROTO_KINDS:
                continue
            for rule, severity in self._select_rules(element, is_new=old is not None):
                issue = rule.check(element)
                if issue is None:
                    continue
                identities = _list_identities(rule, element, issue)
                if not identities & known:
                    path = _find_name(element, issue)
                    at = issue.at or element.at
                    hint = issue.hint + _UNRELEASED * (rule.renames and old is None)
                    findings.append(Finding(rule.id, issue.message, at, path, hint, severity=severity))
                known |= identities
        return findings

    def _list_known(self, old: LintApi) -> set[Identity]:
        """Return the identities of an old API's findings; for rules about new elements, those of all its elements."""
        known: set[Identity] = set()
        for element in old.iterate_elements(is_old=True):
            for rule in _RULES_BY_KIND.get(element.kind, ()):
                issue = Issue("") if rule.for_new else rule.check(element)
                if issue is not None:
                    known |= _list_identities(rule, element, issue)
        return known | set(_list_recorded(old.summary) if old.summary else ())

    def _select_rules(self, element: LintElement, *, is_new: bool) -> Sequence[tuple[LintRule, Severity]]:
        """Return the rules that check an element, and their severities: equal for a kind of elements in a profile."""
        profile = self._profiles.find_name("" if isinstance(element, ProtoElement) else element.kind_name)
        key = element.kind, profile, is_new
        if key not in self._selected:
            rules = [
                (rule, self._find_severity(rule, profile, is_new=is_new))
                for rule in _RULES_BY_KIND.get(element.kind, ())
            ]
            self._selected[key] = [pair for pair in rules if pair[1] or pair[0].id in self._named]
        return self._selected[key]

    def _find_severity(self, rule: LintRule, profile: str, *, is_new: bool) -> Severity:
        if rule.for_new and not is_new:
            return Severity.OFF
        return rule.severities.get(profile, self._catalog[rule.id].severity)


def _list_recorded(summary: ProtoSummary) -> Iterator[Identity]:
    """Yield the identities of all findings that elements of a summary can have: it has no comments to check them."""
    for kind, name, is_deprecated in _iterate_recorded(summary):
        for rule in _RULES_BY_KIND.get(kind, ()):
            if is_deprecated or not rule.for_deprecated:
                yield rule.id, name
        if kind == FIELD:
            yield from ((rule.id, name) for rule in _RULES_BY_KIND[NODE] if rule.for_new)


def _iterate_recorded(summary: ProtoSummary) -> Iterator[tuple[str, str, bool]]:
    """Yield the kind and name of the elements of a summary, and whether they are deprecated."""
    for name, facts in summary.files.items():
        yield FILE, facts["package"] or name, False
    for name, recorded in summary.types.items():
        is_enum = recorded.kind == ENUM_TYPE
        yield ENUM if is_enum else MESSAGE, name, bool(recorded.facts.get("deprecated"))
        for member, facts in recorded.members.items():
            scope = name.rpartition(".")[0] if is_enum else name  # enum values are siblings of their enum
            full_name = f"{scope}.{member}".removeprefix(".")
            yield ENUM_VALUE if is_enum else FIELD, full_name, bool(facts.get("deprecated"))
            if facts.get("oneof"):
                yield ONEOF, f"{name}.{facts['oneof']}", False


def _find_name(element: LintElement, issue: Issue) -> str:
    """Return the name of the element that an issue is about: that at its place, or else the one that was checked."""
    owner = issue.at.find_owner() if issue.at else ""
    return owner or element.name


def _list_identities(rule: LintRule, element: LintElement, issue: Issue) -> set[Identity]:
    """Return the identities of a finding: rule and element.

    An element has another name in a CRD without protos. The items of a list and the values of a map have the name of
    their field as well: their path depends on which use of a message was walked first.
    """
    names = {_find_name(element, issue)}
    if not isinstance(element, ProtoElement):
        names.add(element.other_name)
    if isinstance(element, SchemaElement):
        names.add(element.declared_name)
    return {(rule.id, name) for name in names}
