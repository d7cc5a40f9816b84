"""Writes the reference pages from the tables that the program itself uses: `make docs`.

A page is a function without arguments that returns Markdown. A test fails where a committed page is another text.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

from protoc_gen_crd.base.catalogue import rules
from protoc_gen_crd.settings import FILE, FLAG, OPTIONS, PARAMETER, Option, Settings

FOLDER = Path(__file__).parent


def settings_page() -> str:
    """Every option: what it does, what it takes, where it may be given."""
    return _SETTINGS + "\n".join(_option(option) for option in OPTIONS.values())


_SETTINGS = """# Options

Options are given in three places, each where its entry says so:

- to the plugin, as `--crd_opt=name=value` for protoc or `opt: name=value` in `buf.gen.yaml`; a comma that belongs to a
  value is written `\\,`
- to `protoc-gen-crd generate`, as a flag `--name value`
- in the settings file: `protoc-gen-crd.yaml`, or the table `[tool.protoc-gen-crd]` of `pyproject.toml`. `generate`
  finds it in the working folder and the folders above it; the plugin reads the file that its option `settings` names.
  Paths in it start from its folder.

What is given on the spot stands over the settings file. An unknown option, a value that an option does not take and an
option that is given twice are errors.

"""


def _option(option: Option) -> str:
    text = fill(" ".join(option.help.split()), 118, break_long_words=False, break_on_hyphens=False)
    flags = " or ".join(f"`{flag}`" for flag in option.flags) or f"`--{option.name.replace('_', '-')}`"
    places = {PARAMETER: "plugin parameter", FLAG: f"flag {flags}", FILE: "settings file"}
    where = ", ".join(places[place] for place in option.where)
    takes = f"{'several times ' if option.repeated else ''}{option.kind.demand}".replace('"', "`")
    default = getattr(Settings(), option.name)
    shown = f"\n- default: `{str(default).lower() if isinstance(default, bool) else default}`" if _said(default) else ""
    return f"## {option.name}\n\n{text}\n\n- takes {takes}{shown}\n- given as {where}\n"


def _said(default: object) -> bool:
    return isinstance(default, bool) or bool(default)


def findings_page() -> str:
    """Every rule id with its severity and first paragraph, linked to its documentation."""
    rows = [
        f"| [`{rule.id}`](../protoc_gen_crd/findings/{rule.topic}.md#{rule.id}) | {rule.severity.name.lower()} | "
        f"{rule.summary.replace('|', chr(92) + '|')} |\n"
        for rule in rules().values()
    ]
    return _FINDINGS + "".join(rows)


_FINDINGS = """# Findings

What `protoc-gen-crd` can find, by rule id. `protoc-gen-crd explain ID` prints the same documentation. The severities
are those without settings; [`findings`](settings.md#findings) in the settings file changes them.

| rule | severity | what is demanded |
|---|---|---|
"""

PAGES = {"settings.md": settings_page, "findings.md": findings_page}


def main() -> None:
    """Write all pages."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
