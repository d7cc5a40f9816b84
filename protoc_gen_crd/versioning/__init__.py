"""Changes of the sources of an API: versions that are added, deprecated and removed.

| module | contents |
|---|---|
| `added_versions` | a version that is added to the messages of a kind |
| `api_sources` | the sources of an API |
| `branch_changes` | the changes of a branch for users, who have the last release |
| `conversion_proofs` | the proof of declared conversions as an item of the checklist |
| `crd_manifests` | versions in CRD manifests |
| `deprecation_policy_checks` | the deprecation policy for a removal |
| `document_versions` | test documents and samples of a version |
| `group_versions` | versions of gRPC API groups in .proto files |
| `kind_selection` | selection of the kinds whose versions change |
| `new_version_names` | checks of the name of a new version |
| `option_edits` | edits of options and comment markers |
| `option_members` | members of options and comment markers in the text of .proto files |
| `package_copies` | a version that is added as a copy of the package of another one |
| `project_checklist` | the checklist of what must accompany changes: releases, notes, samples, docs |
| `proto_deprecations` | deprecations of versions, fields and enum values in .proto files |
| `proto_removals` | removals of versions, fields and enum values from .proto files |
| `recorded_sides` | recorded releases as sides of comparisons |
| `remaining_steps` | the steps that are left to people after a version is added, deprecated or removed |
| `result_checks` | checks of a change of sources |
| `rule_file_versions` | conversions of a version in files of APIConversion objects |
| `settings_entries` | entries of the settings file that belong to a version |
| `side_comparison` | the comparison of two sides: of their kinds, their protos, and their API groups |
| `source_change` | a change of source files |
| `toml_edits` | edits of the settings in a pyproject.toml that keep comments and style |
| `unreadable_crds` | CRDs that cannot be decoded, and the comparison of the others |
| `version_planner` | plans of the commands |
| `version_removal_checks` | checks of a removed version: it must not be stored, the hub, or the only one of its kind |
| `workspace` | the state of an API on disk |
| `yaml_edits` | edits of YAML files that keep comments and style |
"""
