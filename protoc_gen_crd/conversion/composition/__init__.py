"""Composition of conversions between versions that are not declared directly.

| module | contents |
|---|---|
| `cel_substitution` | substitution of `self` in the tokens of CEL expressions |
| `declaration_synthesis` | synthesis of a declaration for the composed conversion of a field |
| `declared_links` | versions that a declaration or a rule can link a field to |
| `direct_conversions` | direct conversions between spokes, for fields that the hub does not have |
| `field_counterparts` | counterparts of fields in other versions, as members of the option `Conversion` |
| `field_reach` | how far fields can be followed through versions |
| `independent_fields` | pairs of versions whose fields are equal or declared to have no counterpart |
| `pair_completion` | completion of a pair of versions with the declarations of the versions between them |
| `spoke_consistency` | consistency of declarations between two spokes with the conversion through the hub |
| `step_composition` | composition of the option members of several steps |
| `undeclared_data` | data that a conversion keeps without a declaration: shadowed metadata |
| `value_table_consistency` | consistency of value tables between two spokes with the conversion through the hub |
| `version_graph` | conversions of versions whose fields only name the neighboring version |
"""
