"""Reports as Markdown: their parts, and foreign strings in them, as CommonMark renders them."""

from __future__ import annotations

from markdown_it import MarkdownIt

from protoc_gen_crd.findings.finding import Finding, Location, Severity
from protoc_gen_crd.findings.renderers.markdown import render_markdown
from protoc_gen_crd.findings.report_order_and_limits import Report, assemble_report
from protoc_gen_crd.findings.source_lines import SourceFiles

SOURCES = SourceFiles(texts={"a.proto": b"message A {\n  string b = 1;\n}\n"})
FOUND = Finding(
    "policy-rule", "field is removed", Location("a.proto", 2, 3), "A.b", "keep it", severity=Severity.ERROR,
    related=Location("v1:a.proto", 9, 3),
)  # fmt: skip


def make(*findings: Finding, cap: int = 100) -> Report:
    return assemble_report(findings, SOURCES, cap)


def test_the_note_of_a_verdict() -> None:
    details = {"verdict": "minor release", "verdict_note": "alpha versions may change"}
    assert "**Verdict: minor release (alpha versions may change)**" in render_markdown(
        make(FOUND).replace(details=details)
    )


def test_parts() -> None:
    assert (
        render_markdown(make(FOUND).replace(details={"verdict": "minor release"}))
        == """\
### protoc-gen-crd: 1 error

**Verdict: minor release**

| severity | place | finding | rule |
|---|---|---|---|
| error | `a.proto:2:3` | field is removed | `policy-rule` |

<details>
<summary>Details</summary>

`a.proto:2:3`: **error**: field is removed (`policy-rule`)

```
    2 |   string b = 1;
      |   ^
```

Old place: `v1:a.proto:9:3`

Hint: keep it

</details>
"""
    )


def test_no_findings() -> None:
    assert render_markdown(make()) == "### protoc-gen-crd: no findings\n"


HOSTILE = [
    "<script>alert(1)</script>", "</details>", "a | b | c", "`code` ``` ~~~", "[x](http://evil.example)", "![i](//e)",
    "@everyone", "#1", "!2", "line\nbreak", "\u202eabc", "\x1b[31m", "*a* _b_ ~~c~~ $d$", "<!-- -->", "&lt;b&gt;", "\\",
]  # fmt: skip


def test_foreign_strings_have_no_effect() -> None:
    """Every hostile string appears as text, in one row of the table and one paragraph of the details."""
    parser = MarkdownIt("commonmark").enable("table")
    harmless = parser.render(render_markdown(make(FOUND.replace(related=None))))
    for string in HOSTILE:
        finding = FOUND.replace(message=string, hint=string, related=None)
        source = render_markdown(make(finding))
        html = parser.render(source)
        text = html.replace("<!-- -->", "")
        assert tags(text) == tags(harmless), string
        assert not any(sign in html.replace("&lt;", "").replace("&gt;", "") for sign in ("@e", "#1", "!2")), string
        assert "\x1b" not in source
        assert "\u202e" not in source


def tags(html: str) -> list[str]:
    return [part.partition(">")[0] for part in html.split("<")[1:]]


def test_a_comment_has_a_limited_length() -> None:
    findings = [FOUND.replace(message="m" * 1_900, path=f"A.{at}", at=Location("a.proto", at)) for at in range(200)]
    text = render_markdown(make(*findings))
    assert len(text) < 65_536
    assert text.count("more not shown") == 3
    assert "100 more not shown" in text


def test_a_comment_of_limited_length_has_findings_of_each_kind() -> None:
    findings = [
        FOUND.replace(message="m" * 1_900, at=Location(f"{kind}.proto", at), details={"kind": f"x/{kind}"})
        for kind in ("A", "B")
        for at in range(50)
    ]
    table = render_markdown(make(*findings)).partition("<details>")[0]
    assert (table.count("A.proto"), table.count("B.proto")) == (8, 7)
