"""What expressions cost: estimated before they run, and charged while they do.

| module | what it does |
|---|---|
| `table` | what each function costs, estimated and charged: one row each, by Kubernetes version |
| `formulas`, `parsing`, `arrays` | what rows are made of |
| `intervals` | arithmetic of numbers of 64 bits that stop at the greatest, and of intervals of them |
| `estimate` | `estimate(checked, environment, declared) -> (least, most)` |
| `walk`, `older`, `newer` | what nodes cost, and how large values are to older and newer servers |
| `paths` | which part of the schema an expression stands for, as far as servers know |
| `charges` | `charge_of(overload, function, minor)`: what a call costs that has been made |
| `limits` | the budgets |

Import the module that is needed: this package loads none of them.
"""
