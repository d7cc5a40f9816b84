"""Policies for a release channel on a running API server: elements outside it are rejected, all others accepted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
import yaml

from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.samples.sampler import Sampler
from tests.cluster.server import Cluster, Reply, wait
from tests.conftest import ROOT
from tests.support.channels import ROWS, generated

POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
BINDINGS = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings"
PATHS = {"ValidatingAdmissionPolicy": POLICIES, "ValidatingAdmissionPolicyBinding": BINDINGS}
WHOLE = [row["case"] for row in ROWS if "spec" not in row]  # kinds and versions
Manifest = dict[str, Any]


class Channel:
    """The server with the marked API, objects from before the policies, and the policies."""

    def __init__(self, cluster: Cluster, crds: list[Manifest], policies: list[Manifest], existing: str = "") -> None:
        self.cluster = cluster
        self.crds, self.policies = crds, policies
        self.existing = existing
        self._crds = {crd["spec"]["names"]["kind"]: crd for crd in crds}

    def collection(self, manifest: Manifest) -> str:
        crd = self._crds[manifest["kind"]]
        scope = "namespaces/default/" if crd["spec"]["scope"] == "Namespaced" else ""
        return f"/apis/{manifest['apiVersion']}/{scope}{crd['spec']['names']['plural']}"

    def versions(self, kind: str) -> list[str]:
        """Return the served versions of a kind, with its group, that are part of the channel."""
        spec = self._crds[kind]["spec"]
        outside = {
            row["object"]["apiVersion"] for row in ROWS if row["case"] in WHOLE and row["object"]["kind"] == kind
        }
        names = [f"{spec['group']}/{version['name']}" for version in spec["versions"] if version["served"]]
        return [name for name in names if name not in outside]

    def outside(self, rows: Iterable[Manifest]) -> Iterator[Manifest]:
        """The elements that the policies must reject in each served version; each version has a policy of its own."""
        for row in rows:
            used = named(using(row), "a")
            versions = self.versions(used["kind"]) if "spec" in row else [used["apiVersion"]]
            yield from ({**used, "apiVersion": version} for version in versions)

    def create(self, manifest: Manifest, *, dry: bool = True) -> Reply:
        return self.cluster.call("POST", self.collection(manifest) + "?dryRun=All" * dry, manifest)

    def update(self, name: str, manifest: Manifest, subresource: str = "") -> Reply:
        """Return the object with this name after a change, with an additional label."""
        path = f"{self.collection(manifest)}/{name}"
        version = self.cluster.call("GET", path).body["metadata"]["resourceVersion"]
        metadata = {"name": name, "resourceVersion": version, "labels": {"changed": "yes"}}
        path += f"/{subresource}" * bool(subresource)
        return self.cluster.call("PUT", f"{path}?dryRun=All", {**manifest, "metadata": metadata})

    def install(self, objects: Iterable[Manifest] = ()) -> None:
        """The CRDs, objects from before the policies, and the policies."""
        self.cluster.serve(self.crds)
        for manifest in objects:
            self.create(manifest, dry=False)
        for policy in self.policies:
            reply = self.cluster.call("POST", PATHS[policy["kind"]], policy)
            assert reply.code == HTTPStatus.CREATED, reply.body

    def check_types(self) -> None:
        for policy in self.policies:
            if policy["kind"] == "ValidatingAdmissionPolicy":
                assert self.types(policy["metadata"]["name"]) == {}

    def types(self, name: str) -> Any:
        """Return the warnings of the server's type checking of a policy."""
        path = f"{POLICIES}/{name}"
        wait(lambda: self.cluster.call("GET", path).body["status"].get("observedGeneration"))
        return self.cluster.call("GET", path).body["status"]["typeChecking"]

    def remove(self, rows: Iterable[Manifest] = ()) -> None:
        """Remove the policies; the objects of rows are accepted afterwards."""
        for policy in reversed(self.policies):
            self.cluster.call("DELETE", f"{PATHS[policy['kind']]}/{policy['metadata']['name']}")
        wait(lambda: not any(is_rejected(self.create(item)) for item in self.outside(rows)))
        self.cluster.remove([crd["metadata"]["name"] for crd in self.crds])


