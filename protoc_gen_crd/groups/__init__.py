"""Versioned gRPC API groups: one server on hub types, and servicers and clients for each version.

    ApiSet -> ServiceGroup (discovery) -> Hub (lineages of messages, links of fields) -> modules (codegen)

This package works on protos and does not know CRDs. Declarations are the conversion options of `conversion/`.

| module | contents |
|---|---|
| `change_builders` | builders of the changes that declarations of fields describe, one for each kind of declaration |
| `changes` | changes of a value between adjacent versions, in both directions, as Python of generated conversions |
| `codegen/` | Python modules of a group, generated from its model |
| `deprecations` | deprecation notices of services, RPCs, fields, and versions: options |
| `discovery` | discovery of API groups: the services of a request, their groups and versions, and the RPCs |
| `field_links` | links between the fields of a message in adjacent versions, from declarations and from equal names |
| `group_plan` | the plan of a group: its types, the messages of its hub, and the findings about conversions |
| `hub_messages` | the messages of the hub: their fields, and the expression of each field from and to every version |
| `model` | model of API groups: versions, RPCs, and the types that the hub has for the messages of all versions |
| `python_names` | names of proto elements in generated Python: valid, unique, and in the style of Python |
| `rpcs` | the RPCs of a group: those of all versions, with renamed ones under their newest names |
| `runtime/` | runtime of generated groups: files that `generate` copies next to the packages of the groups |
| `service_types` | the types that the RPCs of services use, directly or in other types |
| `type_lineages` | the types of a group: messages and enums of all versions, joined to one class of the hub each |
| `values` | values in generated conversions: Python expressions, with the condition under which the value is set |
| `version_messages` | reader of the messages of a version: the types of their fields on the level of the hub |
"""
