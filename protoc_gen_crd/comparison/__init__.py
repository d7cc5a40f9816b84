"""The comparison of two APIs: the changes between them, what they mean for objects and clients, and the evidence.

| module | contents |
|---|---|
| `api_comparison` | the comparison of two APIs, as CRDs of any origin |
| `api_summary` | a flat summary of an API |
| `change` | changes between two APIs: what changed, what it means for objects and clients, and the evidence |
| `change_findings` | findings for changes, with their evidence |
| `change_rule_messages` | messages for changes |
| `change_rules` | the rules of changes: the class of each, and the rule of the opposite change |
| `change_verdict` | the verdict on the changes between two APIs: what they require before they can be released |
| `channel_moves` | moves of versions, fields, and enum values to other release channels |
| `crd_checklist` | the checklist of what must accompany changes, as far as the CRDs show it |
| `crd_comparison` | the comparison of the members of CRDs and of their versions, without schemas |
| `enum_value_changes` | changes of enum values between releases |
| `evidence/` | objects that show the effect of a change, found with API servers' verdicts |
| `evidence_severity` | severities of changes: by the profile of the kind, the stability of the version, the evidence |
| `groups/` | the comparison of gRPC API groups |
| `protos/` | the comparison of protos |
| `recorded_channels` | release channels of recorded releases, which only their summaries have |
| `recorded_messages` | messages, enums, and fields of recorded releases, which only their summaries have |
| `recorded_types` | the check of recorded summaries, whose files may be edited |
| `schemas/` | the comparison of schemas, node by node |
| `severity_profiles` | the decision tables of the guides for API changes: what each change requires |
| `summary_comparison` | the comparison of two API summaries, element by element |
| `unknown_fields` | the comparison of the unknown fields of CRDs, which API servers drop |
| `value_change_messages` | descriptions of changed facts |
| `version_differences` | differences between a version and the storage version, field by field, and their findings |
| `version_losses` | data loss between served versions without conversion |
"""
