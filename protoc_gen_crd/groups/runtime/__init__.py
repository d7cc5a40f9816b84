"""Runtime of generated groups: files that `generate` copies next to the packages of the groups.

| module | contents |
|---|---|
| `clients` | negotiation of the version |
| `discovery` | discovery |
| `errors` | errors of servers as statuses, and streams that are closed in any case |
| `health_and_reflection` | health and reflection, from the packages grpcio-health-checking and grpcio-reflection |
| `interceptors` | interceptors that report the end of each call to observers: the log, and metrics |
| `method_bodies` | methods with several bodies, each for a range of microversions |
| `metrics` | prometheus metrics of servers by group, version, and RPC. It requires the package prometheus-client |
| `microversions` | microversions of a group: their numbers, and the versions in order |
| `pools` | message classes of a version |
| `request_streams` | streams of requests that a client converts from the hub |
| `requested_version` | the version that a request names in its metadata, and the handler that it selects |
| `response_streams` | streams of responses that cancel their call when they are closed |
| `services` | a service of a version with its handlers, and a service of several microversions |
| `serving` | servers of groups |
| `testing` | a pytest plugin for servers of groups: tests that run in several versions, with samples of each version |
| `trailing_metadata` | versions and deprecation notices in trailing metadata, which handlers cannot remove |
| `unknown_fields` | unknown fields of requests, which are dropped and counted, or rejected |
| `values` | conversions of values between a version and the hub |
"""
