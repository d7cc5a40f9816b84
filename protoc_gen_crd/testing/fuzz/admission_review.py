"""AdmissionReviews that are sent to a webhook, and its responses.

Source: k8s.io/api/admission/v1, k8s.io/apiserver pkg/admission/plugin/webhook/request.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.testing.fuzz.external_validator import (
    Json,
    ValidationRequest,
    ValidatorError,
    parse_verdict,
    shorten,
)

_UID = "00000000-0000-0000-0000-000000000001"
_TYPE = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}


def make_review(validation: ValidationRequest) -> Json:
    """Make the AdmissionReview for the creation of an object."""
    obj = validation.admitted_object
    group, _, version = str(obj.get("apiVersion", "")).rpartition("/")
    kind, metadata = str(obj.get("kind", "")), obj.get("metadata")
    fields: Any = metadata if isinstance(metadata, dict) else {}
    request = {
        "uid": _UID,
        "kind": {"group": group, "version": version, "kind": kind},
        "resource": {"group": group, "version": version, "resource": validation.plural},
        "name": fields.get("name", ""),
        "namespace": fields.get("namespace", ""),
        "operation": "CREATE",
        "userInfo": {},
        "object": obj,
        "oldObject": None,
        "dryRun": True,
    }
    return {**_TYPE, "request": request}


def read_response(data: bytes) -> Verdict:
    """Return the verdict of a response. Raises ValidatorError if it is not a response to `make_review`."""
    try:
        review: Any = parse_json(data.decode())
    except ValueError:
        raise ValidatorError(f"answer is not JSON: {shorten(data.decode(errors='replace'))}") from None
    admission_review = review if isinstance(review, dict) and review.items() >= _TYPE.items() else {}
    response = admission_review.get("response")
    if not isinstance(response, dict) or response.get("uid") != _UID:
        expected = f"an AdmissionReview of {_TYPE['apiVersion']} with a response"
        raise ValidatorError(f"answer is not {expected}: {shorten(review)}")
    status = response.get("status")
    message = status.get("message", "") if isinstance(status, dict) else ""
    return parse_verdict({"allowed": response.get("allowed"), "message": message})
