"""Validation of spec.versions and spec.conversion, and the internal version of a CRD.

| module | contents |
|---|---|
| `ca_bundles` | validation of the CA bundles of conversion webhooks, as Go parses them |
| `conversion_webhook` | validation of spec.conversion |
| `internal_version` | the internal version of a CRD |
| `spec_versions` | validation of spec.versions, and of the parts of a version or the top |
"""
