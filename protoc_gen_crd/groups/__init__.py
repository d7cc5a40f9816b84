"""Versioned gRPC API groups: one server on hub types, and servicers and clients for each version.

    ApiSet -> ServiceGroup (discovery) -> Hub (lineages of messages, links of fields) -> modules (codegen)

This package works on protos and does not know CRDs. Declarations are the conversion options of `conversion/`.

| module | contents |
|---|---|
| `annotated_services` | annotated services: one file that describes several versions, with ranges on RPCs, messages |
| `api_groups` | discovery of API groups |
| `codegen/` | Python modules of a group, generated from its model |
| `conversion_checks` | checks of conversions that are used: values that an older version does not know |
| `declared_value_conversions` | builders of the changes that declarations of fields describe |
| `deprecation_notices` | deprecation notices of services, RPCs, fields, and versions |
| `field_links` | links between the fields of a message in adjacent versions |
| `group_anchors` | the anchors of reference pages |
| `group_model` | model of API groups |
| `group_plan` | the plan of a group |
| `group_summary` | the summary of groups for histories and comparisons |
| `handwritten_checks` | checks of the files that belong to the user, `server.py` and `functions.py` |
| `hub_messages` | the messages of the hub |
| `message_descriptions` | descriptions of RPCs, ranges of versions, and conversions of fields |
| `message_usage` | the messages of a version that servers convert to the hub (requests) and from it (responses) |
| `method_body_checks` | checks of the bodies of methods by microversion in `server.py` |
| `microversion_changes` | changes of each microversion |
| `microversion_notes` | notes of microversions |
| `microversion_records` | records of microversions |
| `python_names` | names of proto elements in generated Python |
| `rpc_reference_page` | the reference page of a group for `docs` |
| `rpc_samples` | samples of the requests and responses of each version |
| `rpcs` | the RPCs of a group |
| `runtime/` | runtime of generated groups |
| `served_microversions` | lines of microversions: the numbers that a service serves |
| `service_types` | the types that the RPCs of services use, directly or in other types |
| `type_lineages` | the types of a group |
| `value_conversions` | changes of a value between adjacent versions, in both directions |
| `value_expressions` | values in generated conversions |
| `version_messages` | reader of the messages of a version |
"""
