"""Classification of documents of kinds without a CRD: misspelled, built-in, or of other APIs."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import did_you_mean, find_misspelled, find_nearest, suggest
from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.kubernetes.built_in_groups import is_built_in
from protoc_gen_crd.settings.option_types import KIND_PATTERN

NO_CRD = "no CRD found for its kind"
BUILT_IN = "built-in, not validated"
NO_OBJECT = "not a Kubernetes object"
SKIPPED = "its kind is in skip_kinds"
NO_CRD_PREFIX = "no CRD found for kind"
_MAX_TYPOS = 2  # in the API group of a document; with more, the group is another one
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
        if case.kind and not self._skip_kinds.isdisjoint((case.kind, f"{case.kind}.{case.group}", f"{case.group}/*")):
            return UnknownKind(SKIPPED)
        if case.kind and is_built_in(case.group, case.version):
            return UnknownKind(BUILT_IN)
        error = self._find_misspelling(case)
        return error or UnknownKind(NO_CRD if case.kind else NO_OBJECT)

    def _find_misspelling(self, case: DocumentCase) -> UnknownKind | None:
        """Return the error of a document whose group or kind is similar to that of a CRD; None if it is not."""
        groups = [group for group in self._definitions.list_groups() if group]
        if case.group in groups:
            return self._make_kind_error(case)
        if case.version and (near := find_misspelled(case.group or case.version, groups, _MAX_TYPOS)):
            hint = did_you_mean(self._complete_api_version(near, case.version if case.group else ""))
            return UnknownKind("", _format_message(case), "apiVersion", hint)
        if not case.version and case.kind in self._definitions.list_kinds():
            return UnknownKind("", f'document of kind "{case.kind}" has no apiVersion')
        return None

    def _make_kind_error(self, case: DocumentCase) -> UnknownKind:
        """Return the error of an unknown kind in a group with CRDs."""
        if not case.kind:
            return UnknownKind("", "document has no kind", "apiVersion")
        kinds = self._definitions.list_kinds(case.group)
        nearest = find_nearest(case.kind, kinds, likeness=0)
        skip = suggest_skip(case.kind, case.group, "; if its CRD is elsewhere, ") if self._allowed else ""
        nearest_hint = f'the nearest kind with a CRD is "{nearest}"{skip}' if nearest else ""
        return UnknownKind("", _format_message(case), "kind", suggest(case.kind, kinds) or nearest_hint)

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


def suggest_skip(kind: str, group: str, before: str) -> str:
    """Return a hint that names --skip-kinds, empty for a name that the option does not accept."""
    try:
        return f"{before}pass --skip-kinds {KIND_PATTERN.parse(format_kind(kind, group))}"
    except ValueError:
        return ""


def _format_message(case: DocumentCase) -> str:
    return describe_missing_crd(case.kind, "/".join(filter(None, (case.group, case.version))))
