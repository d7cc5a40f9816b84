"""Validation of the names, group, scope and status of a CRD.

| module | contents |
|---|---|
| `api_approval` | validation of the annotation `api-approved.kubernetes.io` |
| `crd_names` | validation of the group, scope, names, and status of a CRD |
"""
