"""The implementations of Kubernetes' and cel-go's libraries: one module per library that declares them.

| module | contents |
|---|---|
| `digits` | conversion between integers and decimal digits, in less than quadratic time |
| `formats` | named formats as values |
| `inf_decimal` | decimal numbers of any size and scale |
| `lists` | lists |
| `maps` | functions that comprehensions over maps call |
| `messages` | the values of message literals |
| `native_conversion` | conversion of values to the Go types of the fields of protobuf's well-known messages |
| `net` | IP addresses and CIDR ranges as values |
| `operators` | the operators on values of any types |
| `optionals` | the functions of optional values |
| `ordering` | the order of values |
| `quantity` | quantities as values |
| `quantity_arithmetic` | the arithmetic of quantities: exact numbers in one of two forms, as in Kubernetes |
| `quantity_format` | canonical strings of quantities |
| `quantity_parser` | the parser of quantities such as `1.5Gi`: sign, digits, and suffix |
| `regex` | regular expressions |
| `semver` | semantic versions as values |
| `sets` | lists as sets |
| `string_format` | `format`: insert values into a string, with numbers in English format |
| `strings` | the string extensions, and how older servers search strings |
| `time` | accessors of timestamps, in a time zone, and of durations |
| `type_conversions` | conversions of the standard library, and value formatting |
| `urls` | URLs as values |

Modules are imported when a program needs them (`Overload.load_binding`). Arguments have the declared types; items of
lists may have any type.
"""
