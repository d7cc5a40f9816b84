"""Conversion plans as data: paths, steps and the plan of a kind.

| module | contents |
|---|---|
| `cel_variables` | variables and field selections in the tokens of CEL expressions |
| `container_steps` | steps of lists and maps |
| `conversion_data_entries` | entries of the conversion-data annotation |
| `copy_steps` | steps that copy, keep or drop a value, or write a default |
| `exclusive_fields` | mutually exclusive fields of a schema: the members of a oneof |
| `expression_variables` | variables of CEL expressions in list items and map entries |
| `paths` | paths of fields in objects |
| `plan` | the plan of a kind: the conversions between each version and the hub, as data |
| `python_source` | Python source as ruff formats it: literals, comments, names, and long statements |
| `resource_schemas` | implied fields of embedded resources: apiVersion, kind and all metadata |
| `shadowed_metadata` | labels and annotations of objects that have the same name as a converted field |
| `step_base` | steps of a plan: their protocol, and their base class |
| `value_steps` | steps that change a value |
"""
