"""Examples at the end of each command's help; tests parse them."""

from __future__ import annotations

EXAMPLES = {
    "generate": (
        ("generate proto", "write the CRDs of all files in proto/ to crds/"),
        ("generate --check", "check that crds/ is up to date, with the inputs of the settings file"),
    ),
    "init": (("init", "write an example to an empty folder, or what fits its content"),),
    "import": (("import crds --out proto", "write .proto files from the CRDs in crds/"),),
    "validate": (
        ("validate crds manifests", "validate CRDs and manifests"),
        ("validate proto manifests --kubernetes 1.30..1.37", "with CRDs from .proto files, for several versions"),
    ),
    "cost": (("cost crds --kubernetes 1.37", "print the estimated cost of each CEL rule"),),
    "cel": (
        ("cel 'self.spec.replicas > 1' crds --on widget.yaml", "evaluate a rule on an object"),
        ("cel 'self.host != \"\"' proto --on widget.yaml --schema Widget.spec.backends[]", "on each item of a list"),
    ),
    "convert": (
        ("convert proto manifests --to v1 --diff", "print how manifests change"),
        ("convert proto --prove", "test conversions with random objects"),
    ),
    "migrate": (
        ("migrate widgets.acme.example --dry-run", "check that every stored object can be written"),
        ("migrate widgets.acme.example", "write all stored objects at the storage version"),
    ),
    "serve": (("serve crds --converter-package crds/converters", "run the webhook with generated converters"),),
    "manifests": (("manifests --out deploy", "write the manifests of the webhook to deploy/"),),
    "patch": (
        ("patch", "print the kubectl commands"),
        ("patch --cluster", "patch the CRDs of the current cluster"),
    ),
    "samples": (("samples proto --out samples", "write samples of all kinds"),),
    "schemas": (("schemas proto --out schemas", "write schemas/GROUP/KIND_VERSION.json for each kind and version"),),
    "docs": (("docs proto --out docs/api", "write a page for each API group"),),
    "explore": (("explore proto", "serve the API explorer with a playground on this machine"),),
    "version": (
        ("version add v1beta2 --from v1beta1", "add a version as a copy"),
        ("version deprecate v1beta1 --replacement v1", "deprecate a version"),
        ("version remove v1alpha1", "remove a version"),
    ),
    "version add": (
        ("version add v1beta2 --from v1beta1", "add a beta version to the kinds that have v1beta1"),
        ("version add v1 --from v1beta2 --kind Widget", "graduate one kind"),
    ),
    "version deprecate": (
        ("version deprecate v1beta1", "deprecate a version in favor of the preferred one"),
        ("version deprecate Widget.color", "deprecate a field"),
    ),
    "version remove": (
        ("version remove v1alpha1", "remove a version"),
        ("version remove Color.RED", "remove an enum value"),
    ),
    "lint": (
        ("lint api", "check the protos of a folder"),
        ("lint crds --profile istio", "check CRDs against the conventions of Istio"),
        ("lint api --old merge-base:origin/main", "check what a branch adds or changes"),
    ),
    "changes": (
        ("changes crds --old old-crds", "compare two folders of CRDs"),
        ("changes --old merge-base:origin/main", "compare a branch with the commit that it started from"),
        ("changes --old history", "compare the inputs of the settings file with the last recorded release"),
    ),
    "history": (
        ("history record 1.4", "record release 1.4"),
        ("history check", "compare the API with the recorded releases"),
    ),
    "history record": (("history record 1.4 --date 2026-01-31", "record release 1.4 with its date"),),
    "history show": (("history show --all", "print all fields with their releases"),),
    "history diff": (("history diff 1.3 1.4", "print the changes between two releases"),),
    "history changelog": (("history changelog", "print the changes of all releases"),),
    "history check": (("history check", "compare the API with the recorded releases"),),
    "fuzz": (('fuzz crds --against "./validate --stdin"', "compare a command with API servers"),),
    "corpus": (("corpus testdata --form go --out testdata/fuzz/FuzzWidget", "write seeds for Go's fuzzer"),),
    "explain": (
        ("explain marker-unknown", "describe a finding and how to fix it"),
        ("explain kubebuilder:validation:MaxLength", "describe a marker and its other spellings"),
        ("explain widgets.spec.size --from crds", "describe a field"),
    ),
    "include": (('protoc -I "$(protoc-gen-crd include)" ...', "import options.proto"),),
    "completion": (('eval "$(protoc-gen-crd completion bash)"', "complete commands and options in this shell"),),
}


def format_examples(name: str, program: str) -> str:
    """Return the epilog of a command's help."""
    rows = [(line if program in line else f"{program} {line}", purpose) for line, purpose in EXAMPLES.get(name, ())]
    if not rows:
        return ""
    return "examples:\n" + "\n".join(f"  # {purpose}\n  {line}" for line, purpose in rows)
