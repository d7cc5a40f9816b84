"""The linter: it applies the rules to the elements of an API and returns findings, with `old` only new ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.record import Record
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
    METHOD,
    NODE,
    ONEOF,
    PROTO_KINDS,
    SERVICE,
    Issue,
    LintRule,
)
from protoc_gen_crd.lint.proto_elements import ProtoElement, iterate_elements
from protoc_gen_crd.lint.schema_elements import CrdElement, SchemaElement, SchemaWalker
from protoc_gen_crd.proto.api_set import ApiSet

NamesByRule = dict[str, set[str]]
_NO_NAMES: frozenset[str] = frozenset()
LintElement = ProtoElement | CrdElement | SchemaElement
_UNRELEASED = " before the first release"  # without an old API, an element can be one that clients use
_MEMBER_KINDS = {MESSAGE: FIELD, ENUM: ENUM_VALUE, SERVICE: METHOD}  # of a summary, by the kind of its types
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

    def iterate_declarations(self) -> Iterator[Sequence[LintElement]]:
        """Yield the declarations that rules check, each with its elements: one, or every use in a schema."""
        for api, resources in self.protos:
            yield from ([element] for element in iterate_elements(api, resources))
        yield from SchemaWalker(self._is_foreign).walk(self.crds)

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
        """Return the findings of an API; with an old one, those that the same declaration does not have there."""
        known = _list_known(old) if old is not None else {}
        skips_protos = old is not None and not old.has_protos
        reported: NamesByRule = defaultdict(set)
        findings: list[Finding] = []
        for elements in api.iterate_declarations():
            if skips_protos and elements[0].kind in PROTO_KINDS:
                continue
            names, declared_names = _list_names(elements), {element.declared_name for element in elements}
            for rule, severity, element, issue in self._iterate_issues(elements, is_new=old is not None):
                owners = _list_owners(issue)
                if not known.get(rule.id, _NO_NAMES).isdisjoint(names | owners):
                    continue
                if reported[rule.id].isdisjoint(declared_names | owners):
                    findings.append(_make_finding(rule, severity, element, issue, has_old=old is not None))
                reported[rule.id] |= declared_names | owners
        return findings

    def _iterate_issues(
        self, elements: Sequence[LintElement], *, is_new: bool
    ) -> Iterator[tuple[LintRule, Severity, LintElement, Issue]]:
        for element in elements:
            for rule, severity in self._select_rules(element, is_new=is_new):
                issue = rule.check(element)
                if issue is not None:
                    yield rule, severity, element, issue

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


def _list_known(old: LintApi) -> NamesByRule:
    """Return the names with findings in an old API; for rules about new elements, those of all its elements."""
    known: NamesByRule = defaultdict(set)
    for elements in old.iterate_declarations():
        names = _list_names(elements)
        for rule in _RULES_BY_KIND.get(elements[0].kind, ()):
            for element in elements[:1] if rule.for_new else elements:
                issue = Issue("") if rule.for_new else rule.check(element)
                if issue is not None:
                    known[rule.id] |= names | _list_owners(issue)
    for rule_id, name in _list_recorded(old.summary) if old.summary else ():
        known[rule_id].add(name)
    return known


def _list_recorded(summary: ProtoSummary) -> Iterator[tuple[str, str]]:
    """Yield the rule and name of each finding that elements of a summary can have: it has no comments to check."""
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
        yield recorded.kind, name, bool(recorded.facts.get("deprecated"))
        for member, facts in recorded.members.items():
            scope = name.rpartition(".")[0] if recorded.kind == ENUM else name  # enum values are siblings of their enum
            full_name = f"{scope}.{member}".removeprefix(".")
            yield _MEMBER_KINDS[recorded.kind], full_name, bool(facts.get("deprecated"))
            if facts.get("oneof"):
                yield ONEOF, f"{name}.{facts['oneof']}", False


def _make_finding(rule: LintRule, severity: Severity, element: LintElement, issue: Issue, *, has_old: bool) -> Finding:
    """Return a finding about the element at the place of the issue, or else about the one that was checked."""
    path = _find_owner(issue) or element.name
    hint = issue.hint + _UNRELEASED * (rule.renames and not has_old)
    return Finding(rule.id, issue.message, issue.at or element.at, path, hint, severity=severity)


def _find_owner(issue: Issue) -> str:
    return issue.at.find_owner() if issue.at else ""


def _list_names(elements: Sequence[LintElement]) -> frozenset[str]:
    """Return the names that identify a declaration: those of all its elements, so that their order has no effect."""
    return frozenset(name for element in elements for name in element.names)


def _list_owners(issue: Issue) -> frozenset[str]:
    """Return the name of the element at the place of an issue, which other declarations can share: of an enum."""
    owner = _find_owner(issue)
    return frozenset((owner,) if owner else ())