def named(manifest: Manifest, name: str) -> Manifest:
    return {**manifest, "metadata": {"name": name}}


def using(row: Manifest) -> Manifest:
    return {**row["object"], "spec": row.get("spec", row["object"]["spec"])}


def is_rejected(reply: Reply, message: str = "") -> bool:
    assert reply.code in (HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.FORBIDDEN), reply.body
    return reply.code == HTTPStatus.FORBIDDEN and message in reply.body["message"]


@pytest.fixture(scope="module", params=["allow", "reject"])
def channel(request: pytest.FixtureRequest, cluster: Cluster) -> Iterator[Channel]:
    crds, policies, _ = generated(f"policy_existing={request.param}")
    case_channel = Channel(cluster, crds, policies, request.param)
    case_channel.install(
        named(manifest, f"{name}-{row['case']}")
        for row in ROWS
        for name, manifest in (("plain", row["object"]), ("using", using(row)))
    )
    wait(lambda: all(is_rejected(case_channel.create(item)) for item in case_channel.outside(ROWS)))
    yield case_channel
    case_channel.remove(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_elements_outside_the_channel_are_rejected(row: Manifest, channel: Channel) -> None:
    case, kept = row["case"], channel.existing == "allow"
    assert is_rejected(channel.create(named(using(row), "new")), row["says"])
    assert is_rejected(channel.create(named(row["object"], "new"))) == (case in WHOLE)
    if case in WHOLE:
        assert is_rejected(channel.update(f"plain-{case}", row["object"]), row["says"]) != kept
        return
    assert is_rejected(channel.update(f"plain-{case}", using(row)), row["says"])
    assert not is_rejected(channel.update(f"plain-{case}", row["object"]))
    assert is_rejected(channel.update(f"using-{case}", using(row))) != kept
    assert not is_rejected(channel.update(f"using-{case}", row["object"]))


@pytest.mark.parametrize("row", [row for row in ROWS if "spec" in row], ids=lambda row: row["case"])
def test_elements_outside_the_channel_are_rejected_in_every_served_version(row: Manifest, channel: Channel) -> None:
    kept = channel.existing == "allow"
    versions = channel.versions(row["object"]["kind"])
    assert len(versions) > 1
    for version in versions:
        plain = {**row["object"], "apiVersion": version}
        used = {**plain, "spec": row["spec"]}
        assert is_rejected(channel.create(named(used, "new")), row["says"]), version
        assert not is_rejected(channel.create(named(plain, "new"))), version
        assert is_rejected(channel.update(f"plain-{row['case']}", used), row["says"]), version
        assert not is_rejected(channel.update(f"plain-{row['case']}", plain)), version
        assert is_rejected(channel.update(f"using-{row['case']}", used)) != kept, version


def test_policies_have_no_type_errors(channel: Channel) -> None:
    channel.check_types()


def test_type_errors_of_policies_are_reported(channel: Channel) -> None:
    policy = next(policy for policy in channel.policies if len(policy["spec"].get("validations", ())) > 1)
    spec = {**policy["spec"], "validations": [{"expression": "!has(object.spec.nothing)"}]}
    channel.cluster.call("POST", POLICIES, {**policy, "metadata": {"name": "wrong"}, "spec": spec})
    assert "undefined field" in str(channel.types("wrong"))
    channel.cluster.call("DELETE", f"{POLICIES}/wrong")


def test_elements_inside_the_channel_are_accepted(channel: Channel) -> None:
    sampler = Sampler(AdmissionServer((NEWEST,)))
    accepted = 0
    for plain in channel.crds:
        crd = decode(plain).crd
        assert crd is not None
        for version in crd.versions:
            sample = sampler.make_sample(crd, version, full=False).object
            if f"{version.name} {crd.names.kind}" not in ("v1alpha3 Gateway", "v1alpha3 EnvoyFilter"):
                assert not is_rejected(channel.create(named(sample, "sample")))
                accepted += 1
    assert accepted == sum(len(crd["spec"]["versions"]) for crd in channel.crds) - len(WHOLE)


def test_full_objects_inside_the_channel_are_accepted(channel: Channel) -> None:
    """Every field except for those of the other channel."""
    sampler = Sampler(AdmissionServer((NEWEST,)))
    accepted = 0
    for plain in generated("channel_fields=omit")[0]:
        crd = decode(plain).crd
        assert crd is not None
        for version in crd.versions:
            sample = sampler.make_sample(crd, version, full=True)
            assert not sample.errors
            assert not is_rejected(channel.create(named(sample.object, "sample"))), sample.object
            accepted += 1
    assert accepted == sum(len(crd["spec"]["versions"]) for crd in channel.crds) - len(WHOLE)


def of_case(folder: Path, cluster: Cluster) -> Channel:
    files = sorted((folder / "expected").glob("*.yaml"))
    documents = [item for file in files for item in yaml.safe_load_all(file.read_text())]
    crds = [document for document in documents if document["kind"] == "CustomResourceDefinition"]
    return Channel(cluster, crds, [document for document in documents if document not in crds])


CASES = sorted((ROOT / "testdata" / "channels").glob("*/objects.yaml"))


@pytest.mark.parametrize("path", CASES, ids=[path.parent.name for path in CASES])
def test_policies_of_a_case(path: Path, cluster: Cluster) -> None:
    case_channel = of_case(path.parent, cluster)
    rows = yaml.safe_load(path.read_text())
    case_channel.install()
    wait(lambda: all(is_rejected(case_channel.create(named(using(row), "a"))) for row in rows if "says" in row))
    for row in rows:
        reply = case_channel.create(named(using(row), "a"))
        assert is_rejected(reply, row.get("says", "")) == ("says" in row), (row, reply.body)
    case_channel.check_types()
    case_channel.remove()


def test_a_status_is_validated_when_it_is_written(cluster: Cluster) -> None:
    case_channel = of_case(ROOT / "testdata" / "channels" / "guarded", cluster)
    widget = {"apiVersion": "guarded.example/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {}}
    case_channel.install([widget])
    wait(lambda: is_rejected(case_channel.create(named({**widget, "spec": {"second": "a"}}, "b"))))
    message = "status.reason belongs"
    wait(lambda: is_rejected(case_channel.update("a", {**widget, "status": {"reason": "b"}}, "status"), message))
    assert not is_rejected(case_channel.update("a", {**widget, "status": {"phase": "b"}}, "status"))
    assert not is_rejected(case_channel.update("a", {**widget, "status": {"reason": "b"}}))  # drops it
    assert not is_rejected(case_channel.create(named({**widget, "status": {"reason": "b"}}, "b")))  # drops it, too
    assert not is_rejected(case_channel.update("a", {**widget, "spec": {"second": "b"}}, "status"))  # drops the spec
    case_channel.remove()


def test_the_largest_object_is_within_the_cost_limit(cluster: Cluster) -> None:
    """Its cost is close to the limit of servers; an aborted evaluation would have another message."""
    most = 248  # items of the list and of each map
    parts: list[Manifest] = [{"inner": {str(number): {} for number in range(most)}} for _ in range(most)]
    last = [*parts[:-1], {"inner": {**parts[0]["inner"], "0": {"weight": "a"}}}]
    widget = {"apiVersion": "costs.example/v1", "kind": "Widget"}
    case_channel = of_case(ROOT / "testdata" / "channels" / "costs", cluster)
    case_channel.install([named({**widget, "spec": {"parts": parts}}, "large")])
    message = "spec.parts[].inner{}.weight belongs"
    wait(lambda: is_rejected(case_channel.create(named({**widget, "spec": {"parts": last[-1:]}}, "a")), message))
    assert not is_rejected(case_channel.create(named({**widget, "spec": {"parts": parts}}, "a")))
    assert is_rejected(case_channel.create(named({**widget, "spec": {"parts": last}}, "a")), message)
    assert is_rejected(case_channel.update("large", {**widget, "spec": {"parts": last}}), message)
    case_channel.remove()
