"""CEL as Kubernetes implements it: parser, type checker, interpreter, and cost estimation over one tree.

| module | contents |
|---|---|
| `parser.ast` | nodes and operators |
| `parser.parser` | `parse(source, dialect) -> Ast \\| Rejection` |
| `parser.expression_parser`, `parser.parser_1_27` | the grammar of current servers, and of 1.25 to 1.27 |
| `parser.parser_options_and_limits` | `ParserOptions`: the syntax and the macros of an environment; limits |
| `parser.issues` | `Issue` (message, offset) and `Rejection`, whose `str` is cel-go's report with excerpts and carets |
| `parser.unparser` | `unparse(ast) -> str`, the expression as cel-go formats it |
| `parser.macro_expansion` | `Macro`, `build_table(*macros)`, and `ExprFactory`, which creates nodes for expanders |
| `parser.standard_macros` | the macros of CEL and of cel-go's libraries, one tuple per library |
| `project_macros` | this project's macros (`PROJECT_MACROS`) and `preprocess(source) -> str \\| Rejection`, which expands them |
| `shared_expansions` | the expansions of the rules of a run, which rules share that differ only in names of fields |
| `version_differences` | the differences between Kubernetes versions: one table of switches |
| `checker.types` | types, and the declarations of schemas |
| `checker.overloads`, `library`, `environment` | functions, and the Kubernetes versions that have them |
| `checker.checker` | `check(tree, environment, variables) -> CheckedAst \\| Rejection`, types and references |
| `values.runtime_values` | runtime values, equality, and order |
| `values.schema_values` | `ValueReaderFactory(declarations, switches)`: JSON data as values (`values.object_values`, `values.list_values`) |
| `interpreter.program` | programs compiled from checked expressions, and their evaluation |
| `constant_folding` | calls that a server evaluates when it creates a program |
| `source_map` | offsets in an expanded rule to offsets in the rule as written |
| `shared_answers` | versions that parse and check an expression alike |
| `cost` | estimated cost of an expression and actual cost of calls |

`parser.lexer` and `parser.literals` serve the parser. `parser.syntax_errors`, `parser.error_visitor`, `parser.recovery`,
`parser.error_strategy` and `parser.antlr_grammar` are loaded only for an expression with a syntax error, to report the
server's errors.

Functions return a user's mistakes instead of raising them. Results are not cached; callers cache them. Import the
module that you need: this package imports none of them.
"""  # noqa: E501
