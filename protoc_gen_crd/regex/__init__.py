"""Regular expressions as Go's `regexp` has them: `syntax.check` says what Go accepts, `match.compile` what it matches.

`reader` makes tokens of a pattern, from which `limits` knows Go's bounds on size and `translate` writes what RE2 takes.
Only `match` imports RE2; whoever only checks patterns pays for `syntax`, `reader` and `sets`.
"""
