"""Validation of schemas: keywords, structural schemas, defaults.

| module | contents |
|---|---|
| `checks_by_position` | the checks of each keyword in each kind of position |
| `default_values` | validation of the defaults of a schema |
| `masked_errors` | errors of rules and defaults that are masked by other errors of a schema |
| `openapi_v3_checks` | the checks of every schema node |
| `schema_validation` | validation of one schema, `spec.validation` or `spec.versions[i].schema` |
| `schema_visitor` | traversal of a schema that runs the checks of each node and collects findings |
| `structural_checks` | the checks of structural schemas |
| `structural_conversion_errors` | errors of schemas that the server cannot convert to structural schemas |
"""
