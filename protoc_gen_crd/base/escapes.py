"""Escaping of foreign strings in generated files: one function for each format.

Names, paths and descriptions in descriptors, CRDs, rule files and settings may contain anything. They are inserted into
generated files only through these functions, `yaml.writer.dump` for YAML, `markdown` for Markdown and
`conversion.plan.python_source` for Python.
"""

from __future__ import annotations

import re

# Control characters, line breaks of any kind, and characters that change the writing direction. None is printable.
# Its compilation takes half a millisecond, so it is compiled for strings that are not printable only.
_CONTROL = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
_SHOWN = 200  # characters of a name that are shown in a message
_PROTO_ESCAPES = {"\n": r"\n", "\t": r"\t"}
_PLAIN_PATH = r"[A-Za-z0-9_./@:+-]+"


def visible(string: str) -> str:
    r"""Return a string on one line, with Python's escapes such as `\n` for characters that are not printable."""
    return (
        string if string.isprintable() else "".join(char if char.isprintable() else repr(char)[1:-1] for char in string)
    )


def control_fault(what: str, string: str) -> str:
    """Return the error message for a name or path that contains a control character; empty otherwise."""
    if string.isprintable() or not re.search(_CONTROL, string):
        return ""
    shown = visible(string[:_SHOWN]) + ("..." if len(string) > _SHOWN else "")
    return f'{what} "{shown}" contains a control character'


def terminal_line(string: str) -> str:
    """Return a string on one line of a terminal or log: control characters are escaped, except tabs."""
    if string.isprintable():
        return string
    return re.sub(_CONTROL, lambda match: match[0] if match[0] == "\t" else repr(match[0])[1:-1], string)


def yaml_comment(string: str) -> str:
    """Return a string for a YAML comment: white space is kept as blanks, other unprintable characters are escaped."""
    return visible(re.sub(r"[\n\v\f\r]", " ", string.expandtabs()))


def promql_string(string: str) -> str:
    """Return a string literal of PromQL, which has the escapes of Go."""
    return f'"{_with_code_points(string, quote=chr(34))}"'


def proto_string(string: str) -> str:
    """Return a string literal of a .proto file."""
    if string.isprintable() and '"' not in string and "\\" not in string:
        return f'"{string}"'
    return '"' + "".join([_PROTO_ESCAPES.get(char) or _with_code_point(char, '"') for char in string]) + '"'


def promql_regexp(*alternatives: str) -> str:
    """Return a string literal of PromQL with an RE2 expression that matches only these strings."""
    return promql_string("|".join(map(re.escape, alternatives)))


def shell_word(string: str) -> str:
    """Return one word of a bash command line, on one line."""
    import shlex  # noqa: PLC0415 - not used in plugin runs

    return shlex.quote(string) if string.isprintable() else f"$'{_with_code_points(string, quote=chr(39))}'"


def _with_code_points(string: str, quote: str) -> str:
    """Escape a string with the escapes that Go and bash share; surrogates, which neither supports, are replaced."""
    return "".join(_with_code_point(char, quote) for char in string)


def _with_code_point(char: str, quote: str) -> str:
    if char.isprintable():
        return f"\\{char}" if char in (quote, "\\") else char
    code = ord(char)
    return f"\\U{0xFFFD if 0xD800 <= code <= 0xDFFF else code:08x}"


def dockerfile_copy(source: str, target: str) -> str:
    """Return the arguments of a COPY instruction.

    In the JSON form, each path is one argument. Wildcards are escaped as in Go's filepath.Match, then quotes,
    backslashes and variables for the shell lexer of Dockerfiles.
    """
    if re.fullmatch(_PLAIN_PATH, source) and re.fullmatch(_PLAIN_PATH, target):
        return f"{source} {target}"
    import json  # noqa: PLC0415 - not used in plugin runs

    literal = re.sub(r"[*?[]", r"[\g<0>]", source.replace("\\", "\\\\"))
    return json.dumps([re.sub(r"""[$'"\\]""", r"\\\g<0>", path) for path in (literal, target)])
