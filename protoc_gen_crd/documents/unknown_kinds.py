"""Classification of documents of kinds without a CRD: misspelled, built-in, or of other APIs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from protoc_gen_crd.base.suggestions import did_you_mean, find_misspelled, find_nearest, suggest
from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.documents.document_reader import CRD_GROUP, CRD_KIND, DocumentCase, get_string
from protoc_gen_crd.documents.kind_messages import (
    describe_missing_crd,
    format_api_version,
    format_missing_crd,
    list_patterns,
    make_error,
    make_missing_version_error,
    suggest_groups,
    suggest_skip,
)
from protoc_gen_crd.documents.known_kinds import KnownKinds
from protoc_gen_crd.documents.malformed_objects import (
    UnknownKind,
    find_item_error,
    find_list_error,
    find_type_error,
    has_invalid_group,
    make_group_error,
)
from protoc_gen_crd.findings.finding import Finding
from protoc_gen_crd.kubernetes.built_in_groups import (
    has_built_in_kind,
    is_built_in,
    list_built_in_groups,
)
from protoc_gen_crd.kubernetes.built_in_kinds import BUILT_IN_KINDS

NO_CRD = "no CRD found for its kind"
BUILT_IN = "built-in, not validated"
NO_OBJECT = "not a Kubernetes object"
SKIPPED = "its kind is in skip_kinds"
_MAX_TYPOS = 2  # in a kind of the core group
_CHARACTERS_PER_TYPO = 3
_KUBECONFIG = "Config"  # the kind of kubectl's configuration file, whose apiVersion is "v1"
CRD_LIKENESS = 0.8  # of a misspelled kind
SKIP_RULE = "document-skipped"  # of documents and files that are not objects


class UnknownKinds:
    """The reasons why documents have no CRD. With `strict`, all reasons except the `allowed` ones are errors.

    `other_kinds` are groups and kinds that are known without a CRD.
    """

    def __init__(
        self,
        definitions: CrdDefinitions,
        skip_kinds: Sequence[str] = (),
        *,
        strict: bool = False,
        allowed: Sequence[str] = (SKIPPED, BUILT_IN),
        other_kinds: Collection[tuple[str, str]] = (),
    ) -> None:
        self._definitions = definitions
        self._known = KnownKinds(definitions, other_kinds)
        self._skip_kinds = frozenset(skip_kinds)
        self._strict, self._allowed = strict, allowed
        self._reasons: dict[tuple[str, str, str], UnknownKind] = {}

    def check(self, case: DocumentCase) -> UnknownKind:
        """Return why a document without a CRD is skipped, or its error."""
        unknown = self._get_reason(case)
        if self._strict and unknown.skipped and unknown.skipped not in self._allowed:
            return self._make_strict_error(case)
        return unknown

    def find_error(self, case: DocumentCase) -> Finding | None:
        """Return the error of a document without a CRD; None if it is skipped."""
        unknown = self.check(case)
        return None if unknown.skipped else make_error(case, unknown.message, unknown.key, unknown.hint)

    def is_object(self, case: DocumentCase) -> bool:
        """Return whether a document is a Kubernetes object, possibly misspelled."""
        return self._definitions.find(case) is not None or self._get_reason(case).skipped != NO_OBJECT

    def _get_reason(self, case: DocumentCase) -> UnknownKind:
        key = case.group, case.version, case.kind
        if key not in self._reasons:
            self._reasons[key] = self._find_reason(case)
        reason = self._reasons[key]
        return reason if reason.skipped == SKIPPED else self._find_malformed(case) or reason

    def _find_malformed(self, case: DocumentCase) -> UnknownKind | None:
        """Return the error of an object that kubectl cannot decode; None for one of another program."""
        is_item = bool(case.prefix and get_string(case.document.value, "apiVersion"))
        error = find_type_error(case.object, "kind")
        if error and (is_item or case.group or self._known.is_known_group(case)):
            return error
        if find_type_error(case.object, "apiVersion"):
            groups = self._known.list_groups_with(case.kind)
            if groups or is_item:
                return find_type_error(case.object, "apiVersion", suggest_groups(case.kind, groups))
        if self._known.is_list(case):
            return find_list_error(case.object, case.kind)
        return find_item_error(case.object) if is_item else self._find_missing_version(case)

    def _find_missing_version(self, case: DocumentCase) -> UnknownKind | None:
        """Return the error of an object without apiVersion. Files of other programs have no metadata."""
        if case.version or not case.kind or case.object.get("apiVersion"):
            return None
        is_object = isinstance(case.object.get("metadata"), dict) and bool(list_built_in_groups(case.kind))
        if is_object or resembles_crd(case) or case.kind in self._known.list_kinds():
            return make_missing_version_error(case)
        return None

    def _find_reason(self, case: DocumentCase) -> UnknownKind:
        if case.kind and not self._skip_kinds.isdisjoint(list_patterns(case.kind, case.group)):
            return UnknownKind(SKIPPED)
        api_version = get_string(case.object, "apiVersion")
        if case.kind and has_invalid_group(api_version):
            groups = self._known.list_groups_with(case.kind)
            near = did_you_mean(self._known.find_api_version(api_version))
            return make_group_error(api_version, near or suggest_groups(case.kind, groups))
        if case.kind and is_built_in(case.group, case.version):
            return self._find_built_in_error(case) or UnknownKind(BUILT_IN)
        error = self._find_misspelling(case)
        return error or UnknownKind(NO_CRD if case.kind else NO_OBJECT)

    def _find_built_in_error(self, case: DocumentCase) -> UnknownKind | None:
        """Return the error of a kind that a built-in group does not have; None if it has it or may have it."""
        if has_built_in_kind(case.group, case.kind) or (not case.group and case.kind == _KUBECONFIG):
            return None
        message = f'unknown kind "{case.kind}" in "{format_api_version(case)}"'
        if groups := self._known.list_groups_with(case.kind):
            return UnknownKind("", message, "apiVersion", suggest_groups(case.kind, groups))
        kinds = BUILT_IN_KINDS[case.group].union(self._known.list_kinds(case.group))
        if case.group:
            return UnknownKind("", message, "kind", self._suggest_kind(case, kinds, "kind", "to skip it, "))
        # Other programs have kinds in "v1", too.
        nearest = _find_misspelled_kind(case.kind, kinds)
        return UnknownKind("", message, "kind", did_you_mean(nearest)) if nearest else None

    def _find_misspelling(self, case: DocumentCase) -> UnknownKind | None:
        """Return the error of a document whose group or kind is similar to that of a CRD; None if it is not."""
        groups = [group for group in self._known.list_groups() if group]
        if not case.kind and case.group and case.group in {*groups, *BUILT_IN_KINDS}:
            return UnknownKind("", "document has no kind", "apiVersion")
        if case.group in groups:
            kinds = self._known.list_kinds(case.group)
            hint = self._suggest_kind(case, kinds, "kind with a CRD", "if its CRD is elsewhere, ")
            return UnknownKind("", format_missing_crd(case), "kind", hint)
        if case.version and (near := self._known.find_misspelled_version(case)):
            return UnknownKind("", format_missing_crd(case), "apiVersion", did_you_mean(near))
        return None

    def _suggest_kind(self, case: DocumentCase, kinds: Collection[str], noun: str, before_skip: str) -> str:
        """Return a hint with the nearest kind of a group, and with --skip-kinds if it is not similar."""
        nearest = find_nearest(case.kind, kinds, likeness=0)
        skip = suggest_skip(case.kind, case.group, f"; {before_skip}") if self._allowed else ""
        return suggest(case.kind, kinds) or (f'the nearest {noun} is "{nearest}"{skip}' if nearest else "")

    def _make_strict_error(self, case: DocumentCase) -> UnknownKind:
        if error := find_type_error(case.object, "apiVersion") or find_type_error(case.object, "kind"):
            return error
        if not case.kind:
            return UnknownKind("", "document has no kind")
        if not case.version:
            return make_missing_version_error(case)
        groups = self._known.list_groups_with(case.kind)
        if groups and case.group not in groups:
            return UnknownKind("", format_missing_crd(case), "apiVersion", suggest_groups(case.kind, groups))
        return UnknownKind("", format_missing_crd(case), "kind", suggest(case.kind, self._known.list_kinds()))


def resembles_crd(case: DocumentCase) -> bool:
    """Return whether a document is not a CRD, but may be intended as one."""
    return not case.is_crd and (case.group == CRD_GROUP or bool(find_nearest(case.kind, [CRD_KIND], CRD_LIKENESS)))


def describe_skip(case: DocumentCase, skipped: str) -> str:
    """Return the reason why a document is skipped, with its kind if there is no CRD."""
    return describe_missing_crd(case.kind, case.group) if skipped == NO_CRD else skipped


def _find_misspelled_kind(kind: str, kinds: Collection[str]) -> str | None:
    """Return the kind of the core group that is misspelled, None if none is."""
    names = {name.lower(): name for name in kinds}
    limit = min(_MAX_TYPOS, len(kind) // _CHARACTERS_PER_TYPO)
    nearest = find_misspelled(kind.lower(), names, limit)
    return names[nearest] if nearest else None
