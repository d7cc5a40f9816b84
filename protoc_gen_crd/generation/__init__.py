"""Generation of CRDs from protos and markers. The packages after it do not depend on protobuf.

| module | contents |
|---|---|
| `admission_findings` | findings for errors and warnings of API servers, at the markers that cause them |
| `channel_filter` | release channels of elements |
| `custom_types` | schemas of messages that users define in the setting `types` |
| `descriptions` | descriptions from comments, options, and settings, truncated as by controller-gen |
| `element_filter` | filters for the parts of an element that belong to the current version and release channel |
| `finding_schemas` | builder of schemas of which a run reads only the findings |
| `int64_marker_checks` | check of markers on 64-bit integers that can also be strings |
| `istio/` | generation with compat=istio |
| `kind_conflicts` | checks for conflicts between the messages of a kind |
| `kubernetes_messages` | facts about Kubernetes' messages that only their Go types contain |
| `kubernetes_required_fields` | required fields of Kubernetes' messages |
| `macro_source_map` | map from expanded rules to rules as written, for the places of errors |
| `map_schemas` | schemas of maps |
| `masked_findings` | verdicts on rules that other errors of a CRD mask |
| `message_schemas` | builder of schemas from messages and enums, with their markers |
| `message_stack` | the path of fields to the current message, with findings about cycles, depth, and size |
| `metadata_schema` | builder of the schema of metadata |
| `oneofs` | builder of keywords for oneofs and for fields with several names, as OpenAPI or CEL |
| `output_only_fields` | check of output-only fields: API servers enforce them only in the status |
| `plural_fields` | rules of lists that have a singular field beside them |
| `preserved_paths` | application of the paths of a resource that preserve unknown fields |
| `rejected_foreign_defaults` | removal of defaults of other vocabularies that API servers reject, so |
| `rejected_foreign_rules` | removal of rules of other vocabularies that API servers reject |
| `required_fields_and_defaults` | whether fields are required, from markers, labels, and packages; checks of defaults |
| `required_kubernetes_version` | the oldest Kubernetes version whose API servers accept the CEL rules of a CRD |
| `resource_builder` | builder of CRDs from the resources that messages declare, grouped by kind |
| `resource_messages` | reader of the messages that declare resources, with their group, kind, and versions |
| `root_schemas` | builder of the root schema of a version |
| `run_context` | the shared state of a run: findings, expanded CEL rules, and omitted fields |
| `scalar_types` | table of scalar types; 64-bit integers that can also be strings |
| `schema_size` | the size of a schema as written |
| `storage_version` | choice of the storage version of a kind |
| `unused_markers` | check of markers that no CRD uses |
| `unused_overrides` | check of overrides in the settings that change no CRD |
| `version_cache` | cache of schemas that is shared by the versions with the same elements |
| `version_range_checks` | checks of version ranges for unknown versions, and for ranges without a version |
| `well_known_types` | table of messages and enums with a special JSON form |
"""
