"""The differences in CEL between Kubernetes 1.25 and 1.37: one table of named switches.

The notation is that of `admission.version_differences`: a switch is on from one minor version (`since`) to before
another (`until`). A row of a library, a cost, or an error message names the switch from which servers have it (`since`)
and the switch from which they no longer have it (`before`). No other module of this package compares versions.
Each version means its last patch release. Sources are packages of cel-go at the version of the first server, paths
in k8s.io/apiserver (AS) pkg/ and k8s.io/apiextensions-apiserver (AE) pkg/, and Go's standard library.
"""

from __future__ import annotations

from protoc_gen_crd.kubernetes.supported_versions import UNLIMITED, Switch

ALWAYS = Switch("always", 0, "what every server has")
NEVER = Switch("never", UNLIMITED, "what no server has")

# libraries, by the version from which stored expressions have them; new expressions have them one version later
PREVIOUS_LIBRARIES = Switch(
    "previous-libraries", 28, "AS cel/environment base.go: new expressions have the libraries of the version before"
)
AUTHORIZER = Switch("authorizer", 27, "AE apiserver/schema/cel compilation.go: library Authz")
OPTIONALS = Switch("optionals", 28, "AS cel/environment base.go: cel.OptionalTypes")
QUANTITIES = Switch("quantities", 28, "AS cel/environment base.go: library Quantity")
STRINGS_2 = Switch("strings-2", 29, "AS cel/environment base.go: ext.Strings of version 2, before that 0")
SETS = Switch("sets", 29, "AS cel/environment base.go: ext.Sets")
IP_ADDRESSES = Switch("ip-addresses", 30, "AS cel/environment base.go: libraries IP and CIDR")
NAMED_FORMATS = Switch("named-formats", 31, "AS cel/environment base.go: library Format")
AUTHORIZER_SELECTORS = Switch("authorizer-selectors", 31, "AS cel/environment base.go: library AuthzSelectors")
TWO_VARIABLES = Switch("two-variables", 32, "AS cel/environment base.go: ext.TwoVarComprehensions")
SEMVER = Switch("semver", 33, "AS cel/environment base.go: library SemverLib")
LISTS_3 = Switch("lists-3", 34, "AS cel/environment base.go: ext.Lists of version 3")
LISTS_1 = Switch("lists-1", 37, "AS cel/environment base.go: library Lists with `includes`")

# functions of a library that depend on the server's code
DECISION_ERRORS = Switch("decision-errors", 28, "AS cel/library/authz.go: errored() and error()")
GLOBAL_MATCHES = Switch("global-matches", 28, "cel-go 0.16 common/stdlib: matches(string, string)")
OPTIONAL_LISTS = Switch("optional-lists", 33, "cel-go 0.23 cel: first, last, optional.unwrap, unwrapOpt")
OPT_FLAT_MAP = Switch("opt-flat-map", 29, "cel-go 0.17 cel: macro optFlatMap")
INT_TO_DURATION_REMOVED = Switch("int-to-duration-removed", 37, "cel-go 0.29 common/stdlib: no overload duration(int)")

# syntax
OPTIONAL_GRAMMAR = Switch(
    "optional-grammar", 28, "cel-go 0.16 parser/gen/CEL.g4: optional syntax, fewer levels are counted"
)
MIXED_NUMBERS = Switch("mixed-numbers", 28, "AS cel/environment base.go: cel.CrossTypeNumericComparisons: 1 < 2.0")
FRESH_OPTIONALS = Switch("fresh-optionals", 32, "cel-go 0.22 cel: macros of optionals copy what they are called on")
ESCAPED_TOKENS = Switch(
    "escaped-tokens", 33, "cel-go 0.23 parser/gen/CEL.g4: names in backticks are tokens, escapes are checked"
)
BACKTICKS = Switch("backticks", 37, "AS cel/environment base.go: cel.EnableIdentifierEscapeSyntax: self.`a-b`")
RESERVED_FIELDS = Switch("reserved-fields", 31, "AS cel/environment base.go: fields named as reserved words")

