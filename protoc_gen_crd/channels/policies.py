"""Crds to ValidatingAdmissionPolicies with their bindings: one pair for each version that holds what is outside.

A version has a policy of its own because servers check an expression against every version that the policy matches, and
matching is exact so that nothing is converted. What is below a status with a subresource is written through that alone.

Source: k8s.io/api v0.37.0 admissionregistration/v1; k8s.io/apiserver v0.37.1 pkg/admission/plugin/policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.sums import digest
from protoc_gen_crd.base.versions import NEWEST, minors_of
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.types import Declarations
from protoc_gen_crd.channels.costs import Costs
from protoc_gen_crd.channels.demands import demands
from protoc_gen_crd.channels.expressions import Expressions
from protoc_gen_crd.channels.guards import Guard, guards
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.settings import Settings

API = "admissionregistration.k8s.io/v1"
_SINCE = 30  # servers that have the API
_LONGEST = 253  # characters of a name
_MOST = 1_000  # fields of a policy: about half of what etcd stores of one object

Manifest = dict[str, Any]


class Policies(Record):
    """The policies of one Crd and their bindings, in the order to apply them."""

    crd: Crd
    manifests: tuple[Manifest, ...]


def policies(crds: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[Policies, ...]:
    """The policies that keep the API to a channel; nothing for kinds that are all in it."""
    builder = _Builder(settings, problems)
    made = tuple([found for crd in crds if (found := builder.of(crd)).manifests])
    minors = minors_of(settings.kubernetes) if settings.kubernetes else (NEWEST,)
    if made and minors[0] < _SINCE:
        problem = f"policies want Kubernetes 1.{_SINCE} or newer, found {settings.kubernetes}"
        hint = "with channel_fields=left-out no policy is wanted"
        problems.report("channel-kubernetes", problem, made[0].crd.origin, path=made[0].crd.name, hint=hint)
    return made


class _Builder:
    """Makes the policies of a run."""

    def __init__(self, settings: Settings, problems: Problems) -> None:
        self._minor = minor = minors_of(settings.kubernetes)[-1] if settings.kubernetes else NEWEST
        self._settings = settings
        self._problems = problems
        self._environment = environment.new(minor)
        self._declarations = Declarations(environment.sizes(minor))
        keeps = settings.policy_existing == "kept"
        self._expressions = Expressions(self._declarations, keeps=keeps)
        self._escaped = Expressions(self._declarations, keeps=keeps, escapes=True)

    def of(self, crd: Crd) -> Policies:
        """The policies of a kind."""
        made = tuple([one for version in crd.versions for one in self._of_version(crd, version)])
        if made and self._settings.policy_namespaces and crd.scope == "Cluster":
            problem = f"namespaces can be chosen for kinds that live in them, found {crd.names.kind} of scope Cluster"
            self._problems.report("channel-namespaces", problem, crd.origin, path=crd.name)
        return Policies(crd, made)

    def _of_version(self, crd: Crd, version: Version) -> Iterator[Manifest]:
        if not version.served:
            return
        outside = self._settings.beyond(version.channel)
        found = list(islice(guards(version, self._settings.beyond), _MOST + 1))
        if len(found) > _MOST:
            self._report_many(crd, version, found[-1])
            return
        if not outside:
            self._check_demands(crd, found)
        through_status = [one for one in found if version.status and one.steps[0].name == "status"]
        rest = [one for one in found if one not in through_status]
        if outside or rest:
            yield from self._pair(crd, version, "", rest, outside=outside)
        if through_status:
            yield from self._pair(crd, version, "status", through_status)

    def _report_many(self, crd: Crd, version: Version, last: Guard) -> None:
        at = last.schema.origin or crd.origin
        self._problems.report(
            "channel-many",
            f"a policy must look for at most {_MOST:,} fields, found more in {crd.names.kind} {version.name}, up to "
            f"{last.path}",
            at,
            path=(at.owner() if at else "") or crd.name,
            hint="mark what holds the field rather than the field",
        )

    def _whole(self, crd: Crd, version: Version, named: str) -> Sequence[Manifest]:
        """What refuses objects of a version that is outside."""
        every = all(self._settings.beyond(one.channel) for one in crd.versions if one.served)
        what = f"kind {crd.names.kind}" if every else f"version {version.name} of {crd.names.kind}"
        way = "" if every else "use another version, or "
        return [self._validation(what, version.channel, self._expressions.of_version(), named, way)]

    def _pair(
        self, crd: Crd, version: Version, subresource: str, found: Sequence[Guard], *, outside: bool = False
    ) -> Iterator[Manifest]:
        """A policy and its binding. In a version that is outside, fields count only for the updates that it allows."""
        named = _named(crd.name, version.name, subresource, self._settings.channel)
        kept = found if not outside or self._settings.policy_existing == "kept" else ()
        rules = [self._validation(one.what, one.channel, self._expressions.of(one), named, _LEAVE) for one in kept]
        costs = Costs(crd, version, self._environment, self._declarations, self._problems)
        costs.check([(one, self._expressions.of(one), self._escaped.of(one)) for one in kept])
        yield {
            "apiVersion": API,
            "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": named},
            "spec": {
                "failurePolicy": self._settings.policy_failure,
                "matchConditions": [_NOT_DELETED],
                "matchConstraints": {"matchPolicy": "Exact", "resourceRules": [_rule(crd, version, subresource)]},
                "validations": [*(self._whole(crd, version, named) if outside else ()), *rules],
            },
        }
        yield self._binding(named)

    def _binding(self, named: str) -> Manifest:
        spec: Manifest = {"policyName": named, "validationActions": ["Deny"]}
        if self._settings.policy_namespaces:
            spec["matchResources"] = {"namespaceSelector": dict(self._settings.policy_namespaces)}
        return {
            "apiVersion": API,
            "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": named},
            "spec": spec,
        }

    def _validation(self, what: str, channel: str, expression: str, named: str, way: str) -> Manifest:
        message = (
            f'{what} belongs to release channel "{channel}", and nothing later than '
            f'"{self._settings.channel}" is enabled here: {way}lift the binding "{named}"'
        )
        return {"expression": expression, "message": _on_one_line(message), "reason": "Forbidden"}

    def _check_demands(self, crd: Crd, found: Sequence[Guard]) -> None:
        """Report what every object would have, so that every object would be refused."""
        for guard in found:
            self._check_demand(crd, guard)
        for demand in demands(found, self._minor):
            self._report_demand(crd, f"one of {', '.join(demand.paths)} required", demand.at)

    def _check_demand(self, crd: Crd, guard: Guard) -> None:
        name, holder = guard.steps[-1].name, guard.in_default()
        at = guard.schema.origin
        if not guard.value and name and name in (guard.parent.get("required") or ()):
            found = f'"{guard.path}" required'
        elif holder is None:
            return
        elif holder.path == guard.path:
            of = f'"{guard.path}"'
            found = f"it as the default of {of}" if guard.value else f"{of} with a default, which servers fill in"
        else:
            found, at = f'{guard.what} in the default of "{holder.path}"', holder.schema.place("default")
        self._report_demand(crd, found, at)

    def _report_demand(self, crd: Crd, found: str, at: Place | None) -> None:
        problem = f'what is outside channel "{self._settings.channel}" must be left to choice, found {found}'
        at = at or crd.origin
        self._problems.report("channel-demanded", problem, at, path=(at.owner() if at else "") or crd.name)


_LEAVE = "leave it out, or "


def _on_one_line(text: str) -> str:
    """A text whose line breaks, which servers refuse in messages, are told as CEL writes them."""
    return text.replace("\n", "\\n").replace("\r", "\\r")


def _named(*parts: str) -> str:
    """A name of these parts, or one that stands for it where it would be too long for a server."""
    name = ".".join(filter(None, parts))
    return name if len(name) <= _LONGEST else f"{digest(name.encode())[:32]}.{parts[-1]}"


# A finalizer is taken away by an update, whatever the object holds.
_NOT_DELETED = {"name": "not-being-deleted", "expression": "!has(object.metadata.deletionTimestamp)"}


def _rule(crd: Crd, version: Version, subresource: str) -> Manifest:
    return {
        "apiGroups": [crd.group],
        "apiVersions": [version.name],
        "operations": ["UPDATE"] if subresource else ["CREATE", "UPDATE"],
        "resources": [f"{crd.names.plural}/{subresource}" if subresource else crd.names.plural],
    }
