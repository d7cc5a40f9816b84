"""Regular expressions with the syntax and the results of Go's `regexp`.

| module | contents |
|---|---|
| `ascii_patterns` | patterns that match only ASCII strings, whose length in bytes equals their length in characters |
| `character_classes` | characters of a class |
| `character_set_names` | names of character sets in Go: Perl's, POSIX's and Unicode's |
| `factoring` | Go's factoring of alternatives during parsing |
| `matcher` | matching by RE2 with the results of Go's `regexp`; the only module that imports RE2 |
| `parse_tree` | the nodes of Go's parse tree |
| `parse_tree_builder` | Go's parse tree of a pattern, as far as the limits depend on it |
| `pattern_parser` | a parser of patterns with the grammar and the errors of Go's `regexp/syntax` |
| `pattern_tokens` | the tokens of a pattern |
| `quoting` | escaping of strings in regular expressions |
| `re2_translation` | translation of a pattern that Go accepts to an RE2 pattern with the same meaning |
| `reduced_alphabet` | a pattern in a small alphabet |
| `size_and_depth_limits` | Go's limits on the size and depth of a pattern, counted as Go's parser counts |
| `syntax_check` | the errors of Go's `regexp.Compile` |
| `token_assembly` | assembly of the tokens of an accepted pattern (groups, alternatives, repetitions) in any form |
| `unicode_tables` | the character sets and case foldings of Unicode 15.0.0, as Go 1.26 has them |

`syntax_check.check` reports the error of Go's `regexp.Compile`. `matcher.compile` returns a matcher.

`pattern_parser` splits a pattern into tokens. `parse_tree_builder` computes from them whether Go's limits on size are
exceeded, `re2_translation` generates the pattern for RE2. Only `matcher` imports RE2. A caller that only checks
patterns loads `syntax_check`, `pattern_parser` and `character_set_names`.
"""
