"""The groups and kinds that a run knows: those of its CRDs, built-in ones, and others."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from protoc_gen_crd.base.suggestions import find_misspelled
from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.documents.kind_messages import format_api_version
from protoc_gen_crd.documents.malformed_objects import LIST_SUFFIX, split_api_version
from protoc_gen_crd.kubernetes.built_in_groups import (
    has_built_in_kind,
    is_built_in,
    is_subproject,
    list_built_in_groups,
)
from protoc_gen_crd.kubernetes.built_in_kinds import BUILT_IN_KINDS

_MAX_TYPOS = 2  # in the API group of a document; with more, the group is another one


class KnownKinds:
    """Kinds by group, and the nearest of them. `other_kinds` are groups and kinds that are known without a CRD."""

    def __init__(self, definitions: CrdDefinitions, other_kinds: Collection[tuple[str, str]] = ()) -> None:
        self._definitions = definitions
        self._other_kinds = other_kinds

    def list_groups(self) -> list[str]:
        """Return the groups of CRDs and other kinds."""
        return [*self._definitions.list_groups(), *(group for group, _ in self._other_kinds)]

    def list_kinds(self, group: str | None = None) -> list[str]:
        """Return the kinds of CRDs and other kinds, those of a group if it is not None."""
        others = (kind for kind_group, kind in self._other_kinds if group in (None, kind_group))
        return [*self._definitions.list_kinds(group), *others]

    def list_groups_with(self, kind: str) -> list[str]:
        """Return the groups that have a kind, of Kubernetes and of CRDs."""
        groups = {group for group in self.list_groups() if kind in self.list_kinds(group)}
        return [*list_built_in_groups(kind), *sorted(groups)] if kind else []

    def is_known_group(self, case: DocumentCase) -> bool:
        """Return whether the group of a document is built-in or that of a known kind."""
        return is_built_in(case.group, case.version) or case.group in self.list_groups()

    def is_list(self, case: DocumentCase) -> bool:
        """Return whether the kind of a document is that of a list in a known group, such as `List` or `WidgetList`."""
        kind = case.kind.removesuffix(LIST_SUFFIX)
        return kind != case.kind and self.is_known_group(case) and (not kind or self._has_kind(case, kind))

    def _has_kind(self, case: DocumentCase, kind: str) -> bool:
        is_kind = is_built_in(case.group, case.version) and has_built_in_kind(case.group, kind)
        return is_kind or kind in self.list_kinds(case.group)

    def find_api_version(self, text: str) -> str | None:
        """Return the apiVersion of a known group that is written in another case or with other separators."""
        for part in (text, "/".join(text.split("/")[:2])):
            group, version = split_api_version(part)
            if group and group in {*self.list_groups(), *BUILT_IN_KINDS}:
                return f"{group}/{version}"
        return None

    def find_misspelled_version(self, case: DocumentCase) -> str | None:
        """Return the apiVersion that a document with another group misspells."""
        if respelled := self.find_api_version(format_api_version(case)):
            return respelled
        for definition in self._definitions:
            crd = definition.crd
            is_without_group = not case.group and definition.serves(case.version)
            if crd is not None and crd.names.kind == case.kind and (is_without_group or crd.name == case.group):
                return f"{crd.group}/{case.version}"
        near = find_misspelled(case.group or case.version, self._list_groups_like(case.group), _MAX_TYPOS)
        return self._complete_api_version(near, case.version if case.group else "") if near else None

    def _list_groups_like(self, group: str) -> Sequence[str]:
        """Return the groups with which to compare an unknown one."""
        built_in = () if is_subproject(group) else BUILT_IN_KINDS
        return [name for name in (*self.list_groups(), *built_in) if name]

    def _complete_api_version(self, group: str, version: str) -> str:
        """Return an apiVersion, with a version of the group if `version` is empty."""
        versions = (version, *self._definitions.list_served_versions(group))
        return f"{group}/{next(filter(None, versions), 'v1')}"
