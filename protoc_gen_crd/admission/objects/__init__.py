"""Admission of objects, with one module for each step of an API server.

| module | contents |
|---|---|
| `correlation` | correlation of updated values with old values, for ratcheting and for oldSelf in rules |
| `crd_handler` | the handler of the objects of a CRD |
| `defaulting` | defaulting of values, in place |
| `embedded_resources` | embedded resources in values |
| `error_origins` | origins of validation errors: the schema node, and the violated keyword or rule |
| `error_paths` | resolution of paths in error messages |
| `format_checks` | the string formats that API servers validate, with one function for each |
| `json_body` | decoding of the body of a request into plain JSON data |
| `keyword_checks` | the checks of single keywords |
| `list_uniqueness` | uniqueness of the items of lists of type set and map |
| `logical_keywords` | validation of anyOf, oneOf, allOf and not |
| `metadata_codec` | decoding and encoding of object metadata, as the Go type ObjectMeta represents it |
| `number_checks` | validation of numbers against bounds, factors, and formats, with Go's conversions |
| `object_strategy` | creation, update, and status update of an object in a server |
| `object_validator` | validation of an object, except for its rules, in the server's order |
| `pruning` | pruning of unknown fields and nulls |
| `rule_evaluation` | evaluation of the rules of an object |
| `rule_programs` | the rules of schema nodes, compiled for one server on first use |
| `scale_subresource` | validation of the values that the paths of the scale subresource select |
| `schema_errors` | errors of the schema validator, before their conversion to field errors |
| `structural_nodes` | the nodes of structural schemas, for pruning, defaulting, and correlation |
| `structural_schemas` | structural schemas: trees of nodes with pruned defaults, built once for all versions |
| `value_rejection` | validation of declared values against the schema of a field, without CEL rules |
| `value_validator` | validation of values against schemas |
| `version_handler` | one version of a CRD in one group of servers: reading, storage, and rules of its objects |
"""
