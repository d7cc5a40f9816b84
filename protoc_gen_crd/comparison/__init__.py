"""The comparison of two APIs: the changes between them, what they mean for objects and clients, and the evidence.

| module | contents |
|---|---|
| `api_changes` | the comparison of two API summaries, element by element |
| `api_comparison` | the comparison of two APIs, as CRDs of any origin |
| `api_summary` | a flat summary of an API |
| `change_findings` | findings for changes |
| `change_rules` | the rules of changes |
| `change_text` | messages for changes |
| `change` | changes between two APIs |
| `crd_comparison` | the comparison of the members of CRDs and of their versions, without schemas |
| `effective_keywords` | the effect of keywords on the values of a schema |
| `enum_values` | changes of enum values between releases |
| `fact_text` | descriptions of changed facts |
| `junctor_order` | the order of allOf, anyOf, oneOf and not |
| `keyword_orders` | the partial order of each schema keyword |
| `node_pair` | a schema node in the old and the new API, with its parents |
| `node_rules` | the rules of single nodes |
| `presence` | the effect of values that servers set or drop |
| `schema_comparison` | the comparison of the schemas of a version, node by node |
| `schema_inclusion` | inclusion of value validations |
| `verdicts` | the verdict on the changes between two APIs |
| `version_losses` | data loss between served versions without conversion |
"""
