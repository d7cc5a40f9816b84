"""Kinds of Kubernetes' own API groups, including removed ones. Lists are left out.

A line is `GROUP KIND...`, with `core` for the group without a name. A group can have several lines.
Source: `AddKnownTypes` of k8s.io/api v0.17 to v0.37, k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator v0.37,
as `tests/judges/built_in_kinds/record.py` records it.
"""

from __future__ import annotations

from collections import defaultdict

_LINES = """
admission.k8s.io AdmissionReview
admissionregistration.k8s.io MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration
admissionregistration.k8s.io ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration
apidiscovery.k8s.io APIGroupDiscovery
apiextensions.k8s.io ConversionReview CustomResourceDefinition
apiregistration.k8s.io APIService
apps ControllerRevision DaemonSet Deployment DeploymentRollback ReplicaSet Scale StatefulSet
auditregistration.k8s.io AuditSink
authentication.k8s.io SelfSubjectReview TokenRequest TokenReview
authorization.k8s.io LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
autoscaling HorizontalPodAutoscaler Scale
batch CronJob Job JobTemplate
certificates.k8s.io CertificateSigningRequest ClusterTrustBundle PodCertificateRequest
coordination.k8s.io Lease LeaseCandidate
core Binding ComponentStatus ConfigMap Endpoints EphemeralContainers Event LimitRange List Namespace Node
core NodeProxyOptions PersistentVolume PersistentVolumeClaim Pod PodAttachOptions PodExecOptions PodLogOptions
core PodPortForwardOptions PodProxyOptions PodStatusResult PodTemplate RangeAllocation ReplicationController
core ResourceQuota Secret SerializedReference Service ServiceAccount ServiceProxyOptions
discovery.k8s.io EndpointSlice
events.k8s.io Event
extensions DaemonSet Deployment DeploymentRollback Ingress NetworkPolicy PodSecurityPolicy ReplicaSet
extensions ReplicationControllerDummy Scale
flowcontrol.apiserver.k8s.io FlowSchema PriorityLevelConfiguration
imagepolicy.k8s.io ImageReview
internal.apiserver.k8s.io StorageVersion
lifecycle.k8s.io Eviction EvictionRequest
networking.k8s.io ClusterCIDR IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR
node.k8s.io RuntimeClass
policy Eviction PodDisruptionBudget PodSecurityPolicy
rbac.authorization.k8s.io ClusterRole ClusterRoleBinding Role RoleBinding
resource.k8s.io DeviceClass DeviceTaintRule PodScheduling PodSchedulingContext ResourceClaim ResourceClaimParameters
resource.k8s.io ResourceClaimTemplate ResourceClass ResourceClassParameters ResourcePoolStatusRequest ResourceSlice
scheduling.k8s.io CompositePodGroup PodGroup PriorityClass Workload
settings.k8s.io PodPreset
storage.k8s.io CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass
storagemigration.k8s.io StorageVersionMigration
"""


def _read_kinds() -> dict[str, frozenset[str]]:
    """Return the kinds of each group, empty for the core group."""
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for line in _LINES.split("\n")[1:-1]:
        group, *names = line.split()
        kinds["" if group == "core" else group] += names
    return {group: frozenset(names) for group, names in kinds.items()}


BUILT_IN_KINDS = _read_kinds()
