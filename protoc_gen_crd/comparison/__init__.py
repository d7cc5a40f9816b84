"""The comparison of two APIs: the changes between them, what they mean for objects and clients, and the evidence.

| module | contents |
|---|---|
| `api_comparison` | the comparison of two APIs, as CRDs of any origin |
| `api_summary` | a flat summary of an API |
| `candidate_objects` | objects of the old API that are likely to show a change |
| `candidate_values` | values of a node that are likely to show a difference: valid in the old schema |
| `cause_attribution` | the change that an error of a server shows |
| `change_checklist` | the checklist of what must accompany changes, as far as the CRDs show it |
| `change_findings` | findings for changes, with their evidence |
| `change_messages` | messages for changes |
| `change_rules` | the rules of changes: the class of each, and the rule of the opposite change |
| `evidence_severity` | severities of changes: by the profile of the kind, the stability of the version, the evidence |
| `change_verdict` | the verdict on the changes between two APIs: what they require before they can be released |
| `change` | changes between two APIs: what changed, what it means for objects and clients, and the evidence |
| `crd_comparison` | the comparison of the members of CRDs and of their versions, without schemas |
| `defaults_and_nulls` | the effect of values that servers set or drop: defaults, and nulls that schemas do not allow |
| `enforced_keywords` | the effect of keywords on the values of a schema: what a server enforces, independent |
| `enum_value_changes` | changes of enum values between releases |
| `evidence_search` | the search for evidence |
| `evidence` | evidence for changes: the smallest object, and its form in hints |
| `group_api` | the API of gRPC groups as a summary |
| `group_comparison` | changes between two APIs of gRPC groups |
| `group_evidence` | examples of messages that a change of a group affects |
| `fact_descriptions` | descriptions of changed facts |
| `logical_keyword_strictness` | the order of allOf, anyOf, oneOf and not |
| `keyword_strictness` | the partial order of each schema keyword: whether a value accepts the same, more, fewer |
| `keyword_changes` | the rules of single nodes: each claims keywords and compares their meaning |
| `kind_judge` | the judgment of the changes of a kind by the verdicts of a server |
| `constraints_between_versions` | keywords that accept fewer objects than those of another release or version |
| `node_pair` | a schema node in the old and the new API, with its parents |
| `object_verdicts` | the verdicts of a server on objects of the old and of the new CRD |
| `severity_profiles` | the decision tables of the guides for API changes: what each change requires |
| `proto_changes` | changes of protos that the schemas of CRDs do not show, and those of services |
| `proto_comparison` | the comparison of two summaries of protos, element by element |
| `proto_summary` | a summary of the protos of an API: numbers, types, reservations, and services |
| `proto_usage` | the use of messages and enums by kinds and by services |
| `rule_comparison` | the comparison of the CEL rules of a node |
| `rule_normal_form` | the normal form of CEL rules |
| `scale_restrictions` | objects that the scale subresource rejects |
| `schema_comparison` | the comparison of the schemas of a version, node by node |
| `schema_inclusion` | inclusion of value validations: whether every value |
| `server_rejections` | what API servers reject: the new CRD, or the update of the old CRD to it |
| `summary_comparison` | the comparison of two API summaries, element by element |
| `version_losses` | data loss between served versions without conversion |
"""
