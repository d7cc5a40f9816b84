"""Validation of spec.conversion.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go,
k8s.io/apiserver pkg/util/webhook.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd
from protoc_gen_crd.admission.field_errors import (
    FORBIDDEN,
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    Cause,
    format_supported_values,
)
from protoc_gen_crd.admission.name_checks import validate_dns1035_label, validate_dns1123_subdomain
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.admission.version_differences import BARE_DETAILS, CA_BUNDLES, HOST_SPECIFIED
from protoc_gen_crd.kubernetes.shared_results import Switches

STRATEGIES = ("None", "Webhook")
REVIEW_VERSIONS = ("v1", "v1beta1")
_FORM = "; desired format: https://host[/path]"


def validate_conversion(
    internal: InternalCrd,
    conversion: Mapping[str, Any],
    switches: Switches,
    *,
    requires_recognized_version: bool,
    allows_invalid_ca_bundle: bool,
) -> Iterator[Cause]:
    """Validate spec.conversion.

    `requires_recognized_version` requires a review version that the server supports. `allows_invalid_ca_bundle` skips
    the validation of the CA bundle.
    """
    for error in _validate_conversion(
        internal, conversion, switches, recognized=requires_recognized_version, bundles=allows_invalid_ca_bundle
    ):
        yield error.replace(place=internal.crd.get_place("conversion"))


def _validate_conversion(
    internal: InternalCrd, conversion: Mapping[str, Any], switches: Switches, *, recognized: bool, bundles: bool
) -> Iterator[Cause]:
    strategy, path = conversion.get("strategy", ""), "spec.conversion"
    webhook = conversion.get("webhook") or {}
    config, reviews = webhook.get("clientConfig"), webhook.get("conversionReviewVersions")
    if strategy != "None" and internal.crd.preserve_unknown_fields:
        shown = GoTypedValue("apiextensions.ConversionStrategyType", strategy)
        yield Cause(INVALID, f"{path}.strategy", "must be None if spec.preserveUnknownFields is true", shown)
    if not strategy:
        yield Cause(REQUIRED, f"{path}.strategy")
    elif strategy not in STRATEGIES:
        yield Cause(NOT_SUPPORTED, f"{path}.strategy", format_supported_values(STRATEGIES), strategy)
    if strategy == "Webhook":
        yield from _validate_webhook(config, f"{path}.webhookClientConfig", switches)
        if config and config.get("caBundle") and not bundles and CA_BUNDLES in switches:
            yield from _validate_ca_bundle(config["caBundle"], f"{path}.webhookClientConfig.caBundle")
        yield from _validate_review_versions(reviews or (), f"{path}.conversionReviewVersions", recognized=recognized)
        return
    for member, value in (("webhookClientConfig", config), ("conversionReviewVersions", reviews or None)):
        if value is not None:
            yield Cause(FORBIDDEN, f"{path}.{member}", "should not be set when strategy is not set to Webhook")


def _validate_webhook(config: Mapping[str, Any] | None, path: str, switches: Switches) -> Iterator[Cause]:
    if config is None:
        yield Cause(REQUIRED, path, "required when strategy is set to Webhook")
        return
    url, service = config.get("url"), config.get("service")
    if (url is None) == (service is None):
        yield Cause(REQUIRED, path, "exactly one of url or service is required")
    elif url is not None:
        yield from _validate_url(url, f"{path}.url", switches)
    elif service is not None:
        yield from _validate_service(service, f"{path}.service", switches)


def _validate_ca_bundle(encoded: str, path: str) -> Iterator[Cause]:
    from protoc_gen_crd.admission.crd.versions.ca_bundles import find_bundle_error  # noqa: PLC0415 - rare

    reason = find_bundle_error(encoded)
    if reason is not None:
        yield Cause(INVALID, path, reason, GoTypedValue("[]uint8", encoded))


def _validate_url(text: str, path: str, switches: Switches) -> Iterator[Cause]:
    from protoc_gen_crd.admission.url_checks import UrlError, parse_url  # noqa: PLC0415 - few CRDs have one

    try:
        url = parse_url(text, switches)
    except UrlError as error:
        yield Cause(REQUIRED, path, f"url must be a valid URL: {error}{_FORM}")
        return
    if url.scheme != "https":
        yield Cause(INVALID, path, "'https' is the only allowed URL scheme" + _FORM, url.scheme)
    if not url.host:
        state = "specified" if HOST_SPECIFIED in switches else "provided"
        yield Cause(INVALID, path, f"host must be {state}{_FORM}", url.host)
    if url.user is not None:
        yield Cause(INVALID, path, "user information is not permitted in the URL", url.user)
    if url.fragment:
        yield Cause(INVALID, path, "fragments are not permitted in the URL", url.fragment)
    if url.query:
        yield Cause(INVALID, path, "query parameters are not permitted in the URL", url.query)


def _validate_service(service: Mapping[str, Any], path: str, switches: Switches) -> Iterator[Cause]:
    # The server passes name and namespace in the wrong order, so each path reports the other field.
    for member, other in (("name", "namespace"), ("namespace", "name")):
        if not service.get(other):
            detail = "" if BARE_DETAILS in switches else f"service {member} is required"
            yield Cause(REQUIRED, f"{path}.{member}", detail)
    port = service.get("port", 443)
    if not 1 <= port <= 65535:
        yield Cause(INVALID, f"{path}.port", "port is not valid: must be between 1 and 65535, inclusive", port)
    if service.get("path") not in (None, "", "/"):
        for fault in _find_path_errors(service["path"]):
            yield Cause(INVALID, f"{path}.path", fault, service["path"])


def _find_path_errors(url_path: str) -> Iterator[str]:
    if url_path == "//":
        yield "segment[0] may not be empty"
        return
    if not url_path.startswith("/"):
        yield "must start with a '/'"
    for index, step in enumerate(url_path[1:].removesuffix("/").split("/")):
        if not step:
            yield f"segment[{index}] may not be empty"
        else:
            for fault in validate_dns1123_subdomain(step):
                yield f"segment[{index}]: {fault}"


def _validate_review_versions(versions: Sequence[str], path: str, *, recognized: bool) -> Iterator[Cause]:
    if not versions:
        yield Cause(REQUIRED, path)
        return
    for index, name in enumerate(versions):
        if name in versions[:index]:
            yield Cause(INVALID, f"{path}[{index}]", "duplicate version", name)
            continue
        for fault in validate_dns1035_label(name):
            yield Cause(INVALID, f"{path}[{index}]", fault, name)
    if recognized and not set(versions) & set(REVIEW_VERSIONS):
        reason = f"must include at least one of {', '.join(REVIEW_VERSIONS)}"
        yield Cause(INVALID, path, reason, GoTypedValue("[]string", versions))
