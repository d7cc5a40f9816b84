"""CEL as Kubernetes has it: everything works on one tree.

| module | what it does |
|---|---|
| `ast` | the nodes; the operators |
| `syntax` | `parse(text, dialect) -> Ast \\| Refusal` |
| `reader` | `Dialect`: which syntax and macros an environment has; the limits |
| `issues` | `Issue` (message, offset) and `Refusal`, whose `str` is cel-go's report with excerpts and carets |
| `unparse` | `unparse(ast) -> str`, the one way in which cel-go writes an expression |
| `expansion` | `Macro`, `table(*macros)` for a dialect, and the `Workshop` that expanders make nodes in |
| `comprehensions` | the macros of CEL and of cel-go's libraries, a tuple for each library |
| `macros` | our macros (`OURS`), and `preprocess(text) -> str \\| Refusal` for a rule that may use them |
| `types` | types, and what a schema is to an expression |
| `overloads`, `library`, `environment` | the functions, and which of them a Kubernetes version has |
| `check` | `check(ast, environment, variables) -> Checked \\| Refusal`, types and references |
| `values` | what expressions compute with; equality and order |
| `data` | `Reader(declarations, minor).of(schema)`: JSON data as values, made of `objects` and `items` |
| `evaluate` | `program(checked, environment, variables) -> Program \\| Fault`, `Program.run(values) -> Outcome` |
| `cost` | what an expression may cost, and what calls have cost |

`lexer` and `literals` serve the parser. `salvage`, `recovery`, `antlr` and `grammar` are only loaded for a text with a
syntax error, to say of it what the server says.

Nothing is raised for a user's mistake. Answers are not remembered; who asks again and again keeps them. Import the
module that is needed: this package loads none of them.
"""
