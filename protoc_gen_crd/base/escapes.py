"""Foreign strings in generated files: one function for each kind of text that such a string may enter.

Names, paths and descriptions of descriptors, CRDs, rule files and settings may hold anything. They enter generated text
through these functions, as YAML through `yaml.writer.dump`, as Markdown through `markdown`, as Python through
`conversion.plan.python_source`.
"""

from __future__ import annotations

import json
import re

# Control characters, line breaks of any kind, and what changes the direction of writing.
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_SHOWN = 200  # characters of a name in a message
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK = re.compile("[\t\n\v\f\r]")
_PLAIN_PATH = re.compile(r"[\w./@:+-]+", re.ASCII)


def visible(text: str) -> str:
    r"""A string on one line: what cannot be printed is written as an escape of Python, such as `\n`."""
    return text if text.isprintable() else "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def control_fault(what: str, text: str) -> str:
    """The problem with a name or path that contains a control character; empty for any other."""
    shown = visible(text[:_SHOWN]) + ("..." if len(text) > _SHOWN else "")
    return f'{what} "{shown}" contains a control character' if CONTROL.search(text) else ""


def yaml_comment(text: str) -> str:
    """A string within a comment of YAML: blanks stay blanks, anything else that cannot be printed becomes an escape."""
    return visible(_BLANK.sub(" ", text.expandtabs()))


def promql_string(text: str) -> str:
    """A string literal of PromQL, which has the escapes of Go."""
    return f'"{_with_code_points(text, quote=chr(34))}"'


def promql_regexp(*alternatives: str) -> str:
    """A string literal of PromQL: a regular expression of RE2 that matches these strings and no others."""
    return promql_string("|".join(map(re.escape, alternatives)))


def shell_word(text: str) -> str:
    """One word of a command line of bash, on one line."""
    import shlex  # noqa: PLC0415 - a plugin run has no use for it

    return shlex.quote(text) if text.isprintable() else f"$'{_with_code_points(text, quote=chr(39))}'"


def _with_code_points(text: str, quote: str) -> str:
    """A string between quotes, with escapes that Go and bash share; surrogates, which neither has, are replaced."""
    return "".join(_with_code_point(char, quote) for char in text)


def _with_code_point(char: str, quote: str) -> str:
    if char.isprintable():
        return f"\\{char}" if char in (quote, "\\") else char
    return f"\\U{0xFFFD if _SURROGATE.match(char) else ord(char):08x}"


def dockerfile_copy(source: str, target: str) -> str:
    """The arguments of a COPY instruction.

    The JSON form keeps any path one argument. Within it, wildcards are escaped as in Go's filepath.Match, then quotes,
    backslashes and variables for the shell lexer of Dockerfiles.
    """
    if _PLAIN_PATH.fullmatch(source) and _PLAIN_PATH.fullmatch(target):
        return f"{source} {target}"
    literal = re.sub(r"[*?[]", r"[\g<0>]", source.replace("\\", "\\\\"))
    return json.dumps([re.sub(r"""[$'"\\]""", r"\\\g<0>", path) for path in (literal, target)])
