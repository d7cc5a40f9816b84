"""The glossary of CONTRIBUTING.md: user-facing text and names use the field's terms."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout, suppress
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import COMMANDS, main
from protoc_gen_crd.settings.option_declaration import READING_COMMANDS
from tests.conftest import ROOT
from tests.support.package import trees, walk

# A pattern to avoid, and the term to use.
AVOIDED = {
    r"tells?|told": "reports, describes",
    r"puts? aside|stash(?:es|ed)?": "keep in the conversion-data annotation",
    r"(?:comes?|came|becomes?|became) of": "results, happens to",
    r"by chance": "random",
    r"dear(?:er|est)?": "expensive",
    r"there and back": "round trip",
    r"mend(?:s|ed|ing)?": "fix",
    r"anew": "again, regenerate",
    r"must [^.\n]*, found\b": "state what is wrong; the hint describes the fix",
    r"(?<!connection )refus(?:e|es|ed|ing|al|als)": "reject",
    r"unheard|dearly|whoever|upon|thereof|heretofore": "plain words",
}
PATTERN = re.compile(
    r"(?<![-\w.`])(?:" + "|".join(f"(?P<t{at}>{text})" for at, text in enumerate(AVOIDED)) + r")\b", re.IGNORECASE
)
# Names of files, public classes and functions: words of the language, not everyday words.
AVOIDED_NAMES = re.compile(r"(?:^|_)(?:aside|asked|dear|heard|said|stash|told|wanted)(?:_|$)")
AVOIDED_FILES = re.compile(r"(?:^|_)(?:aside|asked|beside|given|heard|held|made|meant|said|stash|told)(?:_|$)")
# Names of variables, arguments and attributes, with or without an underscore.
AVOIDED_VARIABLES = frozenset(("asked", "beside", "given", "heard", "held", "made", "meant", "said", "told", "wanted"))
# Folders of tests whose variables are named by domain terms.
TESTS_WITH_DOMAIN_TERMS = (
    "bench", "browser", "cases", "cluster", "conformance", "drift", "e2e", "editors", "fuzz", "judges", "property",
    "site", "snapshot", "unit",
)  # fmt: skip
FOLDERS = ("docs", "examples", "options", "protoc_gen_crd")
# Folders whose files are recorded or foreign, or the input of recorded answers.
RECORDED = ("cel", "fuzz", "istio", "regex", "verdicts", "vocabularies", "yamlread", "yamlwrite")
# Folders of tests that contain the terms as data: the programs with recorded answers, and this test.
TESTS_WITH_TERMS = ("conformance", "drift", "judges")
SUFFIXES = {".md", ".proto", ".py", ".yaml", ".txt"}
GLOSSARY = re.compile(r"^## Glossary\n.*?(?=^## )", re.MULTILINE | re.DOTALL)


def find_terms(text: str) -> Iterator[str]:
    """Return a line for each term to avoid: its number, the term, and the term to use."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in PATTERN.finditer(line):
            use = list(AVOIDED.values())[int((match.lastgroup or "t0")[1:])]
            yield f'{number}: "{match[0]}": use {use}'


def files() -> list[Path]:
    """Return the files that users and contributors read, and the expected outputs of cases."""
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    written = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    expected = [path for path in (ROOT / "testdata").rglob("expected/**/*") if path.suffix in SUFFIXES]
    return sorted({*pages, *written, *expected} - {path for path in written if "history" in path.parts[-4:]})


def list_inputs(folder: str, excluded: tuple[str, ...]) -> list[Path]:
    """Return the inputs of cases or the files of tests, except those of excluded folders."""
    paths = [path for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES and path.is_file()]
    return sorted(path for path in paths if path.relative_to(ROOT / folder).parts[0] not in excluded)


def test_texts_use_the_terms_of_the_glossary() -> None:
    violations = []
    for path in files():
        text = path.read_text("utf-8", "surrogateescape")
        if path.name == "CONTRIBUTING.md":
            text = GLOSSARY.sub("", text)
        violations += [f"{path.relative_to(ROOT)}:{line}" for line in find_terms(text)]
    assert violations == []


@pytest.mark.parametrize(("folder", "excluded"), [("testdata", RECORDED), ("tests", TESTS_WITH_TERMS)])
def test_cases_and_tests_use_the_terms_of_the_glossary(folder: str, excluded: tuple[str, ...]) -> None:
    violations = []
    for path in list_inputs(folder, excluded):
        text = path.read_text("utf-8", "surrogateescape")
        violations += [f"{path.relative_to(ROOT)}:{line}" for line in find_terms(text)]
    assert violations == []


def get_help(command: str) -> str:
    """Return the full help of a command, with the options for .proto input."""
    output = io.StringIO()
    arguments = [command, "--help-all" if command in READING_COMMANDS else "--help"] if command else ["--help"]
    with redirect_stdout(output), suppress(SystemExit):
        main(arguments)
    assert output.getvalue().startswith("usage: ")
    return output.getvalue()


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_uses_the_terms_of_the_glossary(command: str) -> None:
    assert list(find_terms(get_help(command))) == []


def test_names_use_the_terms_of_the_glossary() -> None:
    violations = []
    for module, tree in trees().items():
        nodes = [node for node in walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)]
        violations += [f"{module}: {node.name}" for node in nodes if AVOIDED_NAMES.search(node.name)]
        violations += [module] if AVOIDED_FILES.search(module.rpartition(".")[2]) else []
    assert violations == []


def list_variables(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names of variables, arguments and attributes that a module sets."""
    for node in nodes:
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def find_variables(nodes: Iterable[ast.AST]) -> list[str]:
    return [name for name in list_variables(nodes) if name.strip("_") in AVOIDED_VARIABLES]


def test_variables_are_named_by_domain_terms() -> None:
    violations = [f"{module}: {name}" for module, tree in trees().items() for name in find_variables(walk(tree))]
    assert violations == []


@pytest.mark.parametrize("folder", TESTS_WITH_DOMAIN_TERMS)
def test_variables_of_tests_are_named_by_domain_terms(folder: str) -> None:
    paths = sorted((ROOT / "tests" / folder).rglob("*.py"))
    assert paths
    violations = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in paths
        for name in find_variables(ast.walk(ast.parse(path.read_text())))
    ]
    assert violations == []


def test_a_variable_with_a_name_to_avoid_is_reported() -> None:
    tree = ast.parse("def read(given, path):\n    self._held = [made for made in path]\n    held = path.said\n")
    assert sorted(find_variables(ast.walk(tree))) == ["_held", "given", "held", "made"]


def test_a_term_to_avoid_is_reported() -> None:
    text = "fine\nIt tells what is put aside.\nName must be short, found a long one"
    assert list(find_terms(text)) == [
        '2: "tells": use reports, describes',
        '2: "put aside": use keep in the conversion-data annotation',
        '3: "must be short, found": use state what is wrong; the hint describes the fix',
    ]
