"""Formatting of CRDs, policies, manifests, and samples as files.

| module | contents |
|---|---|
| `converter_package` | generation of the Python package of converters |
| `crd_files` | CRD files in YAML or JSON: one for each CRD, or one bundle |
| `editor_schema_keywords` | encoding of structural schemas as JSON Schema, draft 7 |
| `editor_schemas` | JSON Schemas of kinds, for editors and validators of manifests |
| `group_packages` | generation of the Python packages of gRPC API groups |
| `json_formatter` | formatting of JSON with an indent, where parts that are shared are formatted once |
| `json_size` | size of plain data as JSON without blanks, computed once for shared data |
| `kcp_files` | files of kcp: an APIResourceSchema for each kind, and an APIExport for each group |
| `kcp_retention` | a check that an output folder keeps the last APIConversion that converts a version |
| `manifest_differences` | comparison of two CRDs, by paths such as `.spec.subsets[].trafficPolicy` |
| `manifests/` | manifests of the webhook |
| `mode_differences` | report=differences: the changes that default mode would make to the CRDs of compat mode |
| `output_file` | output files and the option `header` |
| `output_names` | validation of the names of output files: below the output folder, and unique |
| `policy_files` | files of admission policies, one for each kind, optionally as Helm templates |
| `release_guard` | the admission policy that rejects CRDs of an older release |
| `sample_yaml` | samples as YAML |
| `storage_version_migrations` | StorageVersionMigration objects |
"""
