"""Regular expressions with the syntax and the results of Go's `regexp`.

`syntax_check.check` reports the error of Go's `regexp.Compile`. `matcher.compile` returns a matcher.

`pattern_parser` splits a pattern into tokens. `pattern_limits` computes from them whether Go's limits on size are
exceeded, `re2_translation` generates the pattern for RE2. Only `matcher` imports RE2. A caller that only checks
patterns loads `syntax_check`, `pattern_parser` and `character_sets`.
"""
