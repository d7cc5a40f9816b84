"""The JSON schema keywords of Kubernetes, one row each, in the order of the fields of the Go struct.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions types_jsonschema.go (and v1/, for the JSON names).
"""

from __future__ import annotations

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.schema import (
    EMBEDDED,
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    MAP_TYPE,
    PRESERVE,
    VALIDATIONS,
)

NUMERIC = ("integer", "number")
STRING = ("string",)
LIST = ("array",)
OBJECT = ("object",)

TIGHTENS_UP, TIGHTENS_DOWN = 1, -1  # a greater (or smaller) value is stricter


_ZEROS: dict[str, str | bool] = {"string": "", "flag": False}


class Keyword(Record):
    """A keyword: its form, its Go field and type, the JSON types it applies to (empty: all), its stricter direction."""

    name: str
    # string, number, count, flag, json, jsons, strings, schema, schemas, schema-map, schema-or-flag, rules, docs
    form: str
    field: str  # the Go field
    go_type: str  # its Go type
    types: tuple[str, ...] = ()
    direction: int = 0

    @property
    def zero(self) -> str | bool | None:
        """Return the value that the server cannot distinguish from an absent one; None if there is none."""
        if self.go_type.startswith("*"):
            return None
        return _ZEROS.get(self.form)


_ROWS = (
    Keyword("id", "string", "ID", "string"),
    Keyword("$schema", "string", "Schema", "apiextensions.JSONSchemaURL"),
    Keyword("$ref", "string", "Ref", "*string"),
    Keyword("description", "string", "Description", "string"),
    Keyword("type", "string", "Type", "string"),
    Keyword("nullable", "flag", "Nullable", "bool"),
    Keyword("format", "string", "Format", "string"),
    Keyword("title", "string", "Title", "string"),
    Keyword("default", "json", "Default", "*apiextensions.JSON"),
    Keyword("maximum", "number", "Maximum", "*float64", NUMERIC, TIGHTENS_DOWN),
    Keyword("exclusiveMaximum", "flag", "ExclusiveMaximum", "bool", NUMERIC),
    Keyword("minimum", "number", "Minimum", "*float64", NUMERIC, TIGHTENS_UP),
    Keyword("exclusiveMinimum", "flag", "ExclusiveMinimum", "bool", NUMERIC),
    Keyword("maxLength", "count", "MaxLength", "*int64", STRING, TIGHTENS_DOWN),
    Keyword("minLength", "count", "MinLength", "*int64", STRING, TIGHTENS_UP),
    Keyword("pattern", "string", "Pattern", "string", STRING),
    Keyword("maxItems", "count", "MaxItems", "*int64", LIST, TIGHTENS_DOWN),
    Keyword("minItems", "count", "MinItems", "*int64", LIST, TIGHTENS_UP),
    Keyword("uniqueItems", "flag", "UniqueItems", "bool", LIST),
    Keyword("multipleOf", "number", "MultipleOf", "*float64", NUMERIC),
    Keyword("enum", "jsons", "Enum", "[]apiextensions.JSON"),
    Keyword("maxProperties", "count", "MaxProperties", "*int64", OBJECT, TIGHTENS_DOWN),
    Keyword("minProperties", "count", "MinProperties", "*int64", OBJECT, TIGHTENS_UP),
    Keyword("required", "strings", "Required", "[]string"),
    Keyword("items", "schema-or-schemas", "Items", "*apiextensions.JSONSchemaPropsOrArray"),
    Keyword("allOf", "schemas", "AllOf", "[]apiextensions.JSONSchemaProps"),
    Keyword("oneOf", "schemas", "OneOf", "[]apiextensions.JSONSchemaProps"),
    Keyword("anyOf", "schemas", "AnyOf", "[]apiextensions.JSONSchemaProps"),
    Keyword("not", "schema", "Not", "*apiextensions.JSONSchemaProps"),
    Keyword("properties", "schema-map", "Properties", "map[string]apiextensions.JSONSchemaProps"),
    Keyword("additionalProperties", "schema-or-flag", "AdditionalProperties", "*apiextensions.JSONSchemaPropsOrBool"),
    Keyword("patternProperties", "schema-map", "PatternProperties", "map[string]apiextensions.JSONSchemaProps"),
    Keyword("dependencies", "dependencies", "Dependencies", "apiextensions.JSONSchemaDependencies"),
    Keyword("additionalItems", "schema-or-flag", "AdditionalItems", "*apiextensions.JSONSchemaPropsOrBool"),
    Keyword("definitions", "schema-map", "Definitions", "apiextensions.JSONSchemaDefinitions"),
    Keyword("externalDocs", "docs", "ExternalDocs", "*apiextensions.ExternalDocumentation"),
    Keyword("example", "json", "Example", "*apiextensions.JSON"),
    Keyword(PRESERVE, "flag", "XPreserveUnknownFields", "*bool"),
    Keyword(EMBEDDED, "flag", "XEmbeddedResource", "bool"),
    Keyword(INT_OR_STRING, "flag", "XIntOrString", "bool"),
    Keyword(LIST_MAP_KEYS, "strings", "XListMapKeys", "[]string", LIST),
    Keyword(LIST_TYPE, "string", "XListType", "*string", LIST),
    Keyword(MAP_TYPE, "string", "XMapType", "*string", OBJECT),
    Keyword(VALIDATIONS, "rules", "XValidations", "apiextensions.ValidationRules"),
)

KEYWORDS = {keyword.name: keyword for keyword in _ROWS}
ZERO_VALUES = {keyword.name: keyword.zero for keyword in _ROWS}
