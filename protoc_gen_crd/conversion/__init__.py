"""Conversion between the versions of a kind: plans, checks, generated Python, and proofs.

| module | contents |
|---|---|
| `checks/` | checks of conversion plans against the schemas of their versions |
| `codegen/` | generate Python modules from plans, and load them |
| `composition/` | composition of conversions between versions that are not declared directly |
| `converter` | convert objects to another version of their kind, from Python |
| `converter_packages` | import generated conversion packages that the user has named |
| `derivation/` | derivation of conversion steps from options, and from equal names and types |
| `document_hints` | hints for CRDs and rule files, which have YAML instead of markers and options |
| `expressions` | CEL expressions of conversions |
| `file_conversion` | conversion of objects in files to a version of their kind |
| `hub_choice` | the hub version of a kind: the declared one, that of the settings, or the storage version |
| `kcp_api_conversion_writer` | convert plans to kcp's APIConversion, and report steps that kcp does not support |
| `kcp_schema_reader` | conversion of APIResourceSchemas of kcp to CRDs |
| `object_checks` | errors of objects that `convert` would skip, or that would lose data |
| `plan/` | conversion plans as data: paths, steps and the plan of a kind |
| `plan_builder` | build conversion plans from CRDs: the hub of a kind, and a pair for each spoke |
| `proof/` | round-trip tests of conversions on sample and random objects |
| `recorded_hubs` | hubs of recorded releases |
| `rule_files/` | rule files and rules of the settings, and the steps that they describe |
| `runtime/` | the runtime of generated conversion modules, copied into their packages unchanged |
| `webhook_config` | the conversion webhook of CRDs (spec.conversion), and the patch for installed CRDs |

This package depends on CRDs and schemas, not on protos or files.
"""
