"""The comparison of the protos of two APIs, for what schemas of CRDs do not show.

| module | contents |
|---|---|
| `member_groups` | the comparison of the reservations and oneofs of two messages or enums |
| `member_names` | the names of the members that a difference is about |
| `member_visibility` | the visibility of members in the schemas of kinds |
| `proto_change_rules` | the rules and classes of changes that only protos show |
| `proto_change_selection` | changes of protos that the schemas of CRDs do not show, and those of services |
| `proto_comparison` | the comparison of two summaries of protos, element by element |
| `proto_summary` | a summary of the protos of an API: numbers, types, reservations, and services |
| `proto_usage` | the use of messages and enums by kinds and by services |
| `service_comparison` | the comparison of two summaries of services |
| `shown_elements` | the elements of protos that changes of schemas are about |
"""
