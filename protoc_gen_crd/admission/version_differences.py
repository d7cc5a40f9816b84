"""The differences between the Kubernetes versions 1.25 to 1.37 in admission: one table of named switches.

A switch is on from one minor version (`since`) up to, but not including, another (`until`). Nothing else in this
package compares versions; `kubernetes.shared_results` describes how they share verdicts.
Each version means its last patch release. Sources are paths in k8s.io/apiextensions-apiserver (AE) pkg/,
k8s.io/apimachinery (AM) pkg/, k8s.io/apiserver (AS) pkg/ and k8s.io/kube-openapi (KO) pkg/.
"""

from __future__ import annotations

from protoc_gen_crd.kubernetes.supported_versions import Switch

# messages and values of errors
JSON_VALUES = Switch("json-values", 34, "AM util/validation/field/errors.go: values as JSON, before that in Go syntax")
SINGULAR_LIMITS = Switch("singular-limits", 34, "AM util/validation/field/errors.go: '1 item', '1 byte'")
BYTES_LIMIT = Switch("bytes-limit", 32, "AM util/validation/field/errors.go TooLong: 'may not be more than N bytes'")
METADATA_LIMITS = Switch(
    "metadata-limits", 32, "AM util/validation/field/errors.go TooLong took TooLongMaxLength's text"
)
LABEL_DOTS = Switch("label-dots", 27, "AM util/validation: RFC 1123 labels, 'must not contain dots'")
LABEL_KEYS = Switch("label-keys", 35, "AM api/validate/content: 'a valid label key', lengths in bytes")
PLAIN_MACS = Switch("plain-macs", 36, "Go 1.26 net ParseMAC: octets without separators")
STRICT_COLONS = Switch("strict-colons", 36, "Go 1.26 net/url: one colon in the host of an http URL (urlstrictcolons)")
HOST_SPECIFIED = Switch("host-specified", 26, "AS util/webhook/validation.go: 'host must be specified'")
OWNERS_BY_KIND = Switch("owners-by-kind", 26, "AM api/validation/objectmeta.go: two controllers are shown as kind/name")
OWNERS_BY_INDEX = Switch(
    "owners-by-index", 37, "AM api/validation/objectmeta.go: paths with the index, members required"
)
MANAGED_OPERATIONS = Switch("managed-operations", 37, "AM apis/meta/v1/validation: unsupported operation, not invalid")
METADATA_ONCE = Switch(
    "metadata-once", 37, "AM api/validation objectmeta.go ValidateObjectMetaDeclaratively: equal errors"
)
GENERATION_UPDATES = Switch(
    "generation-updates", 37, "AM api/validation/objectmeta.go: a negative generation is rejected on an update too"
)
NESTED_DECODING_PATHS = Switch(
    "nested-decoding-paths", 35, "sigs.k8s.io/json 2025-07: decoding errors name the path inside items"
)
SCHEME_110 = Switch("scheme-110", 33, "AM pkg/runtime/scheme.go: kinds that are not registered are missed in line 110")
SCHEME_111 = Switch("scheme-111", 35, "AM pkg/runtime/scheme.go: the same in line 111, before 1.33 in line 100")
BARE_DETAILS = Switch("bare-details", 34, "AE apis/apiextensions/validation: details no longer repeat the field's name")
STORED_HINT = Switch("stored-hint", 33, "AE apis/apiextensions/validation: how to leave a stored version behind")
STORED_LIST_SHOWN = Switch("stored-list-shown", 28, "AE apis/apiextensions/validation: the list, not the one version")

# members of a CRD
MESSAGE_EXPRESSION = Switch("message-expression", 27, "AE v1/types_jsonschema.go ValidationRule.messageExpression")
REASON_AND_FIELD_PATH = Switch(
    "reason-and-field-path", 28, "AE v1/types_jsonschema.go ValidationRule.reason, .fieldPath"
)
OPTIONAL_OLD_SELF = Switch("optional-old-self", 29, "AE v1/types_jsonschema.go ValidationRule.optionalOldSelf")
SELECTABLE_FIELDS = Switch("selectable-fields", 30, "AE v1/types.go CustomResourceDefinitionVersion.selectableFields")
OBSERVED_GENERATION = Switch(
    "observed-generation", 35, "AE v1/types.go CustomResourceDefinitionStatus.observedGeneration"
)
RATCHETING = Switch("ratcheting", 30, "gate CRDValidationRatcheting; off: optionalOldSelf is dropped")
FIELD_SELECTORS = Switch("field-selectors", 31, "gate CustomResourceFieldSelectors; off: selectableFields are dropped")

