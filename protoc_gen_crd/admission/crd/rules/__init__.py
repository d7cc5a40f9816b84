"""Validation and cost of the CEL rules of a CRD.

| module | contents |
|---|---|
| `bound_suggestions` | suggestion of bounds that bring the cost of rules under the limit |
| `cel_interface` | the interface between admission and a CEL compiler |
| `cost_factors` | the factors that multiply the costs of rules |
| `cost_limit_errors` | the costs of rules at their positions in a schema |
| `cost_report` | the cost report of the rules of a CRD for a range of Kubernetes versions |
| `field_paths` | simple JSON paths through a schema such as `.spec.a['b.c']` |
| `program_creation` | detection of compiled expressions of which a server cannot create a program |
| `rule_compiler` | compilation and cost estimation of the rules of a schema, with the errors of API servers |
| `rule_estimates` | cost estimates of all rules of a CRD, whether or not servers accept the CRD |
| `rule_validation` | validation of x-kubernetes-validations before compilation |
"""
