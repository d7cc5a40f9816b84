"""Classification of documents of kinds without a CRD: misspelled, built-in, or of other APIs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import did_you_mean, find_misspelled, find_nearest, suggest
from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.kubernetes.built_in_groups import (
    CORE_VERSION,
    has_built_in_kind,
    is_built_in,
    is_subproject,
    list_built_in_groups,
)
from protoc_gen_crd.kubernetes.built_in_kinds import BUILT_IN_KINDS
from protoc_gen_crd.settings.option_types import KIND_PATTERN

NO_CRD = "no CRD found for its kind"
BUILT_IN = "built-in, not validated"
NO_OBJECT = "not a Kubernetes object"
SKIPPED = "its kind is in skip_kinds"
NO_CRD_PREFIX = "no CRD found for kind"
_MAX_TYPOS = 2  # in the API group of a document; with more, the group is another one
_CHARACTERS_PER_TYPO = 3  # in a kind of the core group
_KUBECONFIG = "Config"  # the kind of kubectl's configuration file, whose apiVersion is "v1"
SKIP_RULE = "document-skipped"  # of documents and files that are not objects


class UnknownKind(Record):
    """The reason why a document is skipped, or an error at one of its keys."""

    skipped: str = ""
    message: str = ""
    key: str = "kind"
    hint: str = ""


class UnknownKinds:
    """The reasons why documents have no CRD. With `strict`, all reasons except the `allowed` ones are errors."""

    def __init__(
        self,
        definitions: CrdDefinitions,
        skip_kinds: Sequence[str] = (),
        *,
        strict: bool = False,
        allowed: Sequence[str] = (SKIPPED, BUILT_IN),
    ) -> None:
        self._definitions = definitions
        self._skip_kinds = frozenset(skip_kinds)
        self._strict, self._allowed = strict, allowed
        self._reasons: dict[tuple[str, str, str], UnknownKind] = {}

    def check(self, case: DocumentCase) -> UnknownKind:
        """Return why a document without a CRD is skipped, or its error."""
        unknown = self._get_reason(case)
        if self._strict and unknown.skipped and unknown.skipped not in self._allowed:
            return self._make_strict_error(case)
        return unknown

    def is_object(self, case: DocumentCase) -> bool:
        """Return whether a document is a Kubernetes object, possibly misspelled."""
        return self._definitions.find(case) is not None or self._get_reason(case).skipped != NO_OBJECT

    def _get_reason(self, case: DocumentCase) -> UnknownKind:
        key = case.group, case.version, case.kind
        if key not in self._reasons:
            self._reasons[key] = self._find_reason(case)
        return self._reasons[key]

    def _find_reason(self, case: DocumentCase) -> UnknownKind:
        if case.kind and not self._skip_kinds.isdisjoint(list_patterns(case.kind, case.group)):
            return UnknownKind(SKIPPED)
        if case.kind and is_built_in(case.group, case.version):
            return self._find_built_in_error(case) or UnknownKind(BUILT_IN)
        error = self._find_misspelling(case)
        return error or UnknownKind(NO_CRD if case.kind else NO_OBJECT)

    def _find_built_in_error(self, case: DocumentCase) -> UnknownKind | None:
        """Return the error of a kind that a built-in group does not have; None if it has it or may have it."""
        if has_built_in_kind(case.group, case.kind) or (not case.group and case.kind == _KUBECONFIG):
            return None
        message = f'unknown kind "{case.kind}" in "{_format_api_version(case)}"'
        if groups := [*list_built_in_groups(case.kind), *self._list_groups(case.kind)]:
            return UnknownKind("", message, "apiVersion", _suggest_groups(case.kind, groups))
        kinds = BUILT_IN_KINDS[case.group].union(self._definitions.list_kinds(case.group))
        if case.group:
            return UnknownKind("", message, "kind", self._suggest_kind(case, kinds, "kind", "to skip it, "))
        # Other programs have kinds in "v1", too.
        nearest = _find_misspelled_kind(case.kind, kinds)
        return UnknownKind("", message, "kind", did_you_mean(nearest)) if nearest else None

    def _list_groups(self, kind: str) -> list[str]:
        """Return the groups that have a CRD of a kind."""
        return [group for group in self._definitions.list_groups() if kind in self._definitions.list_kinds(group)]

    def _find_misspelling(self, case: DocumentCase) -> UnknownKind | None:
        """Return the error of a document whose group or kind is similar to that of a CRD; None if it is not."""
        groups = [group for group in self._definitions.list_groups() if group]
        if not case.kind and case.group and case.group in {*groups, *BUILT_IN_KINDS}:
            return UnknownKind("", "document has no kind", "apiVersion")
        if case.group in groups:
            kinds = self._definitions.list_kinds(case.group)
            hint = self._suggest_kind(case, kinds, "kind with a CRD", "if its CRD is elsewhere, ")
            return UnknownKind("", _format_message(case), "kind", hint)
        groups += [] if is_subproject(case.group) else filter(None, BUILT_IN_KINDS)
        if case.version and (near := find_misspelled(case.group or case.version, groups, _MAX_TYPOS)):
            hint = did_you_mean(self._complete_api_version(near, case.version if case.group else ""))
            return UnknownKind("", _format_message(case), "apiVersion", hint)
        if not case.version and case.kind in self._definitions.list_kinds():
            return UnknownKind("", f'document of kind "{case.kind}" has no apiVersion')
        return None

    def _suggest_kind(self, case: DocumentCase, kinds: Collection[str], noun: str, before_skip: str) -> str:
        """Return a hint with the nearest kind of a group, and with --skip-kinds if it is not similar."""
        nearest = find_nearest(case.kind, kinds, likeness=0)
        skip = suggest_skip(case.kind, case.group, f"; {before_skip}") if self._allowed else ""
        return suggest(case.kind, kinds) or (f'the nearest {noun} is "{nearest}"{skip}' if nearest else "")

    def _complete_api_version(self, group: str, version: str) -> str:
        """Return an apiVersion, with a version of the group if `version` is empty."""
        versions = (version, *self._definitions.list_served_versions(group))
        return f"{group}/{next(filter(None, versions), 'v1')}"

    def _make_strict_error(self, case: DocumentCase) -> UnknownKind:
        if not case.kind:
            return UnknownKind("", "document has no kind")
        return UnknownKind("", _format_message(case), "kind", suggest(case.kind, self._definitions.list_kinds()))


def describe_skip(case: DocumentCase, skipped: str) -> str:
    """Return the reason why a document is skipped, with its kind if there is no CRD."""
    return describe_missing_crd(case.kind, case.group) if skipped == NO_CRD else skipped


def describe_missing_crd(kind: str, name: str) -> str:
    """Return the problem of a kind in an API group or version, which may be empty."""
    return f'{NO_CRD_PREFIX} "{kind}"' + (f' in "{name}"' if name else "")


def format_kind(kind: str, group: str) -> str:
    """Format a kind as kubectl and --skip-kinds accept it."""
    return f"{kind}.{group}" if group else kind


def list_patterns(kind: str, group: str) -> tuple[str, str, str]:
    """Return the entries of skip_kinds that match a kind."""
    return kind, f"{kind}.{group}", f"{group}/*"


def suggest_skip(kind: str, group: str, before: str) -> str:
    """Return a hint that names --skip-kinds, empty for a name that the option does not accept."""
    try:
        return f"{before}pass --skip-kinds {KIND_PATTERN.parse(format_kind(kind, group))}"
    except ValueError:
        return ""


def _format_message(case: DocumentCase) -> str:
    return describe_missing_crd(case.kind, _format_api_version(case))


def _format_api_version(case: DocumentCase) -> str:
    return "/".join(filter(None, (case.group, case.version)))


def _suggest_groups(kind: str, groups: Sequence[str]) -> str:
    """Return a hint for a kind of other groups."""
    names = " or ".join(f'"{group or CORE_VERSION}"' for group in groups)
    return f'"{kind}" is a kind of {names}'


def _find_misspelled_kind(kind: str, kinds: Collection[str]) -> str | None:
    """Return the kind of the core group that is misspelled, None if none is."""
    names = {name.lower(): name for name in kinds}
    limit = min(_MAX_TYPOS, len(kind) // _CHARACTERS_PER_TYPO)
    nearest = find_misspelled(kind.lower(), names, limit)
    return names[nearest] if nearest else None
