"""What expressions cost: estimated before they run, and charged while they do.

| module | what it does |
|---|---|
| `cost_table` | what each function costs, estimated and charged: one row each, by Kubernetes version |
| `cost_formulas`, `string_costs`, `list_costs` | what rows are made of |
| `intervals` | arithmetic of numbers of 64 bits that stop at the greatest, and of intervals of them |
| `cost_estimate` | `estimate(checked, environment, declared) -> (least, most)` |
| `estimator`, `estimator_1_32`, `estimator_current` | what nodes cost, and how large values are to older and newer servers |
| `size_paths` | which part of the schema an expression stands for, as far as servers know |
| `runtime_cost` | `charge_of(overload, function, minor)`: what a call costs that has been made |

The limits are in `kubernetes.limits`. Import the module that is needed: this package loads none of them.
"""  # noqa: E501
