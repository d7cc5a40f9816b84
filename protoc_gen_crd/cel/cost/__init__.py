"""The cost of expressions: estimated before they run, and charged while they run.

| module | contents |
|---|---|
| `cost_estimate` | `estimate(checked, minor, declared) -> (minimum, maximum)` |
| `cost_formulas`, `special_cost_formulas`, `list_cost_formulas` | the formulas of the rows |
| `estimator_base`, `estimator_1_32`, `estimator_current` | the cost of nodes, and sizes as estimated by older and newer servers |
| `function_costs` | estimate and charge of each function: one row each, by Kubernetes version |
| `intervals` | saturating 64-bit arithmetic, and intervals |
| `runtime_cost` | `find_charge(overload, function, minor)`: the actual cost of a call |
| `size_paths` | the part of the schema that an expression refers to, as far as servers track it |

The limits are in `kubernetes.api_server_limits`. Import the module that you need: this package imports none of them.
"""  # noqa: E501
