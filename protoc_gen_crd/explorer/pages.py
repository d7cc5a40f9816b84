"""The pages: templates, styles, scripts and the policy that forbids everything else."""

from __future__ import annotations

import base64
import gc
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.output_file import DerivedParts, OutputFile
from protoc_gen_crd.emit.sample_yaml import extract_sentence
from protoc_gen_crd.explorer.html_descriptions import render_line
from protoc_gen_crd.explorer.index_search_data import make_index_model
from protoc_gen_crd.explorer.kind_page_data import ExplorerInput, get_kind_description, make_group_model
from protoc_gen_crd.explorer.playground_data import make_playground_model
from protoc_gen_crd.explorer.rpc_page_data import describe_rpcs, make_rpc_page_model
from protoc_gen_crd.explorer.script_data import format_script_data
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.reference.group_page import group_crds
from protoc_gen_crd.reference.markdown_descriptions import format_sentence

_ASSETS = Path(__file__).with_name("assets")
_SCRIPTS = {
    "group.html": ("search.js", "elements.js", "field_tree.js", "compare.js", "conversion.js", "explorer.js"),
    "index.html": ("search.js", "index.js"),
    "playground.html": ("playground.js",),
}
_INDEX, _PLAYGROUND = "index", "playground"


def make_explorer(
    crds: Sequence[Crd], sources: ExplorerInput, plans: Sequence[GroupPlan] = (), *, is_served: bool = False
) -> tuple[OutputFile, ...]:
    """Return a page for each API group and gRPC API group, and the index; also the playground with `is_served`.

    `plans` are those of the gRPC API groups.
    """
    groups = group_crds(crds)
    reserved = (_INDEX, _PLAYGROUND) if is_served else (_INDEX,)
    names = list(_make_file_names([*groups, *(plan.group.name for plan in plans)], reserved))
    writer = _PageWriter(is_served=is_served)
    models = [make_group_model(group, members, sources) for group, members in groups.items()]
    gc.collect()  # the costs of rules were estimated with more memory than the pages take
    models += [make_rpc_page_model(plan, sources.version_verdicts.get(plan.group.name, ())) for plan in plans]
    pages = [
        OutputFile(name, writer.make_parts("group.html", model["group"], model))
        for name, model in zip(names, models, strict=True)
    ]
    contents = [
        [(kind["anchor"], *_describe(crd)) for kind, crd in zip(model["kinds"], members, strict=True)]
        for model, members in zip(models, groups.values(), strict=False)
    ]
    contents += [
        [(anchors[name], name, *rest) for name, *rest in _describe_rpcs(plan)]
        for plan, model in zip(plans, models[len(groups) :], strict=True)
        for anchors in [{kind["kind"]: kind["anchor"] for kind in model["kinds"][1:]}]  # the first is the service
    ]
    entries = [(model["group"], *entry) for model, *entry in zip(models, names, contents, strict=True)]
    index = make_index_model(zip(names, models, strict=True))
    pages.insert(0, OutputFile(f"{_INDEX}.html", writer.make_parts("index.html", "API groups", index, groups=entries)))
    if is_served:
        links = _link_kinds(names, models[: len(groups)])
        model = make_playground_model(crds, sources.samples, links)
        pages.append(OutputFile(f"{_PLAYGROUND}.html", writer.make_parts("playground.html", "Playground", model)))
    return tuple(pages)


def _link_kinds(names: Sequence[str], models: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Return the group and name of each kind, and the address of its description."""
    return [
        [model["group"], kind["kind"], f"{quote(name)}#{quote(kind['anchor'])}"]
        for name, model in zip(names, models, strict=False)
        for kind in model["kinds"]
    ]


def _make_file_names(groups: Sequence[str], reserved: Sequence[str]) -> Iterator[str]:
    """Yield a name for each page that differs from all others in more than case."""
    used = {*reserved}
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


def _describe_rpcs(plan: GroupPlan) -> Iterator[tuple[str, list[str], Markup]]:
    """Yield the name, versions and first sentence of each RPC."""
    for name, versions, sentence in describe_rpcs(plan):
        yield name, versions, Markup(sentence)  # noqa: S704 - escaped


class _PageWriter:
    """Renders templates with the style and the scripts that they contain. Served pages reload when files change."""

    def __init__(self, *, is_served: bool) -> None:
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(_ASSETS),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            keep_trailing_newline=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._is_served = is_served
        self._style = (_ASSETS / "explorer.css").read_text("utf-8")

    def make_parts(self, template: str, title: str, model: Mapping[str, Any], **values: Any) -> DerivedParts:
        """Return the parts of a page."""
        return DerivedParts(partial(self._render, template, title, model, **values))

    def _render(self, template: str, title: str, model: Mapping[str, Any], **values: Any) -> Iterator[str]:
        """Render a page. Foreign strings are escaped by the template, those of the model by format_script_data."""
        names = [*_SCRIPTS[template], *(["live.js"] if self._is_served else [])]
        script = "".join((_ASSETS / name).read_text("utf-8") for name in names)
        return self._environment.get_template(template).generate(
            title=title,
            is_served=self._is_served,
            policy=_make_policy(self._style, script, is_served=self._is_served),
            style=Markup(self._style),  # noqa: S704 - a file of this package
            script=Markup(script),  # noqa: S704 - a file of this package
            model=map(Markup, format_script_data(model)),  # escaped for scripts
            **values,
        )


def _make_policy(style: str, script: str, *, is_served: bool) -> str:
    """Return a Content-Security-Policy that allows only the style and the script of the page, and its own server.

    Source: Content Security Policy Level 3, hash-source.
    """
    sources = f"script-src {_hash(script)}; " if script else ""
    sources += "connect-src 'self'; " if is_served else ""
    return f"default-src 'none'; {sources}style-src {_hash(style)}; base-uri 'none'; form-action 'none'"


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"
