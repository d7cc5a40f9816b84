"""The judgment of the changes of a kind by the verdicts of a server: on the CRDs, and on objects of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.evidence.evidence_search import EvidenceSearch
from protoc_gen_crd.comparison.evidence.example_object import Evidence, Object
from protoc_gen_crd.comparison.evidence.server_rejections import VERSION_REMOVED, list_rejections, report_rejections
from protoc_gen_crd.comparison.schemas.enforced_keywords import STATUS, is_in_status
from protoc_gen_crd.comparison.schemas.node_pair import NodePair
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.supported_versions import format_minors

_NOT_FOUND = "no object was found that only the old API accepts"


class KindJudge:
    """Judges the changes of one kind by the verdicts of a server: on the CRDs, and on objects of them.

    `objects` are test documents and samples of the old side, which are replayed where the search finds nothing.
    `needs_evidence` selects the changes whose evidence is searched. `compiler` is that of other kinds, if there are
    any: kinds often have the same rules.
    """

    def __init__(
        self, old: Crd, new: Crd, minors: Sequence[int], objects: Sequence[Object] = (),
        needs_evidence: Callable[[Change], bool] = lambda _: True, compiler: RuleCompiler | None = None,
    ) -> None:  # fmt: skip
        self._old, self._new, self._objects = old, new, objects
        self._needs_evidence = needs_evidence
        # Shortcut one-server: verdicts are a function of the versions and the input, so servers of the same versions
        # share what they have compiled.
        compiler = compiler or RuleCompiler()
        self._server = AdmissionServer(minors[-1:], compiler)
        self._servers = AdmissionServer(minors, compiler) if len(minors) > 1 else self._server
        self._searches: dict[tuple[str, bool], EvidenceSearch] = {}
        self._changes: Sequence[Change] = ()

    def _admit_new(self, updated: Verdict) -> Verdict:
        """Return the verdict on the new CRD by itself; `updated` is the verdict on it as an update.

        Shortcut accepted-updates: servers that accept a CRD, and then its update, accept the new CRD by itself.
        """
        return updated if updated.accepted else self._server.admit(self._new)[-1]

    def judge(self, changes: Sequence[Change], kind: str) -> list[Change]:
        """Return the changes with their evidence, after those that make the server reject the CRD.

        Errors that the old CRD has, too, are reported: servers still reject the new CRD.
        """
        old = self._server.admit(self._old)[-1]
        if not old.accepted:
            hint = f"no example, since API servers reject the old CRD: {old.causes[0].message}"
            hinted = [_add_hint(change, hint) for change in changes]
            rejections = list_rejections([self._server.admit(self._new)[-1]], self._new)
            return report_rejections(hinted, rejections, kind)
        updated = self._server.admit(self._new, self._old)[-1]
        new = self._admit_new(updated)
        rejections = list_rejections([new, updated], self._new)
        if not new.accepted:
            return report_rejections(changes, rejections, kind)
        self._old, self._new, self._changes = old.object, new.object, changes
        return report_rejections([self._add_evidence(change) for change in changes], rejections, kind)

    def _add_evidence(self, change: Change) -> Change:
        """Return a change with its evidence, or with the note that there is none."""
        if (change.nodes is not None or change.rule == VERSION_REMOVED) and self._is_unused(change.versions):
            hint = f"no client can use {', '.join(change.versions)}, because it is neither served nor stored"
            return change.replace(change_class=ChangeClass.NONE, hint=hint)
        if change.nodes is None or change.change_class < ChangeClass.SEMANTIC or not self._needs_evidence(change):
            return change
        search = self._get_search(change, change.nodes)
        evidence = search.find(change, change.nodes) if search is not None else None
        if evidence is not None:
            hint = evidence.format_hint() + self._describe_exemption(evidence)
            subresource = STATUS if evidence.is_status else ""
            change = change.replace(
                example=evidence.example, before=evidence.before, subresource=subresource, hint=hint
            )
            if evidence.is_rejected:
                return change
        if change.change_class is not ChangeClass.TIGHTEN:
            return change
        hint = "; ".join(filter(None, (change.hint, _NOT_FOUND)))
        return change.replace(is_proven=False, hint=hint)

    def _is_unused(self, names: Sequence[str]) -> bool:
        """Return whether neither CRD serves or stores any of the versions: servers do not use their schemas."""
        versions = [version for crd in (self._old, self._new) for version in crd.versions if version.name in names]
        return bool(versions) and not any(version.served or version.storage for version in versions)

    def _describe_exemption(self, evidence: Evidence) -> str:
        """Describe in which versions of Kubernetes a stored object stays valid as long as the value does not change."""
        if not evidence.is_rejected or evidence.before is not None:
            return ""
        metadata = evidence.example["metadata"]
        edited = {**evidence.example, "metadata": {**metadata, "labels": {**metadata.get("labels", {}), "edited": ""}}}
        verdicts = self._servers.validate(self._new, edited, evidence.example)
        minors = sorted(minor for verdict in verdicts if verdict.accepted for minor in verdict.minors)
        if not minors:
            return ""
        exemption = "stored objects with such a value stay valid until the value changes"
        return f"; with Kubernetes {format_minors(minors)}, {exemption}"

    def _get_search(self, change: Change, pair: NodePair) -> EvidenceSearch | None:
        """Return the search in the first version of a change that both sides serve, None if there is none."""
        served = [
            {version.name: version for version in crd.versions if version.served} for crd in (self._old, self._new)
        ]
        name = next((name for name in change.versions if all(name in versions for versions in served)), "")
        if not name:
            return None
        is_status = is_in_status(pair.path) and all(versions[name].status for versions in served)
        key = name, is_status
        if key not in self._searches:
            self._searches[key] = EvidenceSearch(
                self._old, self._new, served[0][name], self._server, self._changes, self._objects, is_status=is_status
            )
        return self._searches[key]


def judge_added_kind(
    crd: Crd, changes: Sequence[Change], minors: Sequence[int], kind: str, compiler: RuleCompiler
) -> list[Change]:
    """Return the changes that add a kind, after those that make the server reject its CRD."""
    verdict = AdmissionServer(minors[-1:], compiler).admit(crd)[-1]
    return report_rejections(changes, list_rejections([verdict], crd), kind)


def _add_hint(change: Change, hint: str) -> Change:
    """Return a change with a hint, unless it needs no evidence."""
    return change if change.change_class < ChangeClass.SEMANTIC else change.replace(hint=hint)
