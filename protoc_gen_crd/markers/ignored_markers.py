"""Markers of other generators without effect on a CRD, and the namespaces of supported markers."""

from __future__ import annotations

# Markers of other generators: accepted, without effect on a CRD.
INERT = {
    "enum": "asks openapi-gen for the constants of a Go type",
    "experimental": "documents the stability of a field",
    "featureGate": "documents a feature gate of Kubernetes' own types",
    "genclient": "asks client-gen for a Go client",
    "genreconciler": "asks Knative's injection-gen for a reconciler",
    "groupGoName": "asks client-gen for a name of the group in Go",
    "k8s:conversion-fn": "asks conversion-gen for Go code",
    "k8s:conversion-gen": "asks conversion-gen for Go code",
    "k8s:conversion-gen-external-types": "asks conversion-gen for Go code",
    "k8s:deepcopy-gen": "asks deepcopy-gen for Go code",
    "k8s:defaulter-gen": "asks defaulter-gen for Go code",
    "k8s:defaulter-gen-input": "asks defaulter-gen for Go code",
    "k8s:isSubresource": "declares a subresource for validation-gen",
    "k8s:openapi-gen": "asks openapi-gen for Go code",
    "k8s:openapi-model-package": "asks openapi-gen for Go code",
    "k8s:protobuf-gen": "asks go-to-protobuf for a .proto file",
    "k8s:prerelease-lifecycle-gen": "asks prerelease-lifecycle-gen for Go code",
    "k8s:register-gen": "asks register-gen for Go code",
    "k8s:supportsSubresource": "declares a subresource for validation-gen",
    "k8s:validation-gen": "asks validation-gen for Go code",
    "k8s:validation-gen-input": "asks validation-gen for Go code",
    "k8s:validation-gen-nolint": "asks validation-gen for Go code",
    "k8s:validation-gen-scheme-registry": "asks validation-gen for Go code",
    "kubebuilder:ac": "asks controller-gen for Go apply configurations",
    "kubebuilder:object:generate": "asks controller-gen for Go deep-copy code",
    "kubebuilder:rbac": "asks controller-gen for a role",
    "kubebuilder:scaffold": "marks a place for kubebuilder's own edits",
    "kubebuilder:webhook": "asks controller-gen for a webhook configuration",
    "kubetype-gen": "asks Istio's kubetype-gen for a Go type",
    "notImplementedHide": "hides a field in the documentation of Envoy Gateway",
    "patchMergeKey": "strategic merge patch does not apply to custom resources",
    "patchStrategy": "strategic merge patch does not apply to custom resources",
    "protobuf": "belongs to go-to-protobuf",
    "resourceName": "asks client-gen for a name of the resource",
    "union": "was an alpha feature of Kubernetes, since removed",
    "unionDeprecated": "was an alpha feature of Kubernetes, since removed",
    "unionDiscriminator": "was an alpha feature of Kubernetes, since removed",
    "unionMember": "was an alpha feature of Kubernetes, since removed",
}

# Markers above that never have a value. With a value, another marker is intended.
VALUELESS = frozenset(["enum"])

# After one of these namespaces, an unknown name is a mistake, not prose.
NAMESPACES = ("cue-gen", "kubebuilder", "k8s", "protoc-gen-crd")
