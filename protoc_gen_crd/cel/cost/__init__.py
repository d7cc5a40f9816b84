"""The cost of expressions: estimated before they run, and charged while they run.

| module | contents |
|---|---|
| `function_costs` | estimate and charge of each function: one row each, by Kubernetes version |
| `cost_formulas`, `special_cost_formulas`, `list_cost_formulas` | the formulas of the rows |
| `intervals` | saturating 64-bit arithmetic, and intervals |
| `cost_estimate` | `estimate(checked, minor, declared) -> (minimum, maximum)` |
| `estimator_base`, `estimator_1_32`, `estimator_current` | the cost of nodes, and sizes as estimated by older and newer servers |
| `size_paths` | the part of the schema that an expression refers to, as far as servers track it |
| `runtime_cost` | `find_charge(overload, function, minor)`: the actual cost of a call |

The limits are in `kubernetes.api_server_limits`. Import the module that you need: this package imports none of them.
"""  # noqa: E501
