"""Rule files and rules of the settings, and the steps that they describe.

| module | contents |
|---|---|
| `api_conversion` | rule files: kcp's APIConversion, with the forms that only its design describes |
| `entry_rules` | rules of map entries: fields that an expression computes become rules of their own |
| `indexed_rules` | rules of one item or entry, such as `spec.names[1]` and `spec.limits['cpu']` |
| `item_rule_derivation` | derivation of steps from rules of single items and entries |
| `keyed_list_rules` | rules from the entries of a map to the items of a list, and back, to steps |
| `rule_derivation` | derivation of steps from rule files |
| `rule_file_search` | rule files among the documents of a run |
| `rule_set` | the rules of one pair of versions |
| `settings_rules` | rules in the settings, and in rule files that the settings name |
"""
