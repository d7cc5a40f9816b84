"""Classification of documents of kinds without a CRD: misspelled, built-in, or of other APIs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from protoc_gen_crd.base.suggestions import did_you_mean, find_misspelled, find_nearest, suggest
from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.documents.document_reader import CRD_GROUP, CRD_KIND, DocumentCase, get_string
from protoc_gen_crd.documents.expectation_keys import VERSIONS
from protoc_gen_crd.documents.malformed_objects import (
    LIST_SUFFIX,
    TYPE_KEYS,
    UnknownKind,
    find_item_error,
    find_list_error,
    find_type_error,
    has_invalid_group,
    make_group_error,
    split_api_version,
    suggest_type_key,
)
from protoc_gen_crd.findings.finding import Finding, Location
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
        self._other_kinds = other_kinds
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
        if (error := find_type_error(case.object, "kind")) and (is_item or case.group or self._is_known_group(case)):
            return error
        if find_type_error(case.object, "apiVersion") and ((groups := self._list_groups(case.kind)) or is_item):
            return find_type_error(case.object, "apiVersion", _suggest_groups(case.kind, groups))
        item_kind = case.kind.removesuffix(LIST_SUFFIX)
        if item_kind != case.kind and self._is_known_group(case) and (not item_kind or self._has_kind(case, item_kind)):
            return find_list_error(case.object, case.kind)
        return find_item_error(case.object) if is_item else self._find_missing_version(case)

    def _find_missing_version(self, case: DocumentCase) -> UnknownKind | None:
        """Return the error of an object without apiVersion. Files of other programs have no metadata."""
        if case.version or not case.kind or case.object.get("apiVersion"):
            return None
        is_object = isinstance(case.object.get("metadata"), dict) and bool(list_built_in_groups(case.kind))
        if is_object or resembles_crd(case) or case.kind in self._list_kinds():
            return _make_missing_version_error(case)
        return None

    def _is_known_group(self, case: DocumentCase) -> bool:
        return is_built_in(case.group, case.version) or case.group in self._list_known_groups()

    def _has_kind(self, case: DocumentCase, kind: str) -> bool:
        """Return whether the known group of a document has a kind."""
        is_kind = is_built_in(case.group, case.version) and has_built_in_kind(case.group, kind)
        return is_kind or kind in self._list_kinds(case.group)

    def _find_reason(self, case: DocumentCase) -> UnknownKind:
        if case.kind and not self._skip_kinds.isdisjoint(list_patterns(case.kind, case.group)):
            return UnknownKind(SKIPPED)
        api_version = get_string(case.object, "apiVersion")
        if case.kind and has_invalid_group(api_version):
            groups = self._list_groups(case.kind)
            near = did_you_mean(self._find_api_version(api_version))
            return make_group_error(api_version, near or _suggest_groups(case.kind, groups))
        if case.kind and is_built_in(case.group, case.version):
            return self._find_built_in_error(case) or UnknownKind(BUILT_IN)
        error = self._find_misspelling(case)
        return error or UnknownKind(NO_CRD if case.kind else NO_OBJECT)

    def _find_built_in_error(self, case: DocumentCase) -> UnknownKind | None:
        """Return the error of a kind that a built-in group does not have; None if it has it or may have it."""
        if has_built_in_kind(case.group, case.kind) or (not case.group and case.kind == _KUBECONFIG):
            return None
        message = f'unknown kind "{case.kind}" in "{_format_api_version(case)}"'
        if groups := self._list_groups(case.kind):
            return UnknownKind("", message, "apiVersion", _suggest_groups(case.kind, groups))
        kinds = BUILT_IN_KINDS[case.group].union(self._list_kinds(case.group))
        if case.group:
            return UnknownKind("", message, "kind", self._suggest_kind(case, kinds, "kind", "to skip it, "))
        # Other programs have kinds in "v1", too.
        nearest = _find_misspelled_kind(case.kind, kinds)
        return UnknownKind("", message, "kind", did_you_mean(nearest)) if nearest else None

    def _list_known_groups(self) -> list[str]:
        """Return the groups of CRDs and other kinds."""
        return [*self._definitions.list_groups(), *(group for group, _ in self._other_kinds)]

    def _list_kinds(self, group: str | None = None) -> list[str]:
        """Return the kinds of CRDs and other kinds, those of a group if it is not None."""
        others = (kind for kind_group, kind in self._other_kinds if group in (None, kind_group))
        return [*self._definitions.list_kinds(group), *others]

    def _list_groups(self, kind: str) -> list[str]:
        """Return the groups that have a kind, of Kubernetes and of CRDs."""
        groups = {group for group in self._list_known_groups() if kind in self._list_kinds(group)}
        return [*list_built_in_groups(kind), *sorted(groups)] if kind else []

    def _find_api_version(self, text: str) -> str | None:
        """Return the apiVersion of a known group that is written in another case or with other separators."""
        for part in (text, "/".join(text.split("/")[:2])):
            group, version = split_api_version(part)
            if group and group in {*self._list_known_groups(), *BUILT_IN_KINDS}:
                return f"{group}/{version}"
        return None

    def _find_misspelling(self, case: DocumentCase) -> UnknownKind | None:
        """Return the error of a document whose group or kind is similar to that of a CRD; None if it is not."""
        groups = [group for group in self._list_known_groups() if group]
        if not case.kind and case.group and case.group in {*groups, *BUILT_IN_KINDS}:
            return UnknownKind("", "document has no kind", "apiVersion")
        if case.group in groups:
            kinds = self._list_kinds(case.group)
            hint = self._suggest_kind(case, kinds, "kind with a CRD", "if its CRD is elsewhere, ")
            return UnknownKind("", _format_message(case), "kind", hint)
        groups += [] if is_subproject(case.group) else filter(None, BUILT_IN_KINDS)
        if case.version and (near := self._find_misspelled_version(case, groups)):
            return UnknownKind("", _format_message(case), "apiVersion", did_you_mean(near))
        return None

    def _find_misspelled_version(self, case: DocumentCase, groups: Sequence[str]) -> str | None:
        """Return the apiVersion of one of the groups that a document with another group misspells."""
        if respelled := self._find_api_version(_format_api_version(case)):
            return respelled
        for definition in self._definitions:
            crd = definition.crd
            is_without_group = not case.group and definition.serves(case.version)
            if crd is not None and crd.names.kind == case.kind and (is_without_group or crd.name == case.group):
                return f"{crd.group}/{case.version}"
        near = find_misspelled(case.group or case.version, groups, _MAX_TYPOS)
        return self._complete_api_version(near, case.version if case.group else "") if near else None

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
        if error := find_type_error(case.object, "apiVersion") or find_type_error(case.object, "kind"):
            return error
        if not case.kind:
            return UnknownKind("", "document has no kind")
        if not case.version:
            return _make_missing_version_error(case)
        groups = self._list_groups(case.kind)
        if groups and case.group not in groups:
            return UnknownKind("", _format_message(case), "apiVersion", _suggest_groups(case.kind, groups))
        return UnknownKind("", _format_message(case), "kind", suggest(case.kind, self._list_kinds()))


def resembles_crd(case: DocumentCase) -> bool:
    """Return whether a document is not a CRD, but may be intended as one."""
    return not case.is_crd and (case.group == CRD_GROUP or bool(find_nearest(case.kind, [CRD_KIND], CRD_LIKENESS)))


def make_error(case: DocumentCase, message: str, key: str = "kind", hint: str = "") -> Finding:
    """Return the finding of an error at a key of a document; without a hint, with one for a misspelled key."""
    at = case.get_place((key,), key=key not in TYPE_KEYS)
    return Finding("document-kind", message, at, case.name, hint or suggest_type_key(case.object))


def make_version_error(case: DocumentCase, served: Sequence[str]) -> Finding:
    """Return the finding of a document whose version is not one of the served ones."""
    names = ", ".join(f'"{case.group}/{name}"' for name in served) or "none"
    message = f'{case.name} has version "{case.version}", which its CRD does not serve (served: {names})'
    hint = suggest_version(case, served)
    return Finding("document-version", message, _locate_version(case), case.name, hint)


def suggest_version(case: DocumentCase, versions: Sequence[str]) -> str:
    """Return a hint for an object of an unknown version: the apiVersion with the nearest version of its kind."""
    near = find_nearest(case.version, versions)
    return did_you_mean(f"{case.group}/{near}" if near else None)


def _locate_version(case: DocumentCase) -> Location:
    versions = case.expectation.versions
    if case.version in versions:
        return case.get_place((VERSIONS, versions.index(case.version)))
    return case.get_place((VERSIONS if versions else "apiVersion",))


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


def _make_missing_version_error(case: DocumentCase) -> UnknownKind:
    add = f'add "apiVersion: {CRD_GROUP}/v1"' if case.kind == CRD_KIND else ""
    hint = suggest_type_key(case.object) or add
    return UnknownKind("", f'document of kind "{case.kind}" has no apiVersion', hint=hint)


def _format_message(case: DocumentCase) -> str:
    return describe_missing_crd(case.kind, _format_api_version(case))


def _format_api_version(case: DocumentCase) -> str:
    return "/".join(filter(None, (case.group, case.version)))


def _suggest_groups(kind: str, groups: Sequence[str]) -> str:
    """Return a hint for a kind of other groups."""
    names = " or ".join(f'"{group or CORE_VERSION}"' for group in groups)
    return f'"{kind}" is a kind of {names}' if groups else ""


def _find_misspelled_kind(kind: str, kinds: Collection[str]) -> str | None:
    """Return the kind of the core group that is misspelled, None if none is."""
    names = {name.lower(): name for name in kinds}
    limit = min(_MAX_TYPOS, len(kind) // _CHARACTERS_PER_TYPO)
    nearest = find_misspelled(kind.lower(), names, limit)
    return names[nearest] if nearest else None
