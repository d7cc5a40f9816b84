"""Checks of conversion plans against the schemas of their versions.

| module | contents |
|---|---|
| `constraint_narrowing` | report constraints of the target version that valid source values may break |
| `conversion_data_checks` | report conversion data that is secret or may exceed the size limit of annotations |
| `enum_value_mappings` | enum values without a counterpart |
| `expression_checks` | expressions that do not compile, have the wrong result type, or cost too much |
| `expression_results` | static checks of the result of an expression: constants, list literals and map literals |
| `expression_scope` | the variables of an expression in a plan, and the ones that it reads |
| `hub_change_loss` | fields of other spokes that an earlier hub may have kept and that no longer convert to it |
| `invisible_characters` | report field names with invisible characters |
| `lists_without_keys` | report lists without keys whose items have conversion data |
| `lost_field_hints` | the lost fields of a pair of versions, with hints |
| `lost_fields` | fields of a version that no step converts: they would be lost |
| `nesting_depth` | the depth of values and schemas |
| `number_ranges` | check the results of multiplication against the range of the target field |
| `oneof_conflicts` | report fields that exclude each other only in the target version |
| `optional_results` | report required fields whose expression may have no result |
| `overlapping_writes` | fields that two steps write |
| `plan_check` | the check of a plan by all checks of this package |
| `plan_invariants` | invariants of plans: valid scopes, reverse steps, and an effect of each declaration |
| `preserved_and_dropped` | validation of preserved and dropped fields |
| `required_fields` | required fields: every cause of an object must also set its required fields |
| `unknown_fields` | report unknown fields and null values that only one version accepts |
| `unknown_hubs` | report data that an earlier hub, which is not known, may have kept |
| `unknown_versions` | unknown versions in declarations |
| `unused_declarations` | report conversion options without an effect on any plan |
"""
