"""The CEL parser: string to tree, macro expansion, syntax errors, and tree to string.

| module | contents |
|---|---|
| `antlr_grammar` | CEL's grammar as data, for reporting syntax errors |
| `ast` | the tree of a CEL expression, which all parts of the `cel` package share |
| `error_messages` | cel-go's messages for rejected syntax and exceeded limits |
| `error_strategy` | ANTLR's handling of syntax errors: messages, dropped or inserted tokens, and recovery |
| `error_visitor` | cel-go's visitor over the parse tree that ANTLR recovers from an expression with syntax errors |
| `error_visitor_1_27` | the errors of cel-go 0.12 for an expression with syntax errors |
| `error_visitor_1_32` | the errors of cel-go 0.16 to 0.22 for an expression with syntax errors |
| `expression_parser` | a recursive-descent parser of CEL expressions |
| `issues` | the errors of a CEL expression, and their format in cel-go |
| `lexer` | tokens of an expression, and their reader: the base of the parser |
| `literals` | the values of literals: strings, bytes, integers, and floating point numbers |
| `macro_expansion` | macros as data, and the factory that creates nodes for their expanders |
| `parser` | `parse`: a tree, or all syntax errors |
| `parser_1_27` | the CEL parser of cel-go 0.12 (Kubernetes 1.25 to 1.27) |
| `parser_options_and_limits` | the options of the parser: syntax and macros; the limits of size and depth |
| `recovery` | a parser that recovers from syntax errors, used only for expressions that are rejected |
| `standard_macros` | the macros of CEL and of cel-go's libraries |
| `syntax_errors` | the errors that cel-go reports for an expression with syntax errors, by version |
| `unparser` | a tree as a string, as cel-go prints it |
"""
