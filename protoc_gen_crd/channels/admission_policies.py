"""ValidatingAdmissionPolicies and their bindings for CRDs: one pair for each version with guarded elements.

Each version has its own policy, because servers check the types of an expression for all versions that the policy
matches. Matching is exact so that objects are not converted. Fields of a status with a subresource are written only
through the subresource.

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
from protoc_gen_crd.kubernetes.api_server_limits import MAX_NAME_LENGTH
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, parse_minors
from protoc_gen_crd.settings.settings import Settings

API = "admissionregistration.k8s.io/v1"
_SINCE = 30  # minor version from which servers have the API
_MAX_VALIDATIONS = 1_000  # validations of a policy: about half of etcd's limit on the size of an object

Manifest = dict[str, Any]


class AdmissionPolicies(Record):
    """The policies of one CRD and their bindings, in the order to apply them."""

    crd: Crd
    manifests: tuple[Manifest, ...]


def build_policies(crds: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[AdmissionPolicies, ...]:
    """Build the policies that reject elements outside the channel; none for kinds without such elements."""
    builder = _PolicyBuilder(settings, problems)
    policies = tuple([kind_policies for crd in crds if (kind_policies := builder.build(crd)).manifests])
    minors = parse_minors(settings.kubernetes) if settings.kubernetes else (NEWEST,)
    if policies and minors[0] < _SINCE:
        problem = f"ValidatingAdmissionPolicy requires Kubernetes 1.{_SINCE} or newer, not {settings.kubernetes}"
        hint = "channel_fields=omit works without policies"
        problems.report("channel-kubernetes", problem, policies[0].crd.origin, path=policies[0].crd.name, hint=hint)
    return policies


class _PolicyBuilder:
    """A builder of the policies of a run."""

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
        """Build the policies of a kind."""
        manifests = tuple(
            [manifest for version in crd.versions for manifest in self._build_version_policies(crd, version)]
        )
        if manifests and self._settings.policy_namespaces and crd.scope == "Cluster":
            problem = f"namespaces cannot be selected for {crd.names.kind}, which has scope Cluster"
            self._problems.report("channel-namespaces", problem, crd.origin, path=crd.name)
        return AdmissionPolicies(crd, manifests)

    def _build_version_policies(self, crd: Crd, version: CrdVersion) -> Iterator[Manifest]:
        if not version.served:
            return
        outside = self._settings.is_beyond(version.channel)
        guards = list(islice(find_guards(version, self._settings.is_beyond), _MAX_VALIDATIONS + 1))
        if len(guards) > _MAX_VALIDATIONS:
            self._report_many(crd, version, guards[-1])
            return
        if not outside:
            self._check_required(crd, guards)
        through_status = [guard for guard in guards if version.status and guard.steps[0].name == "status"]
        rest = [guard for guard in guards if guard not in through_status]
        if outside or rest:
            yield from self._build_pair(crd, version, "", rest, outside=outside)
        if through_status:
            yield from self._build_pair(crd, version, "status", through_status)

    def _report_many(self, crd: Crd, version: CrdVersion, last: Guard) -> None:
        at = last.schema.origin or crd.origin
        self._problems.report(
            "channel-field-limit",
            f"more than {_MAX_VALIDATIONS:,} fields of {crd.names.kind} {version.name} are outside the release "
            f"channel: the limit is exceeded at {last.path}",
            at,
            path=(at.find_owner() if at else "") or crd.name,
            hint="mark the parent of the field instead of the field",
        )

    def _build_version_guard(self, crd: Crd, version: CrdVersion, policy_name: str) -> Sequence[Manifest]:
        """Build the validation that rejects objects of a version outside the channel."""
        all_outside = all(self._settings.is_beyond(version.channel) for version in crd.versions if version.served)
        subject = f"kind {crd.names.kind}" if all_outside else f"version {version.name} of {crd.names.kind}"
        alternative = "" if all_outside else "use another version, or "
        return [
            self._build_validation(
                subject, version.channel, self._expressions.format_version_guard(), policy_name, alternative
            )
        ]

    def _build_pair(
        self, crd: Crd, version: CrdVersion, subresource: str, guards: Sequence[Guard], *, outside: bool = False
    ) -> Iterator[Manifest]:
        """Build a policy and its binding. Guarded fields of a version outside matter only if updates are allowed."""
        policy_name = _format_name(crd.name, version.name, subresource, self._settings.channel)
        used = guards if not outside or self._settings.policy_existing == "allow" else ()
        rules = [
            self._build_validation(
                guard.description, guard.channel, self._expressions.format_guard(guard), policy_name, _REMOVE_HINT
            )
            for guard in used
        ]
        cost_checker = PolicyCostChecker(crd, version, self._environment, self._declarations, self._problems)
        cost_checker.check_policies(
            [(guard, self._expressions.format_guard(guard), self._escaped.format_guard(guard)) for guard in used]
        )
        yield {
            "apiVersion": API,
            "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": policy_name},
            "spec": {
                "failurePolicy": self._settings.policy_failure,
                "matchConditions": [_NOT_DELETED],
                "matchConstraints": {
                    "matchPolicy": "Exact",
                    "resourceRules": [_build_resource_rule(crd, version, subresource)],
                },
                "validations": [*(self._build_version_guard(crd, version, policy_name) if outside else ()), *rules],
            },
        }
        yield self._build_binding(policy_name)

    def _build_binding(self, policy_name: str) -> Manifest:
        spec: Manifest = {"policyName": policy_name, "validationActions": ["Deny"]}
        if self._settings.policy_namespaces:
            spec["matchResources"] = {"namespaceSelector": dict(self._settings.policy_namespaces)}
        return {
            "apiVersion": API,
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": policy_name},
            "spec": spec,
        }

    def _build_validation(
        self, subject: str, channel: str, expression: str, policy_name: str, alternative: str
    ) -> Manifest:
        message = (
            f'{subject} belongs to release channel "{channel}", which is not enabled: '
            f'{alternative}delete the ValidatingAdmissionPolicyBinding "{policy_name}"'
        )
        return {"expression": expression, "message": _escape_line_breaks(message), "reason": "Forbidden"}

    def _check_required(self, crd: Crd, guards: Sequence[Guard]) -> None:
        """Report guarded fields that every object has, so that every object would be rejected."""
        for guard in guards:
            self._check_required_guard(crd, guard)
        for choice in find_required_choices(guards, self._minor):
            self._report_required(crd, f"one of {', '.join(choice.paths)} is required", choice.at)

    def _check_required_guard(self, crd: Crd, guard: Guard) -> None:
        name, default_owner = guard.steps[-1].name, guard.find_use_in_default()
        at = guard.schema.origin
        if not guard.value and name and name in (guard.parent.get("required") or ()):
            requirement = f'"{guard.path}" is required'
        elif default_owner is None:
            return
        elif default_owner.path == guard.path:
            requirement = f'"{guard.path}" has a default'
            requirement = f'the default of "{guard.path}" is "{guard.value}"' if guard.value else requirement
        else:
            requirement, at = (
                f'the default of "{default_owner.path}" contains {guard.description}',
                default_owner.schema.get_place("default"),
            )
        self._report_required(crd, requirement, at)

    def _report_required(self, crd: Crd, requirement: str, at: Place | None) -> None:
        problem = f'policy of channel "{self._settings.channel}" would reject every object: {requirement}'
        at = at or crd.origin
        self._problems.report("channel-required", problem, at, path=(at.find_owner() if at else "") or crd.name)


_REMOVE_HINT = "remove it, or "


def _escape_line_breaks(message: str) -> str:
    """Escape line breaks, which servers reject in messages."""
    return message.replace("\n", "\\n").replace("\r", "\\r")


def _format_name(*parts: str) -> str:
    """Join the parts of a name; a name that is too long for servers is replaced by its digest and last part."""
    name = ".".join(filter(None, parts))
    return name if len(name) <= MAX_NAME_LENGTH else f"{compute_digest(name.encode())[:32]}.{parts[-1]}"


# The removal of a finalizer is an update, which must always be possible.
_NOT_DELETED = {"name": "not-being-deleted", "expression": "!has(object.metadata.deletionTimestamp)"}


def _build_resource_rule(crd: Crd, version: CrdVersion, subresource: str) -> Manifest:
    return {
        "apiGroups": [crd.group],
        "apiVersions": [version.name],
        "operations": ["UPDATE"] if subresource else ["CREATE", "UPDATE"],
        "resources": [f"{crd.names.plural}/{subresource}" if subresource else crd.names.plural],
    }
