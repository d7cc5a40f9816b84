"""The pages: templates, styles, scripts and the policy that forbids everything else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.emit.sample_yaml import extract_sentence
from protoc_gen_crd.explorer.group_model import ExplorerInput, get_kind_description, make_group_model
from protoc_gen_crd.explorer.html_descriptions import render_line
from protoc_gen_crd.explorer.script_data import format_script_data
from protoc_gen_crd.reference.group_page import group_crds
from protoc_gen_crd.reference.markdown_descriptions import format_sentence

_ASSETS = Path(__file__).with_name("assets")
_INDEX = "index"


def make_explorer(crds: Sequence[Crd], sources: ExplorerInput) -> tuple[OutputFile, ...]:
    """Return a page for each API group, and the index."""
    groups = group_crds(crds)
    names = dict(zip(groups, _make_file_names(list(groups)), strict=True))
    writer = _PageWriter()
    pages = [
        OutputFile(names[group], writer.render("group.html", group, model=make_group_model(group, members, sources)))
        for group, members in groups.items()
    ]
    entries = [(group, names[group], [_describe(crd) for crd in members]) for group, members in groups.items()]
    return (OutputFile(f"{_INDEX}.html", writer.render("index.html", "API groups", groups=entries)), *pages)


def _make_file_names(groups: Sequence[str]) -> Iterator[str]:
    """Yield a name for each page that differs from all others in more than case."""
    used = {_INDEX}
    for group in groups:
        name, number = group, 1
        while name.lower() in used:
            number += 1
            name = f"{group}-{number}"
        used.add(name.lower())
        yield f"{name}.html"


def _describe(crd: Crd) -> tuple[str, list[str], Markup]:
    """Return the kind, versions and first sentence of a CRD."""
    sentence = format_sentence(extract_sentence(get_kind_description(crd)))
    return crd.names.kind, [version.name for version in crd.versions], Markup(render_line(sentence))  # noqa: S704 - escaped


class _PageWriter:
    """Renders templates with the style and the script that they contain."""

    def __init__(self) -> None:
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(_ASSETS),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            keep_trailing_newline=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._style = (_ASSETS / "explorer.css").read_text("utf-8")
        self._script = (_ASSETS / "explorer.js").read_text("utf-8")

    def render(self, template: str, title: str, model: Any = None, **values: Any) -> str:
        """Render a page. Foreign strings are escaped by the template, those of the model by format_script_data."""
        script = self._script if model is not None else ""
        return self._environment.get_template(template).render(
            title=title,
            policy=_make_policy(self._style, script),
            style=Markup(self._style),  # noqa: S704 - a file of this package
            script=Markup(script),  # noqa: S704 - a file of this package
            model=Markup(format_script_data(model)),  # noqa: S704 - escaped for scripts
            **values,
        )


def _make_policy(style: str, script: str) -> str:
    """Return a Content-Security-Policy that allows only the style and the script of the page.

    Source: Content Security Policy Level 3, hash-source.
    """
    sources = f"script-src {_hash(script)}; " if script else ""
    return f"default-src 'none'; {sources}style-src {_hash(style)}; base-uri 'none'; form-action 'none'"


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
