"""Updates of a CRD: its storage form and the validation of changes.

| module | contents |
|---|---|
| `storage_form` | the form of an accepted CRD in storage and in responses |
| `update_validation` | validation of updates |
| `validation_options` | the validation options of creations and updates |
"""
