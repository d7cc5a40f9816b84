"""Derivation of conversion steps from options, and from equal names and types.

| module | contents |
|---|---|
| `cel_rendering` | rendering of steps as CEL, for platforms that only support expressions |
| `conversion_options` | conversion options of fields, read from the facts of schemas |
| `declaration_checks` | validation of one conversion option: the form of its members, and contradictions |
| `declaration_derivation` | derivation of the steps between two versions from declarations |
| `default_options` | derivation of declared defaults |
| `endpoints` | the two ends of a conversion: an object or value of each version, by its path and schema |
| `handwritten_fields` | fields of objects that only hand-written functions convert |
| `named_fields` | the fields of the other version that declarations name by their paths |
| `part_options` | derivation of strings whose parts are fields of the other version |
| `schema_compatibility` | compatibility of schemas: values that can be copied without change |
| `shape_options` | derivation of declarations that change the shape of a value |
| `value_options` | steps of options that change a value: one function for each option |
| `value_pairing` | derivation of copies of values that both versions have, whole or part by part |
"""
