"""README of the manifests."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.escapes import shell_word
from protoc_gen_crd.base.markdown_escapes import code, plain
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.manifests.dockerfile import split_build_context
from protoc_gen_crd.emit.manifests.workload import Workload

_README = """\
# The webhook {title}

Written by `protoc-gen-crd manifests`. `base` has the webhook and its certificates, issued by
[cert-manager](https://cert-manager.io). `monitoring` has alerts and scraping for the
[Prometheus operator](https://prometheus-operator.dev). `overlays/production` combines both with an image and a number
of replicas. Do not edit these files, since they are generated: add your own overlays for other settings.

The webhook converts {kinds}.

## The image

`Dockerfile` builds the image from the output folder of `protoc-gen-crd generate`, with the CRDs and the converters:

```sh
docker build --file {dockerfile} --tag {tagged} {context}
docker push {tagged}
```

## Rollout

While the webhook is not available, a kind with a webhook in its CRD can be read and written only in its storage
version. Therefore deploy the webhook before the CRDs, and remove it after them.

1. Deploy the webhook with the new converters. It also converts the existing versions.

   ```sh
   kubectl apply --server-side --kustomize {overlay}
   kubectl --namespace {own} rollout status {deployment}
   ```

2. Apply the CRDs with the new version as a served version. Do not make it the storage version yet, so that the release
   can be rolled back.

   ```sh
   kubectl apply --server-side --filename {crds}
   ```

   If other tools manage the CRDs, change only `spec.conversion`:

   ```sh
   protoc-gen-crd patch --cluster
   ```

   cert-manager injects `caBundle` shortly afterwards. Until then, requests for other versions fail.
3. In the next release, apply the CRDs with the new storage version. From now on, objects that are written are stored in
   it.
4. Migrate all other objects and `status.storedVersions`:

   ```sh
   protoc-gen-crd migrate
   ```

5. Set the old version to `served: false`, then remove it from `spec.versions`. `protoc-gen-crd history check` and
   `protoc-gen-crd patch --cluster` fail while objects may be stored in a removed version.

## Files

| File | Content |
|---|---|
{namespaced}| `base/deployment.yaml` | two replicas, spread over nodes and zones, with the restricted profile |
| `base/poddisruptionbudget.yaml` | at most one replica may be unavailable |
| `base/networkpolicy.yaml` | ingress from anywhere, no egress |
| `base/serviceaccount.yaml` | a service account without roles and tokens |
| `base/clusterrole.yaml` | the permissions for `patch` and `migrate`; bind it to their users |
| `base/certificates.yaml` | a CA valid for ten years, and a certificate valid for ninety days |
| `base/validatingwebhookconfiguration.yaml` | the validation of the CRDs, for older API servers |
| `monitoring/prometheusrule.yaml` | alerts on failed and slow conversions, availability and certificates |
"""


_NAMESPACED = """\
| `base/namespace.yaml` | the namespace, which enforces the restricted Pod Security profile |
"""


def format_readme(workload: Workload, crds: Sequence[Crd], folder: str, out: str) -> str:
    """Format the README with the order of a rollout."""
    kinds = [
        f"{code(crd.names.kind)} of {code(crd.group)}"
        for crd in crds
        if (crd.conversion or {}).get("strategy") == "Webhook"
    ]
    return _README.format(
        title=plain(f"{workload.name} in {workload.namespace}"),
        kinds=", ".join(kinds) or "no kinds yet",
        context=shell_word(split_build_context(out)[0]),
        dockerfile=shell_word(f"{folder}/Dockerfile"),
        overlay=shell_word(f"{folder}/overlays/production"),
        crds=shell_word(out),
        own=shell_word(workload.namespace),
        deployment=shell_word(f"deployment/{workload.name}"),
        tagged=shell_word(workload.image.partition("@")[0]),  # a digest is known once it is built
        namespaced=_NAMESPACED if workload.has_own_namespace else "",
    )  # fmt: skip
