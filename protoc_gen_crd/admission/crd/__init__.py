"""Admission of CustomResourceDefinitions, with one module for each part of the object.

| module | contents |
|---|---|
| `crd_validation` | validation of a whole CRD: its parts in the server's order, on creation and on update |
| `lists/` | validation of list and map types |
| `manifest_admission` | admission of manifests in plain data: decoding as each server does, then validation |
| `naming/` | validation of the names, group, scope and status of a CRD |
| `rules/` | validation and cost of the CEL rules of a CRD |
| `structure/` | validation of schemas: keywords, structural schemas, defaults |
| `update/` | updates of a CRD: its storage form and the validation of changes |
| `versions/` | validation of spec.versions and spec.conversion, and the internal version of a CRD |
| `warnings` | warnings about accepted CRDs, and fields that older servers do not support |
"""
