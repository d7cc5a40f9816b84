"""Validation of spec.versions and spec.conversion, and the internal version of a CRD.

| module | contents |
|---|---|
| `ca_bundles` | validation of the CA bundles of conversion webhooks, as Go parses them |
| `internal_version` | the internal version of a CRD |
| `spec_conversion` | validation of spec.conversion |
| `spec_versions` | validation of spec.versions |
"""
