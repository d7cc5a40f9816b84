"""Release channels: the guarded parts of an API, and the admission policies that reject them.

| module | contents |
|---|---|
| `admission_policies` | ValidatingAdmissionPolicies and their bindings for CRDs |
| `guard_expressions` | CEL expressions of guards over `object` |
| `guards` | fields and enum values of a schema outside a release channel, each with the path to it |
| `policy_costs` | the maximum runtime cost of policy expressions in API servers |
| `required_choices` | required choices of a schema that only fields outside a release channel can satisfy |
"""
