"""CEL as Kubernetes has it: everything works on one tree.

| module | what it does |
|---|---|
| `parser.ast` | the nodes; the operators |
| `parser.parser` | `parse(text, dialect) -> Ast \\| Refusal` |
| `parser.expression_parser`, `parser.parser_1_27` | the grammar of current servers, and of 1.25 to 1.27 |
| `parser.parser_base` | `Dialect`: which syntax and macros an environment has; the limits |
| `parser.issues` | `Issue` (message, offset) and `Refusal`, whose `str` is cel-go's report with excerpts and carets |
| `parser.unparser` | `unparse(ast) -> str`, the one way in which cel-go writes an expression |
| `parser.macro_expansion` | `Macro`, `table(*macros)` for a dialect, and the `Workshop` that expanders make nodes in |
| `parser.standard_macros` | the macros of CEL and of cel-go's libraries, a tuple for each library |
| `macros` | our macros (`OURS`), and `preprocess(text) -> str \\| Refusal` for a rule that may use them |
| `versions` | what differs between versions of Kubernetes: one table of switches |
| `checker.types` | types, and what a schema is to an expression |
| `checker.overloads`, `library`, `environment` | the functions, and which of them a Kubernetes version has |
| `checker.checker` | `check(ast, environment, variables) -> Checked \\| Refusal`, types and references |
| `values.values` | what expressions compute with; equality and order |
| `values.schema_values` | `Reader(declarations, minor).of(schema)`: JSON data as values, made of `values.object_values` and `values.list_values` |
| `interpreter.program` | `program(checked, environment, variables) -> Program \\| Fault`, `Program.run(values) -> Outcome` |
| `cost` | what an expression may cost, and what calls have cost |

`parser.lexer` and `parser.literals` serve the parser. `parser.syntax_errors`, `parser.error_visitor`, `parser.recovery`,
`parser.error_strategy` and `parser.antlr_grammar` are only loaded for a text with a syntax error, to say of it what the
server says.

Nothing is raised for a user's mistake. Answers are not remembered; who asks again and again keeps them. Import the
module that is needed: this package loads none of them.
"""  # noqa: E501
