"""Validation of list and map types.

| module | contents |
|---|---|
| `list_types` | validation of x-kubernetes-list-type, x-kubernetes-list-map-keys and x-kubernetes-map-type |
"""
