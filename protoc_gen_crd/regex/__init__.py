"""Regular expressions as Go's `regexp` has them: `syntax_check.check` says what Go accepts, `matcher.compile` what it
matches.

`pattern_parser` makes tokens of a pattern, from which `pattern_limits` knows Go's bounds on size and `re2_translation`
writes what RE2 takes. Only `matcher` imports RE2; whoever only checks patterns pays for `syntax_check`,
`pattern_parser` and `character_sets`.
"""
