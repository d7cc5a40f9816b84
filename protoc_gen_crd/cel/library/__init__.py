"""The functions of CEL and of Kubernetes.

| module | contents |
|---|---|
| `declarations/` | the overloads of each library, with the versions that have them |
| `functions/` | the implementations of the overloads |
| `time_parser` | parsers of durations and timestamps, as in Go |

`environment` has the libraries of each Kubernetes version. Import the module that you need.
"""
