"""Runtime of generated groups: files that `generate` copies next to the packages of the groups.

| module | contents |
|---|---|
| `clients` | negotiation of the version: the newest version in a range that a server has |
| `discovery` | discovery: a service that lists the versions of groups, `protoc_gen_crd.groups.v1.Discovery` |
| `errors` | errors of servers as statuses, deprecation notices in trailing metadata, and streams |
| `extensions` | health and reflection, from the packages grpcio-health-checking and grpcio-reflection |
| `pools` | message classes of a version, built from embedded descriptors in a descriptor pool of their own |
| `services` | a service of a version with its handlers |
| `serving` | servers of groups: all versions on one endpoint, or each on its own, with discovery, health |
| `unknown_fields` | unknown fields of requests, which are dropped and counted, or rejected |
| `values` | conversions of values between a version and the hub |
"""
