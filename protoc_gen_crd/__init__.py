"""Kubernetes CustomResourceDefinitions from Protocol Buffers, and the verdicts of API servers on them, offline.

| module | contents |
|---|---|
| `__main__` | the entry point: the plugin if protoc is the caller, otherwise the command line |
| `admission/` | admission of CRDs and objects, as an API server of a given version performs it |
| `base/` | records, files, escapes; imports no other package |
| `cel/` | CEL as Kubernetes implements it |
| `channels/` | release channels: guarded parts of an API, and the policies that reject them |
| `cli/` | the command line: `main` finds the command, each command is a file |
| `cluster/` | access to a running cluster: read and patch CRDs, migrate stored objects |
| `comparison/` | comparison of two versions of an API |
| `conversion/` | conversion between the versions of a kind: plans, checks, generated Python, proofs |
| `crd/` | a CustomResourceDefinition as data |
| `crd_loader` | loader of CRDs that are generated from .proto files and descriptors |
| `documents/` | manifests, CRDs, and test documents loaded from files, with locations |
| `emit/` | formatting of CRDs, policies, manifests, and samples as files |
| `explorer/` | reference docs in HTML: the API explorer |
| `findings/` | findings, their catalog and policy, and the renderers |
| `generation/` | generation of CRDs from protos and markers |
| `golang/` | behavior of Go's standard library that output depends on |
| `group_loader` | loader of the gRPC API groups of a run from .proto files and descriptors |
| `groups/` | versioned gRPC API groups |
| `history/` | recorded releases on disk, and the changes between them |
| `importer/` | import of CRDs of any origin: CRDs to annotated .proto files |
| `kubernetes/` | supported versions, limits of API servers, name rules, plurals, and policies |
| `library` | the Python API: verdicts of API servers on CRDs and objects |
| `lint/` | the linter: conventions of Kubernetes and of organizations for one state of an API |
| `lint_loader` | loader of what the linter reads: protos, and the CRDs of inputs |
| `markers/` | conversion of proto options and comment lines to schema keywords and resource members |
| `old_descriptor_sets` | changes of the CRDs of a request since the descriptor sets of the option `old` |
| `pipeline` | the passes in order; read this first |
| `playground/` | verdicts on single rules, manifests and conversions, and the local server that shows them |
| `plugin` | the protoc plugin: a request on standard input, a response on standard output |
| `proto/` | descriptors to the model of an API; the inputs that protoc compiles |
| `reference/` | reference docs in Markdown |
| `regex/` | regular expressions with the syntax and the results of Go's `regexp` |
| `samples/` | valid samples, and random objects within the schema and beyond it |
| `scaffold/` | the first files of a project |
| `schema/` | structural OpenAPI v3 schemas as data, independent of protobuf and YAML |
| `settings/` | options, the settings file, and plugin parameters |
| `side_loader` | loader of a side of a comparison from files, by the names that they have in locations |
| `testing/` | validation of test documents in files for a range of Kubernetes versions |
| `v1/` | `options_pb2`, generated from `options/protoc_gen_crd/v1/options.proto` |
| `versioning/` | changes of the sources of an API |
| `webhook/` | the webhook server: conversion and validation of objects, over HTTPS |
| `yaml/` | YAML and JSON: reading as Kubernetes reads, writing as its Go library writes |

The Python API consists of `validate`, `Validator`, `admit`, `estimate` and the types of their results, see `library`;
`convert` and `Converter`, see `conversion.converter`; and `VersionRange`. They are imported on first use.
"""

import sys

TYPE_CHECKING = False  # that of `typing`, which takes longer to import than this package
__version__ = "0.1.0"

if TYPE_CHECKING:
    from types import TracebackType

    from protoc_gen_crd.conversion.converter import Converter, convert
    from protoc_gen_crd.conversion.runtime.runtime import ConversionError
    from protoc_gen_crd.kubernetes.version_ranges import VersionRange
    from protoc_gen_crd.library import Cause, Estimate, Validator, Verdict, admit, estimate, validate

__all__ = [
    "Cause", "ConversionError", "Converter", "Estimate", "Validator", "Verdict", "VersionRange", "__version__", "admit",
    "convert", "estimate", "validate",
]  # fmt: skip


def _print_uncaught(kind: type[BaseException], error: BaseException, trace: "TracebackType | None") -> None:
    """Print an uncaught exception. An interrupt while the program starts or ends has no traceback."""
    if kind is not KeyboardInterrupt:
        sys.__excepthook__(kind, error, trace)


if sys.argv and sys.argv[0].endswith(("-m", "protoc-gen-crd", "protoc-gen-crd.exe")):  # `python -m`, or the script
    sys.excepthook = _print_uncaught


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415 - not used in plugin runs

    if name == "library":
        return import_module("protoc_gen_crd.library")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES.get(name, "protoc_gen_crd.library")), name)


def __dir__() -> list[str]:
    return __all__


_MODULES = {
    "ConversionError": "protoc_gen_crd.conversion.runtime.runtime",
    "Converter": "protoc_gen_crd.conversion.converter",
    "VersionRange": "protoc_gen_crd.kubernetes.version_ranges",
    "convert": "protoc_gen_crd.conversion.converter",
}
