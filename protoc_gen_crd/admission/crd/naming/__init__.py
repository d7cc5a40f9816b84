"""Validation of the names, group, scope and status of a CRD.

| module | contents |
|---|---|
| `crd_names` | validation of the group, scope, names, status, and approval of a CRD |
"""
