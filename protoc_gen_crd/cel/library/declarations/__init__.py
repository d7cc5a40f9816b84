"""The declarations of the functions of CEL and of Kubernetes: one module per library, each with its `LIBRARY`.

| module | contents |
|---|---|
| `authorization` | the authorizer library |
| `formats` | named formats: `format.dns1123Label().validate(string)` |
| `lists` | lists: Kubernetes' own library, and cel-go's, which servers have since 1.34 |
| `maps` | comprehensions over two variables, and their functions |
| `messages` | the protobuf messages that cel-go always declares |
| `net` | IP addresses and ranges |
| `optionals` | optional values: `optional.of(x)`, `a.?b`, `list[?0]` |
| `quantity` | quantities such as `1.5Gi` |
| `regex` | regular expressions |
| `semver` | semantic versions |
| `sets` | lists as sets |
| `standard` | the standard library: operators, conversions, sizes, strings |
| `strings` | the string extensions |
| `time` | accessors of timestamps and durations, a part of the standard library |
| `urls` | URLs |

`environment` has the libraries of each Kubernetes version.
"""