# rules of admission
NESTED_FALSE = Switch(
    "nested-false", 31, "AE apiserver/schema/convert.go: a nested additionalProperties: false is allowed"
)
STRUCTURAL_DOCS = Switch("structural-docs", 36, "AE apiserver/schema/convert.go: example and externalDocs are kept")
FORMAT_WARNINGS = Switch("format-warnings", 34, "AE registry/customresourcedefinition/strategy.go WarningsOnCreate")
SET_WARNINGS = Switch(
    "set-warnings", 37, "AE registry/customresourcedefinition/strategy.go: sets of objects and arrays"
)
CA_BUNDLES = Switch("ca-bundles", 31, "AE apis/apiextensions/validation: caBundle of an established CRD must parse")
MANY_SELECTABLE_KEPT = Switch(
    "many-selectable-kept", 35, "AE apis/apiextensions/validation allowTooManySelectableFields"
)
UNCHANGED_UNLIMITED = Switch("unchanged-unlimited", 29, "AE apis/apiextensions/validation suppressPerExpressionCost")
STORED_MESSAGES = Switch(
    "stored-messages", 31, "AE apis/apiextensions/validation: 1.28 to 1.30 note the rule's text instead"
)
K8S_NAMES = Switch(
    "k8s-names", 35, "AE apiserver/validation/formats.go: k8s-short-name, k8s-long-name (compatibility 1.34)"
)
K8S_FORMATS = Switch("k8s-formats", 34, "KO validation/strfmt kubernetes-extensions.go: the formats exist for defaults")
POSITIVE_FACTORS = Switch("positive-factors", 27, "KO validation/validate values.go: a multipleOf of 0 is rejected")
NEAREST_WHOLE = Switch("nearest-whole", 37, "go-openapi/swag 0.27: nearly whole is measured from the nearest integer")
PROPERTY_COUNTS = Switch(
    "property-counts", 28, "KO validation/validate object_validator.go: members are checked all the same"
)
NUMERIC_FORMATS = Switch(
    "numeric-formats", 36, "AE apiserver/validation/formats.go: int32, int64, float, double are enforced"
)

# objects
ENUM_BLOCKS = Switch("enum-blocks", 29, "AE registry/customresource strategy.go hasBlockingErr: unsupported values too")
STATUS_SCHEMA = Switch("status-schema", 28, "AE registry/customresource validator.go: /status has a schema of its own")
STATUS_LISTS = Switch("status-lists", 26, "AE registry/customresource status_strategy.go: duplicates in lists")
STATUS_PATH = Switch("status-path", 31, "AE registry/customresource validator.go: paths of /status start with status")
STATUS_RATCHETING = Switch("status-ratcheting", 33, "AE registry/customresource status_strategy.go: of unchanged parts")
FINALIZER_WARNINGS = Switch("finalizer-warnings", 29, "AE registry/customresource strategy.go generateWarningsFromObj")
FINALIZER_PATHS = Switch("finalizer-paths", 32, "AE registry/customresource validator.go: '... including a path (/)'")
TRIMMED_MESSAGES = Switch("trimmed-messages", 27, "AE apiserver/schema/cel/validation.go ruleMessageOrDefault")
LEAKING_PATHS = Switch(
    "leaking-paths", 28, "AE apiserver/schema/cel/validation.go: a fieldPath holds for later rules too", until=30
)
VALUES_SHOWN = Switch("values-shown", 35, "AE apiserver/schema/cel/validation.go: the value of a scalar, not its type")


ALL = [value for value in list(globals().values()) if isinstance(value, Switch)]