# types
SUBSTITUTED_TYPES = Switch(
    "substituted-types", 28, "cel-go 0.16 checker: errors show the types of variables, no fields means dyn"
)
LITERAL_CHECKS = Switch("literal-checks", 29, "AS cel/environment base.go: cel.ASTValidators: checks of literals")
TYPED_OPERATORS = Switch(
    "typed-operators", 29, "cel-go 0.17 checker: undeclared names have a type, && requires bools, macros report "
    "arguments, null and wrappers are assignable, overloads have another order",
)  # fmt: skip
MIXED_LITERALS = Switch("mixed-literals", 29, "cel-go 0.17 cel: literals of lists and maps are checked after types")
FORMAT_CHECKS = Switch("format-checks", 31, "cel-go 0.20 ext: the string of format; literals in its list are exempt")
OPTIONAL_TYPE = Switch(
    "optional-type", 31, "cel-go 0.20 common/types: optional_type names a type, before that optional"
)
UNTYPED_SECOND_VARIABLE = Switch(
    "untyped-second-variable", 32, "cel-go 0.22 checker: the second variable over dyn has no type", until=33
)
LINE_STARTS = Switch("line-starts", 32, "cel-go 0.22 common: a line's start is no longer the end of the one before")
SCALAR_TYPES = Switch("scalar-types", 32, "AS cel: names of Kubernetes' scalars are types, before that values")
ROOT_NAMES = Switch("root-names", 37, "cel-go 0.29 checker: a leading dot skips variables of comprehensions")

# evaluation
PARSED_GROUP_NAMES = Switch("parsed-group-names", 27, "Go 1.22 regexp/syntax: `(?<name>...)`")
JOINED_LISTS = Switch("joined-lists", 27, "recorded by tests/judges/celfunctions: join accepts lists of data")
RECEIVER_FUNCTIONS = Switch(
    "receiver-functions", 29, "cel-go 0.17 interpreter/functions: strings have no receivers of their own"
)
STRICT_NEGATION = Switch("strict-negation", 29, "cel-go 0.17 common/stdlib: negation is bound to its overload")
KNOWN_ERRORS = Switch("known-errors", 28, "cel-go 0.16 common/types: an error is a member of no list")
UNSIZED_INDEXES = Switch("unsized-indexes", 28, "cel-go 0.16 interpreter: errors of indexes without the list's size")
UNNUMBERED_NAMES = Switch("unnumbered-names", 28, "cel-go 0.16 interpreter: errors of names without the node's id")
PRESENCE_ATTRIBUTES = Switch(
    "presence-attributes", 28, "cel-go 0.16 interpreter/runtimecost.go: has() is an attribute and has a cost"
)
COSTLY_PRESENCE_TESTS = Switch(
    "costly-presence-tests",
    28,
    "cel-go 0.16 interpreter/runtimecost.go: has() costs as much as the selection",
    until=29,
)
DECLARED_CONVERSIONS = Switch(
    "declared-conversions", 29, "cel-go 0.17 common/stdlib: conversions are bound to overloads"
)
UNTYPED_ITEM_ERRORS = Switch(
    "untyped-item-errors", 28, "AE validation/cel_validation.go: rules of items of a node without items are an error"
)
EMPTY_OBJECTS = Switch("empty-objects", 29, "AE apiserver/schema/cel: objects without properties are accepted")
ERROR_VARIABLES = Switch("error-variables", 31, "cel-go 0.20 interpreter: an error in a variable ends the attribute")
TYPED_OPTIONALS = Switch("typed-optionals", 31, "cel-go 0.20 common/types: the type of optionals is optional_type")
BYTES_OF_UINTS = Switch("bytes-of-uints", 31, "cel-go 0.20 common/types: a uint is no byte")
SEARCH_WITHIN = Switch("search-within", 32, "cel-go 0.22 ext/strings.go: indexOf within the string")
SEARCH_EMPTY = Switch("search-empty", 34, "cel-go 0.26 ext/strings.go: indexOf of an empty string")
SEARCH_ANYWHERE = Switch("search-anywhere", 37, "cel-go 0.29 ext/strings.go: indexOf from any position")
CONTAINED_RANGES = Switch("contained-ranges", 32, "AS cel/library/cidr.go: containsCIDR compares the whole range")
FORMAT_KEYS = Switch("format-keys", 32, "AS cel/library/format.go: a format is no key of a map")
FOLD_START = Switch("fold-start", 32, "cel-go 0.22 interpreter: the accumulator starts when it is read")
HIDDEN_FOLD_ERRORS = Switch(
    "hidden-fold-errors", 32, "cel-go 0.22 interpreter: errors are ranges of two variables", until=33
)
FLAT_EXPONENTS = Switch("flat-exponents", 33, "cel-go 0.23 ext: %e without spaces")
PLAIN_ZONE_ERRORS = Switch("plain-zone-errors", 33, "cel-go 0.23 common/types: errors of zones are formatted once")
ABSENT_NULLS = Switch("absent-nulls", 34, "AS cel/common: a field that is null is absent in comparisons")
LABEL_KEY_FORMAT = Switch("label-key-format", 35, "AS cel/library/format.go: qualifiedName is a label key")
STRICT_COLONS = Switch("strict-colons", 36, "Go 1.26 net/url: one colon in the host of an http URL (urlstrictcolons)")
LISTS_BY_VALUE = Switch("lists-by-value", 37, "AS cel/common: sums and sets compare values")
BOUNDED_RANGES = Switch("bounded-ranges", 37, "cel-go 0.29 ext/lists.go: lists.range has a limit")
COPIED_QUANTITIES = Switch("copied-quantities", 37, "AS cel/library/quantity.go: sums leave their operands alone")
OPTIONAL_VALUES = Switch("optional-values", 37, "cel-go 0.29 interpreter: qualifiers of optionals take the value")
STRICT_OPTIONALS = Switch("strict-optionals", 37, "cel-go 0.29 cel: or and orValue accept optionals only")

