"""Crds to ValidatingAdmissionPolicies with their bindings: one pair for each version that holds what is outside.

A version has a policy of its own because servers check an expression against every version that the policy matches, and
matching is exact so that nothing is converted. What is below a status with a subresource is written through that alone.

Source: k8s.io/api v0.37.0 admissionregistration/v1; k8s.io/apiserver v0.37.1 pkg/admission/plugin/policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from protoc_gen_crd.base.checksums import compute_digest
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.types import DeclarationFactory
from protoc_gen_crd.channels.guard_expressions import GuardExpressions
from protoc_gen_crd.channels.guards import Guard, find_guards
from protoc_gen_crd.channels.policy_costs import PolicyCostChecker
from protoc_gen_crd.channels.required_choices import find_required_choices
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.kubernetes.versions import NEWEST, parse_minors
from protoc_gen_crd.settings.settings import Settings

API = "admissionregistration.k8s.io/v1"
_SINCE = 30  # servers that have the API
_MAX_NAME_LENGTH = 253  # characters of a name
_MAX_VALIDATIONS = 1_000  # fields of a policy: about half of what etcd stores of one object

Manifest = dict[str, Any]


class AdmissionPolicies(Record):
    """The policies of one Crd and their bindings, in the order to apply them."""

    crd: Crd
    manifests: tuple[Manifest, ...]


def build_policies(crds: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[AdmissionPolicies, ...]:
    """The policies that keep the API to a channel; nothing for kinds that are all in it."""
    builder = _PolicyBuilder(settings, problems)
    made = tuple([found for crd in crds if (found := builder.build(crd)).manifests])
    minors = parse_minors(settings.kubernetes) if settings.kubernetes else (NEWEST,)
    if made and minors[0] < _SINCE:
        problem = f"ValidatingAdmissionPolicy requires Kubernetes 1.{_SINCE} or newer, not {settings.kubernetes}"
        hint = "channel_fields=omit works without policies"
        problems.report("channel-kubernetes", problem, made[0].crd.origin, path=made[0].crd.name, hint=hint)
    return made


class _PolicyBuilder:
    """Makes the policies of a run."""

    def __init__(self, settings: Settings, problems: Problems) -> None:
        self._minor = minor = parse_minors(settings.kubernetes)[-1] if settings.kubernetes else NEWEST
        self._settings = settings
        self._problems = problems
        self._environment = environment.get_new_environment(minor)
        self._declarations = DeclarationFactory(environment.get_sizes(minor))
        keeps = settings.policy_existing == "allow"
        self._expressions = GuardExpressions(self._declarations, keeps=keeps)
        self._escaped = GuardExpressions(self._declarations, keeps=keeps, escapes=True)

    def build(self, crd: Crd) -> AdmissionPolicies:
        """The policies of a kind."""
        made = tuple([one for version in crd.versions for one in self._build_version_policies(crd, version)])
        if made and self._settings.policy_namespaces and crd.scope == "Cluster":
            problem = f"namespaces cannot be selected for {crd.names.kind}, which has scope Cluster"
            self._problems.report("channel-namespaces", problem, crd.origin, path=crd.name)
        return AdmissionPolicies(crd, made)

    def _build_version_policies(self, crd: Crd, version: CrdVersion) -> Iterator[Manifest]:
        if not version.served:
            return
        outside = self._settings.is_beyond(version.channel)
        found = list(islice(find_guards(version, self._settings.is_beyond), _MAX_VALIDATIONS + 1))
        if len(found) > _MAX_VALIDATIONS:
            self._report_many(crd, version, found[-1])
            return
        if not outside:
            self._check_demands(crd, found)
        through_status = [one for one in found if version.status and one.steps[0].name == "status"]
        rest = [one for one in found if one not in through_status]
        if outside or rest:
            yield from self._build_pair(crd, version, "", rest, outside=outside)
        if through_status:
            yield from self._build_pair(crd, version, "status", through_status)

    def _report_many(self, crd: Crd, version: CrdVersion, last: Guard) -> None:
        at = last.schema.origin or crd.origin
        self._problems.report(
            "channel-field-limit",
            f"policy of {crd.names.kind} {version.name} has more than {_MAX_VALIDATIONS:,} guarded fields, up to "
            f"{last.path}",
            at,
            path=(at.find_owner() if at else "") or crd.name,
            hint="mark the parent of the field instead of the field",
        )

    def _build_version_guard(self, crd: Crd, version: CrdVersion, named: str) -> Sequence[Manifest]:
        """Build the validation that rejects objects of a version outside the channel."""
        every = all(self._settings.is_beyond(one.channel) for one in crd.versions if one.served)
        what = f"kind {crd.names.kind}" if every else f"version {version.name} of {crd.names.kind}"
        way = "" if every else "use another version, or "
        return [self._build_validation(what, version.channel, self._expressions.format_version_guard(), named, way)]

    def _build_pair(
        self, crd: Crd, version: CrdVersion, subresource: str, found: Sequence[Guard], *, outside: bool = False
    ) -> Iterator[Manifest]:
        """A policy and its binding. In a version that is outside, fields count only for the updates that it allows."""
        named = _format_name(crd.name, version.name, subresource, self._settings.channel)
        kept = found if not outside or self._settings.policy_existing == "allow" else ()
        rules = [
            self._build_validation(
                one.description, one.channel, self._expressions.format_guard(one), named, _REMOVE_HINT
            )
            for one in kept
        ]
        costs = PolicyCostChecker(crd, version, self._environment, self._declarations, self._problems)
        costs.check_policies(
            [(one, self._expressions.format_guard(one), self._escaped.format_guard(one)) for one in kept]
        )
        yield {
            "apiVersion": API,
            "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": named},
            "spec": {
                "failurePolicy": self._settings.policy_failure,
                "matchConditions": [_NOT_DELETED],
                "matchConstraints": {
                    "matchPolicy": "Exact",
                    "resourceRules": [_build_resource_rule(crd, version, subresource)],
                },
                "validations": [*(self._build_version_guard(crd, version, named) if outside else ()), *rules],
            },
        }
        yield self._build_binding(named)

    def _build_binding(self, named: str) -> Manifest:
        spec: Manifest = {"policyName": named, "validationActions": ["Deny"]}
        if self._settings.policy_namespaces:
            spec["matchResources"] = {"namespaceSelector": dict(self._settings.policy_namespaces)}
        return {
            "apiVersion": API,
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": named},
            "spec": spec,
        }

    def _build_validation(self, what: str, channel: str, expression: str, named: str, way: str) -> Manifest:
        message = (
            f'{what} belongs to release channel "{channel}", which is not enabled: '
            f'{way}delete the ValidatingAdmissionPolicyBinding "{named}"'
        )
        return {"expression": expression, "message": _escape_line_breaks(message), "reason": "Forbidden"}

    def _check_demands(self, crd: Crd, found: Sequence[Guard]) -> None:
        """Report guarded fields that every object has, so that every object would be rejected."""
        for guard in found:
            self._check_demand(crd, guard)
        for demand in find_required_choices(found, self._minor):
            self._report_demand(crd, f"one of {', '.join(demand.paths)} is required", demand.at)

    def _check_demand(self, crd: Crd, guard: Guard) -> None:
        name, holder = guard.steps[-1].name, guard.find_use_in_default()
        at = guard.schema.origin
        if not guard.value and name and name in (guard.parent.get("required") or ()):
            found = f'"{guard.path}" is required'
        elif holder is None:
            return
        elif holder.path == guard.path:
            found = f'"{guard.path}" has a default, which API servers fill in'
            found = f'the default of "{guard.path}" is "{guard.value}"' if guard.value else found
        else:
            found, at = (
                f'the default of "{holder.path}" contains {guard.description}',
                holder.schema.get_place("default"),
            )
        self._report_demand(crd, found, at)

    def _report_demand(self, crd: Crd, found: str, at: Place | None) -> None:
        problem = f'no object can stay in channel "{self._settings.channel}": {found}'
        at = at or crd.origin
        self._problems.report("channel-required", problem, at, path=(at.find_owner() if at else "") or crd.name)


_REMOVE_HINT = "remove it, or "


def _escape_line_breaks(text: str) -> str:
    """A text whose line breaks, which servers refuse in messages, are told as CEL writes them."""
    return text.replace("\n", "\\n").replace("\r", "\\r")


def _format_name(*parts: str) -> str:
    """A name of these parts, or one that stands for it where it would be too long for a server."""
    name = ".".join(filter(None, parts))
    return name if len(name) <= _MAX_NAME_LENGTH else f"{compute_digest(name.encode())[:32]}.{parts[-1]}"


# A finalizer is taken away by an update, whatever the object holds.
_NOT_DELETED = {"name": "not-being-deleted", "expression": "!has(object.metadata.deletionTimestamp)"}


def _build_resource_rule(crd: Crd, version: CrdVersion, subresource: str) -> Manifest:
    return {
        "apiGroups": [crd.group],
        "apiVersions": [version.name],
        "operations": ["UPDATE"] if subresource else ["CREATE", "UPDATE"],
        "resources": [f"{crd.names.plural}/{subresource}" if subresource else crd.names.plural],
    }
