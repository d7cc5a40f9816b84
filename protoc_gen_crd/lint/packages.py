"""Rules about files, folders, packages, imports and services.

Sources: Istio's API guidelines; csi-proxy's API guide; buf's PACKAGE and FILE rules.
"""

from __future__ import annotations

import re

from protoc_gen_crd.kubernetes.api_version_order import parse_version
from protoc_gen_crd.lint.lint_rule import FILE, IMMUTABLE, ISTIO, WARNING, Issue, LintRule
from protoc_gen_crd.lint.name_words import split_words
from protoc_gen_crd.lint.proto_elements import ProtoElement

_PACKAGE = re.compile("[a-z][a-z0-9_]*([.][a-z][a-z0-9_]*)*")
_VERSION = re.compile("v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?")
_FILE = re.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*")
_ABBREVIATIONS = {
    "cfg": "config", "conf": "config", "ctrl": "controller", "idx": "index", "mgr": "manager", "msg": "message",
    "msgs": "messages", "req": "request", "resp": "response", "svc": "service", "util": "utilities",
    "utils": "utilities",
}  # fmt: skip


def _check_package_name(element: ProtoElement) -> Issue | None:
    package = element.file.package
    if not package:
        return Issue(f'file "{element.file.name}" has no package', 'declare one, such as "package example.v1;"')
    if _PACKAGE.fullmatch(package):
        return None
    return Issue(f'package "{package}" is not in lower case', f'name it "{package.lower()}"')


def _check_underscore(element: ProtoElement) -> Issue | None:
    package = element.file.package
    if "_" not in package:
        return None
    return Issue(f'package "{package}" contains an underscore', f'name it "{package.replace("_", "")}"')


def _check_version(element: ProtoElement) -> Issue | None:
    package = element.file.package
    if not package or _VERSION.fullmatch(package.rpartition(".")[2]) or not _declares_kind(element):
        return None
    return Issue(f'package "{package}" declares kinds but does not end with a version', f'name it "{package}.v1"')


def _declares_kind(element: ProtoElement) -> bool:
    """Return whether a file declares a kind. A message of several versions does not count."""
    return any(name in element.resources for name in element.file.messages)


def _check_folder(element: ProtoElement) -> Issue | None:
    folder, package = element.file.name.rpartition("/")[0], element.file.package.split(".")
    names = folder.replace("/", ".").split(".")
    size = min(len(names), len(package))
    if not folder or not element.file.package or names[-size:] == package[-size:]:
        return None
    expected = "/".join(package)
    return Issue(
        f'a file of package "{element.file.package}" is in folder "{folder}"',
        f'move the file to "{expected}"',
    )


def _check_file_name(element: ProtoElement) -> Issue | None:
    name = element.file.name.rpartition("/")[2].removesuffix(".proto")
    if not _FILE.fullmatch(name):
        return Issue(
            f'file "{name}.proto" is not in lower_snake_case', f'name it "{"_".join(split_words(name)).lower()}.proto"'
        )
    short = next((word for word in name.split("_") if word in _ABBREVIATIONS), "")
    if not short:
        return None
    whole = "_".join(_ABBREVIATIONS.get(word, word) for word in name.split("_"))
    return Issue(f'the name of file "{name}.proto" abbreviates "{_ABBREVIATIONS[short]}"', f'name it "{whole}.proto"')


def _check_services(element: ProtoElement) -> Issue | None:
    services = element.file.services
    if len(services) < 2:
        return None
    return Issue(f'file "{element.file.name}" declares {len(services)} services', "move each service to its own file")


def _check_unstable_import(element: ProtoElement) -> Issue | None:
    own = _find_stability(element.file.package)
    for full_name in element.file.messages:
        declared = element.api.find_message(full_name)
        for field in declared.fields if declared else ():
            other = element.api.find_message(field.type_name)
            if other and _find_stability(element.api.get_file(other.file).package) < own:
                message = f'package "{element.file.package}" uses "{field.type_name}", which is less stable'
                return Issue(message, "use a type of a package that is at least as stable", field.at)
    return None


def _find_stability(package: str) -> int:
    """Return 0 for alpha, 1 for beta, and 2 for everything else."""
    parsed = parse_version(package.rpartition(".")[2])
    return parsed[1] if parsed else 2


RULES = (
    LintRule("lint-package-name", (FILE,), _check_package_name),
    LintRule("lint-package-underscore", (FILE,), _check_underscore, {ISTIO: WARNING}),
    LintRule("lint-package-version", (FILE,), _check_version),
    LintRule("lint-file-folder", (FILE,), _check_folder),
    LintRule("lint-file-name", (FILE,), _check_file_name),
    LintRule("lint-service-file", (FILE,), _check_services, {IMMUTABLE: WARNING}),
    LintRule("lint-unstable-import", (FILE,), _check_unstable_import),
)
