"""The comparison of schemas: the changes of each node, and which objects both sides accept.

| module | contents |
|---|---|
| `cel_rule_comparison` | the comparison of the CEL rules of a node |
| `cel_rule_facts` | facts about the objects of an old schema that new CEL rules read |
| `cel_rule_formula` | CEL rules as formulas of logical operators |
| `cel_rule_inclusion` | inclusion of CEL rules: whether one accepts every object that others accept |
| `cel_rule_normal_form` | the normal form of CEL rules |
| `default_changes` | changes of defaults and of nullability: what servers store for nulls and for absent values |
| `defaults_and_nulls` | the effect of values that servers set or drop: defaults, and nulls that schemas do not allow |
| `enforced_keywords` | the effect of keywords on the values of a schema: what a server enforces |
| `implicit_fields` | the fields that resources have without their schema: apiVersion, kind, and metadata |
| `inherited_constraints` | constraints on a node by the allOf of the nodes around it |
| `keyword_changes` | the rules of single nodes: each claims keywords and compares their meaning |
| `keyword_order` | the partial order of each schema keyword: whether a value accepts the same, more, fewer |
| `logical_keyword_order` | the order of allOf, anyOf, oneOf and not, and of other keywords beside them |
| `narrowed_constraints` | keywords that accept fewer objects than those of another release or version |
| `node_pair` | a schema node in the old and the new API, with its parents |
| `present_fields` | the number of fields that objects have, by all keywords and rules together |
| `scale_restrictions` | objects that the scale subresource rejects |
| `schema_comparison` | the comparison of the schemas of a version, node by node |
| `schema_inclusion` | inclusion of value validations: whether one schema accepts every value of another one |
| `schema_numbers` | numbers of schemas, by which equal schemas are recognized |
| `string_inclusion` | inclusion of patterns and lengths: whether strings that some accept are accepted by another one |
| `unknown_field_effects` | the effect of unknown fields that servers preserve or prune |
"""
