"""`explain NAME`: documentation of a finding, a marker, or a field of a kind."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from protoc_gen_crd.base.escapes import terminal_line
from protoc_gen_crd.base.suggestions import find_nearest, suggest
from protoc_gen_crd.cli.findings_output import has_errors, make_report, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.rule_catalog import CatalogRule, load_rules
from protoc_gen_crd.findings.source_lines import SourceFiles

_NAME_HELP = """\
a rule ID, which is printed in brackets after a finding; a marker or option, such as kubebuilder:validation:MaxLength;
or a field, such as widgets.spec.size, of the inputs of the settings file or --from"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help=_NAME_HELP)
    parser.add_argument(
        "--from", action="append", dest="sources", metavar="PATH", default=[],
        help="file or folder of CRDs in YAML or JSON, or what generate reads, for the fields of kinds",
    )  # fmt: skip
    version_help = "version of the kind (default: the preferred version)"
    parser.add_argument("--api-version", metavar="VERSION", default="", help=version_help)
    add_flags(parser, "explain")


def run(arguments: argparse.Namespace) -> int:
    """Print the documentation of a name, or a line for each rule. Raises UsageError for an unknown name."""
    if not arguments.name:
        _print_rules()
        return 0
    text = _explain_rule(arguments.name) or _explain_marker(arguments.name)
    if text:
        print(text)
        return 0
    return _explain_field(arguments)


def _print_rules() -> None:
    rules = load_rules()
    width = max(map(len, rules))
    for rule in rules.values():
        print(f"{rule.id:{width}}  {rule.severity.name.lower():7}  {rule.summary}")


def _explain_rule(name: str) -> str:
    """Return the documentation of a rule, empty for another name."""
    rules = load_rules()
    former = {rule.former: rule for rule in rules.values() if rule.former}
    rule = rules.get(name) or former.get(name)
    return _format_rule(rule) if rule else ""


def _format_rule(rule: CatalogRule) -> str:
    fixed = ", cannot be changed in the settings" if rule.fixed else ""
    return f"{rule.id} ({rule.severity.name.lower()}{fixed})\n\n{rule.text}"


def _explain_marker(name: str) -> str:
    """Return the documentation of the options that a marker sets, empty for another name."""
    from protoc_gen_crd.markers.marker_descriptions import MarkerDescription, describe_marker

    def format_marker(marker: MarkerDescription) -> str:
        spellings = "\n".join(["spellings:", *(f"  {spelling}" for spelling in marker.spellings)])
        parts = [marker.name, marker.comment, "\n".join(marker.usage), spellings if marker.spellings else ""]
        return "\n\n".join(filter(None, parts))

    return "\n\n".join(map(format_marker, describe_marker(name)))


def _explain_field(arguments: argparse.Namespace) -> int:
    """Print the documentation of a field. Raises UsageError for a name that is nothing else either."""
    from protoc_gen_crd.crd_loader import drop_repeated_kinds, load_crds

    settings = read_command_settings(arguments, problems := Problems())
    whole = settings.replace(include_description=True, max_description_length=None)
    sources, paths = arguments.sources or settings.api_inputs, dict[str, str]()
    crds = drop_repeated_kinds(load_crds(sources, whole, paths, problems, problems), problems)
    if has_errors(problems, settings):
        return report_findings(make_report(problems.findings, settings, SourceFiles(paths)), settings)
    explanation = _format_field(arguments.name, arguments.api_version, crds)
    print("\n".join(map(terminal_line, explanation.split("\n"))))
    return 0


def _format_field(name: str, api_version: str, crds: Sequence[Crd]) -> str:
    """Return the documentation of a field. Raises UsageError for an unknown or ambiguous name."""
    from protoc_gen_crd.reference.field_explanation import find_field, format_explanation, resolve_path, select_version

    path = resolve_path(name, crds)
    if not path.crds:
        raise UsageError(_describe_unknown_name(name, crds))
    if len(path.crds) > 1:
        full_names = " or ".join(sorted(crd.name for crd in path.crds))
        raise UsageError(f'"{name}" is ambiguous; use the full name of the kind: {full_names}')
    (crd,) = path.crds
    version = select_version(crd, api_version)
    if version is None or version.schema is None:
        served = ", ".join(version.name for version in crd.versions if version.served)
        raise UsageError(f'{crd.name} does not serve version "{api_version}"; served versions: {served}')
    field = find_field(version.schema, path.fields)
    if field.missing:
        shown = ".".join((crd.names.plural, *path.fields[: len(path.fields) - len(field.missing)]))
        near = suggest(field.missing[0], field.schema.properties)
        hint = near or f"run `protoc-gen-crd explain {shown}` for its fields"
        raise UsageError(f'{shown} of {version.name} has no field "{field.missing[0]}"; {hint}')
    return format_explanation(crd, version, ".".join(path.fields), field)


def _describe_unknown_name(name: str, crds: Sequence[Crd]) -> str:
    from protoc_gen_crd.markers.marker_descriptions import list_marker_names
    from protoc_gen_crd.reference.field_explanation import list_names

    kinds = {known for crd in crds for known in list_names(crd)}
    first = name.partition(".")[0]
    marker = name.removeprefix("+").partition("=")[0]
    known_names = [*load_rules(), *list_marker_names()]
    last_parts = {known.rpartition(":")[2]: known for known in sorted(known_names, key=len, reverse=True)}
    near = find_nearest(marker, known_names) or find_nearest(first.lower(), kinds)
    near = near or last_parts.get(find_nearest(marker, last_parts, 0.8) or "")
    if near:
        hint = f'did you mean "{near}"?'
    elif crds:
        hint = f"known kinds: {', '.join(sorted(crd.names.plural for crd in crds))}"
    else:
        hint = "run `protoc-gen-crd explain` for a list of all rules, or pass an API with --from"
    return f'unknown rule, marker, or kind "{name}"; {hint}'
