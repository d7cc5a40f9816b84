from __future__ import annotations

import base64
import ssl

import pytest

from protoc_gen_crd.admission.crd.versions.ca_bundles import find_bundle_error
from protoc_gen_crd.admission.server import AdmissionServer
from tests.unit.admission.crd_factory import manifest, only

PEM = "-----BEGIN %s-----\n%s\n-----END %s-----\n"
NONE_SEEN = "unable to load root certificates: no valid certificate authority data seen"


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def block(body: str, kind: str = "CERTIFICATE") -> str:
    return PEM % (kind, body, kind)


def test_a_certificate() -> None:
    der = next(iter(ssl.create_default_context().get_ca_certs(binary_form=True)), None)
    if der is None:
        pytest.skip("no CA certificates are installed: install ca-certificates")
    assert find_bundle_error(encoded(ssl.DER_cert_to_PEM_cert(der))) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", NONE_SEEN),
        ("x", "unable to load root certificates: unable to parse bytes as PEM block"),
        (block("AAAA", "KEY"), NONE_SEEN),
        (block("AAAA"), "unable to load root certificates: failed to parse certificate: x509: malformed certificate"),
        (block("Proc-Type: 4\n\nAAAA"), NONE_SEEN),
    ],
)
def test_others(text: str, reason: str) -> None:
    assert find_bundle_error(encoded(text)) == reason


def test_newer_servers_validate_bundles_of_established_crds() -> None:
    client = {"url": "https://a", "caBundle": encoded("x")}
    webhook = {"conversionReviewVersions": ["v1"], "clientConfig": client}
    plain = manifest(conversion={"strategy": "Webhook", "webhook": webhook})
    assert only(AdmissionServer([31]).admit_data(plain)).causes == ()
    assert only(AdmissionServer([30]).admit_data(plain, manifest())).causes == ()
    assert only(AdmissionServer([31]).admit_data(plain, plain)).causes == ()
    (error,) = only(AdmissionServer([31]).admit_data(plain, manifest())).causes
    assert error.path == "spec.conversion.webhookClientConfig.caBundle"
