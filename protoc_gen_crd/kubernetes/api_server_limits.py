"""Limits of API servers, each with its source. They are the same in all supported versions.

A limit that differs between versions has a constant for each value. A switch in `admission/version_differences.py` or,
for CEL, in `cel/version_differences.py` selects one of them.
"""

from __future__ import annotations

# k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go: StaticEstimatedCostLimit,
# StaticEstimatedCRDCostLimit. Estimates of one rule in all its places, and of all rules of a schema.
RULE_COST, SCHEMA_COST = 10_000_000, 100_000_000
# k8s.io/apiserver pkg/apis/cel/config.go: PerCallLimit, RuntimeCELCostBudget. The cost of one evaluation, and of all
# evaluations for one object.
CALL_COST, OBJECT_COST = 1_000_000, 10_000_000
# k8s.io/apiserver pkg/apis/cel/config.go: MaxRequestSizeBytes. It bounds how often a value can occur in a request.
REQUEST_SIZE = 3 * 1024 * 1024
# k8s.io/apimachinery pkg/api/validation objectmeta.go: TotalAnnotationSizeLimitB. Bytes of the keys and values of all
# annotations of an object.
ANNOTATIONS_SIZE = 256 * 1024
# k8s.io/apimachinery pkg/runtime/serializer/json: unknown and duplicate fields that a strict decoder reports, in the
# order of the body.
MAX_STRICT_ERRORS = 100
# k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go: MaxSelectableFields. Selectable fields
# of a version.
MAX_SELECTABLE_FIELDS = 8
# k8s.io/apiserver pkg/apis/cel/config.go: MaxEvaluatedMessageExpressionSizeBytes. Bytes of the result of a
# messageExpression; a longer one is ignored.
MAX_MESSAGE_LENGTH = 5120
# k8s.io/apimachinery pkg/util/validation validation.go: DNS1123SubdomainMaxLength. Characters of the name of an object.
MAX_NAME_LENGTH = 253
