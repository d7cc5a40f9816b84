"""The texts beside the manifests: the order of a rollout, and how the image is built."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd import __version__
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.emit.manifests.workload import CONTENT, Workload

_README = """\
# The webhook {name} in {namespace}

Written by `protoc-gen-crd manifests`. `base` has the webhook and its certificates, by
[cert-manager](https://cert-manager.io); `monitoring` has alerts and scraping for the
[Prometheus operator](https://prometheus-operator.dev); `overlays/production` puts both together with an image and a
number of replicas. These files are written anew: add overlays of your own for what is to be otherwise.

It converts {kinds}.

## The image

`Dockerfile` builds it from the folder that `protoc-gen-crd generate` writes, with the CRDs and the converters in it:

```sh
docker build --file {folder}/Dockerfile --tag {tagged} .
docker push {tagged}
```

## The order of a rollout

While no webhook answers, a kind with a webhook in its CRD can be neither read nor written in other versions than the
one it is stored in. So the webhook comes before the CRDs, and goes after them.

1. The webhook, with the new converters. It converts the versions that were there before as well.

   ```sh
   kubectl apply --server-side --kustomize {folder}/overlays/production
   kubectl --namespace {namespace} rollout status deployment/{name}
   ```

2. The CRDs with the new version: served, and not yet the storage version, so that a release that is rolled back still
   knows what is stored.

   ```sh
   kubectl apply --server-side --filename {crds}
   ```

   Where other tools own the CRDs, this changes `spec.conversion` and nothing else:

   ```sh
   protoc-gen-crd patch --cluster
   ```

   cert-manager fills `caBundle` in a moment later; until then requests for other versions fail.
3. In the next release, the CRDs with the new storage version. From now on objects are stored in it as they are written.
4. All other objects, and `status.storedVersions` with them:

   ```sh
   protoc-gen-crd migrate
   ```

5. The old version: first `served: false`, then out of `spec.versions`. `protoc-gen-crd history check` and
   `protoc-gen-crd patch --cluster` refuse to go on while a version that is gone may still be stored.

## What is where

| file | what |
|---|---|
{namespaced}| `base/deployment.yaml` | two replicas, spread over nodes and zones, under the restricted profile |
| `base/poddisruptionbudget.yaml` | one replica may be away at a time |
| `base/networkpolicy.yaml` | anybody may ask the webhook; it asks nobody |
| `base/serviceaccount.yaml` | an account without a role and without a token: the webhook needs neither |
| `base/clusterrole.yaml` | what `patch` and `migrate` need; bind it to whoever runs them |
| `base/certificates.yaml` | a CA that lives for ten years, and a certificate that lives for ninety days |
| `base/validatingwebhookconfiguration.yaml` | the same verdicts as of the CRDs, for servers that know less of them |
| `monitoring/prometheusrule.yaml` | alerts: failed and slow conversions, no answer, certificates |
"""

_DOCKERFILE = """\
# The webhook {name}: build it in the folder above {crds}.
FROM python:3.13-slim AS build
RUN python -m venv /opt/webhook
RUN /opt/webhook/bin/pip install --no-cache-dir 'protoc-gen-crd[serve]=={version}'

FROM python:3.13-slim
ENV PATH=/opt/webhook/bin:$PATH PYTHONDONTWRITEBYTECODE=1
COPY --from=build /opt/webhook /opt/webhook
COPY {crds} {content}
USER 65532:65532
EXPOSE {port}
ENTRYPOINT ["protoc-gen-crd"]
CMD ["serve", "{content}", "--port={port}", "--certificates={certificates}"]
"""


_NAMESPACED = """\
| `base/namespace.yaml` | the namespace, under the restricted profile: all in it must fit that, and goes with it |
"""


def readme(of: Workload, crds: Sequence[Crd], folder: str, out: str) -> str:
    """How the manifests are used, and in which order."""
    kinds = [
        f"`{crd.names.kind}` of `{crd.group}`" for crd in crds if (crd.conversion or {}).get("strategy") == "Webhook"
    ]
    return _README.format(
        name=of.name, namespace=of.namespace, kinds=", ".join(kinds) or "no kind yet", folder=folder, crds=out,
        tagged=of.image.partition("@")[0],  # a digest is known once it is built
        namespaced=_NAMESPACED if of.own_namespace else "",
    )  # fmt: skip


def dockerfile(of: Workload, out: str) -> str:
    """How the image is built."""
    return _DOCKERFILE.format(
        name=of.name, crds=out, version=__version__, content=CONTENT, port=of.inner, certificates=of.certificates
    )