# error messages
NATIVE_TYPE_NAMES = Switch("native-type-names", 26, "cel-go 0.12.7 interpreter: *cel types are named *common")
PLAIN_ERRORS = Switch("plain-errors", 28, "cel-go 0.16 common/types: messages are no formats")
SHORT_TYPE_NAMES = Switch("short-type-names", 29, "cel-go 0.17 common/types: *types.Type, before that TypeValue")
DYN_PARAMETERS = Switch("dyn-parameters", 34, "cel-go 0.26 common/types: list(dyn), before that list()")
DYN_OPTIONALS = Switch("dyn-optionals", 37, "cel-go 0.29 common/types: optional_type(dyn), before that optional_type")
EMPTY_PARAMETERS = Switch("empty-parameters", 29, "cel-go 0.17 common/types: list(), before that list")

# estimated and actual cost
RESULT_SIZES = Switch(
    "result-sizes", 26, "cel-go 0.12.7 checker/cost.go: results of functions have sizes, before that only sums"
)
PRESENCE_TEST_COST = Switch("presence-test-cost", 28, "cel-go 0.16 checker/cost.go: has() costs its operand and one")
PRESENCE_TEST_OPERAND = Switch("presence-test-operand", 29, "cel-go 0.17 checker/cost.go: has() costs its operand")
LITERAL_CHARACTERS = Switch(
    "literal-characters", 28, "cel-go 0.16 checker/cost.go: literals are measured in characters"
)
OPTIONAL_SELECTION_COST = Switch(
    "optional-selection-cost", 29, "cel-go 0.17 checker/cost.go: the operand of `.?` has a cost"
)
STOPPED_SIZES = Switch("stopped-sizes", 29, "cel-go 0.17 checker/cost.go: sizes stop at 2^64")
WRAPPED_LIST_COST = Switch("wrapped-list-cost", 29, "AS cel/library/cost.go: lists of any type are traversed")
ENUM_SIZES = Switch("enum-sizes", 29, "AS cel/common: enums bound strings")
COMPREHENSION_SIZES = Switch(
    "comprehension-sizes", 30, "cel-go 0.17.8 checker/cost.go: results of comprehensions have sizes"
)
QUANTITY_COST = Switch("quantity-cost", 30, "AS cel/library/cost.go: quantity, isQuantity")
MESSAGE_COST = Switch("message-cost", 31, "cel-go 0.20 checker/cost.go: messages are not measured as empty maps")
EQUALITY_COST = Switch("equality-cost", 32, "cel-go 0.22 checker/cost.go: == of lists and maps")
URL_SIZE = Switch("url-size", 32, "AS cel/library/cost.go: the result of url has a size")
OPTIONAL_SIZES = Switch("optional-sizes", 33, "cel-go 0.23 checker/cost.go: an optional is measured by its value")
VARIABLE_SIZES = Switch(
    "variable-sizes", 33, "cel-go 0.23 checker/cost.go: variables and items have sizes of their own"
)
INT_OR_STRING_SIZES = Switch("int-or-string-sizes", 34, "AS cel/common: int-or-strings have a size")
NAME_SIZES = Switch("name-sizes", 37, "AS cel/common: metadata.name and generateName have a size")
PREFIX_COST = Switch("prefix-cost", 37, "cel-go 0.29 interpreter/runtimecost.go: startsWith and endsWith are charged")
GLOBAL_MATCHES_COST = Switch("global-matches-cost", 37, "cel-go 0.29 checker/cost.go: matches(string, string)")
INCLUDES_COST = Switch("includes-cost", 37, "AS cel/library/cost.go: includes")
FLATTEN_COST = Switch("flatten-cost", 37, "recorded by tests/judges/cost: flatten without wrapping")

ALL = [value for value in list(globals().values()) if isinstance(value, Switch)]
