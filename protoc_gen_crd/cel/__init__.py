"""CEL as Kubernetes has it: all that works on one tree.

| module | what it does |
|---|---|
| `ast` | the nodes, the operators |
| `syntax` | `parse(text, dialect) -> Ast \\| Refusal`; a `Dialect` says which syntax and macros are on |
| `issues` | `Issue` (message, offset) and `Refusal`, whose `str` is cel-go's report with excerpt and caret |
| `unparse` | `unparse(ast) -> str`, cel-go's one way to write an expression |
| `macros` | our macros (`OURS`), and `preprocess(text) -> str \\| Refusal` for a rule that may use them |

Nothing is raised for a user's mistake. Calls are not remembered; who asks again and again keeps the answers.
Import the module that is needed: this package loads none of them.
"""
