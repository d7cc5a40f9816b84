"""The first manifests of a project: a minimal sample of each kind as test data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.api_version_order import get_priority_key
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.kind_samples import make_samples

_MAX_SAMPLES = 10  # kinds that get a manifest as test data; `samples` writes those of all kinds


def make_sample_manifests(crds: Sequence[Crd], kubernetes: str) -> Mapping[str, str]:
    """Return a manifest of each kind in its preferred version, by the name of the kind in lower case."""
    samples = make_samples(crds[:_MAX_SAMPLES], Settings(kubernetes=kubernetes), Problems())
    preferred: dict[str, str] = {}
    for sample in sorted(samples, key=lambda sample: get_priority_key(sample.version)):
        if sample.form == "minimal":
            preferred.setdefault(sample.kind.lower(), sample.text.partition("\n")[2])  # without the header
    return preferred
