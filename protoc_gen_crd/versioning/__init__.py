"""Changes of the sources of an API: versions that are added, deprecated and removed.

| module | contents |
|---|---|
| `added_versions` | a version that is added to the messages of a kind: it is listed, and ranges |
| `api_sources` | the sources of an API: its .proto files, and its kinds with the messages that define their versions |
| `crd_manifests` | versions in CRD manifests: the files with CRDs that are not generated, and edits of their versions |
| `deprecations` | deprecations of versions, fields and enum values in .proto files |
| `document_versions` | test documents and samples of a version: copies for another version, and their removal |
| `kind_selection` | selection of the kinds whose versions change |
| `member_edits` | edits of options and comment markers: replace a value, repeat or remove an entry |
| `package_copies` | a version that is added as a copy of the package of another one |
| `plans` | plans of the commands: the changes of all files that add, deprecate or remove a version or an element |
| `remaining_steps` | the steps that are left to people after a version is added, deprecated or removed |
| `removal_policy` | the deprecation policy for a removal: what the recorded releases require of it |
| `removals` | removals of versions, fields and enum values from .proto files |
| `result_checks` | checks of a change of sources: the CRDs after it, compared with those before it |
| `rule_file_versions` | conversions of a version in files of APIConversion objects: copies for another version |
| `settings_entries` | entries of the settings file that belong to a version: copies for another version |
| `source_change` | a change of source files: edits of files, new files and removed ones, before anything is written |
| `version_members` | members of options and comment markers in the text of .proto files, |
| `workspace` | the state of an API on disk: its sources, its CRD manifests, and the CRDs that they define |
| `yaml_edits` | edits of YAML files that keep comments and style: copied and removed items of lists |
"""
