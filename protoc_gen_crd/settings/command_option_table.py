"""Options that only commands read, with their defaults and help."""

from __future__ import annotations

from protoc_gen_crd.settings.option_declaration import (
    ALL_COMMANDS,
    CEL,
    CHANGES,
    CLUSTER_COMMANDS,
    CONVERT,
    CORPUS,
    COST,
    DOCS,
    EXPLORE,
    FILE,
    FLAG,
    FUZZ,
    GENERATE,
    MANIFESTS_COMMANDS,
    MIGRATE_COMMANDS,
    PATCH_COMMANDS,
    SAMPLES,
    SCHEMAS,
    SERVE_COMMANDS,
    VALIDATE,
    SettingsOption,
)
from protoc_gen_crd.settings.option_types import (
    BOOLEAN,
    COUNT,
    IMAGE,
    KIND_PATTERN,
    LIMIT,
    PATH,
    PERCENTAGE,
    STRING,
    TERMS,
    make_choice,
)

COMMAND_OPTIONS = {
    option.name: option
    for option in (
        SettingsOption("inputs", PATH, (FILE,), """
            Default inputs of "generate": .proto files, folders of them, descriptor sets and buf images.

            Other commands, such as "validate" and "convert", also accept CRDs and folders of them.""",
            repeated=True),
        SettingsOption("import_paths", PATH, (FLAG, FILE), """
            Folder to search for imports (default: the modules of buf.yaml, or else derived from the imports).

            Well-known types, protoc_gen_crd/v1/options.proto, and k8s.io/apimachinery are always found. google/api is
            found if the Python package googleapis-common-protos is installed.""",
            repeated=True, flags=("-I", "--import-path")),
        SettingsOption("targets", STRING, (FLAG, FILE), """
            File of a descriptor set to generate CRDs for; * is a wildcard. By default, all files except those that
            buf marks as imports or, without these marks, those in the folders of known dependencies.""",
            repeated=True, flags=("--target",)),
        SettingsOption("out", PATH, (FLAG, FILE), """
            The output folder.""", default="crds", commands=GENERATE),
        SettingsOption("check", BOOLEAN, (FLAG,), """
            Write nothing, print a diff, and exit with 1 if a file on disk is out of date.""",
            command_help=dict.fromkeys(CONVERT, """
            Write nothing, print a diff, and exit with 1 if an object is in another version."""),
            commands=(*GENERATE, *CONVERT, *SAMPLES, *DOCS, *SCHEMAS, *MANIFESTS_COMMANDS)),
        SettingsOption("prune", BOOLEAN, (FLAG,), """
            Remove files of earlier runs that are no longer generated, unless they were edited.""",
            commands=(*GENERATE, *SAMPLES, *DOCS, *SCHEMAS, *MANIFESTS_COMMANDS)),
        SettingsOption("format_findings", make_choice(
            "text", "json", "github", "gitlab", "junit", "markdown", "sarif"), (FLAG,), """
            Format of findings.

            "text" and "github" (annotations) are printed to standard error. "json", "gitlab" (Code Quality), "junit",
            "markdown" (the summary of a pull request) and "sarif" are printed to standard output.""",
            default="text", commands=ALL_COMMANDS),
        SettingsOption("color", make_choice("auto", "always", "never"), (FLAG,), """
            When to print findings in color; "auto" means on a terminal.

            "auto" also reads the environment variables NO_COLOR and FORCE_COLOR.""",
            default="auto", commands=ALL_COMMANDS),
        SettingsOption("quiet", BOOLEAN, (FLAG,), """
            Do not print progress and summaries.""",
            flags=("-q", "--quiet"), commands=ALL_COMMANDS),
        SettingsOption("verbose", BOOLEAN, (FLAG,), """
            Also print the settings file and the inputs to standard error.""",
            flags=("-v", "--verbose"), commands=ALL_COMMANDS),
        SettingsOption("documents", PATH, (FILE,), """
            Files and folders of documents and CRDs in YAML or JSON, and inputs of "generate".

            These are the default inputs of "validate" and "convert --to", which use the CRDs of "inputs" before those
            of documents. Without "inputs", they are also those of commands that read the API, such as "lint" and
            "docs".""",
            repeated=True),
        SettingsOption("field_validation", make_choice("warn", "strict", "ignore"), (FLAG, FILE), """
            Treatment of unknown fields: a warning, an error, or none.

            By default, API servers drop unknown fields and return a warning. kubectl requests "strict", which rejects
            the document.""",
            default="warn", commands=(*VALIDATE, *FUZZ)),
        SettingsOption("strict_kinds", BOOLEAN, (FLAG, FILE), """
            Report each document of a kind without a CRD as an error.

            By default, this is an error only in a group that has other CRDs. Any other kind without a CRD gets one
            note.""", commands=VALIDATE),
        SettingsOption("skip_kinds", KIND_PATTERN, (FLAG, FILE), """
            Skip documents of this kind if it has no CRD.

            A value is "Kind", "Kind.group" or "group/*". Skipped documents are not reported. Documents of kinds with a
            CRD are always validated and converted.""", repeated=True, commands=(*VALIDATE, *CONVERT)),
        SettingsOption("coverage", PERCENTAGE, (FLAG,), """
            Print which constraints and CEL rules the documents pass and violate; a percentage below THRESHOLD is an
            error.""", bare_value="0", commands=VALIDATE),
        SettingsOption("artifacts", BOOLEAN, (FLAG,), """
            Compare the committed files in the folder "out" instead of generating both APIs.""", commands=CHANGES),
        SettingsOption("explain", BOOLEAN, (FLAG,), """
            Also print how the profile leads to the verdict, and a checklist of what the changes require.""",
            commands=CHANGES),
        SettingsOption("notes", PATH, (FLAG, FILE), """
            Folder of changelog notes, one Markdown file for each change.

            A file is named after the element (Widget.v1.spec.color.md) or the issue. If the folder exists, "changes"
            requires a note for each change. "history record" moves the notes to the release and keeps the folder with a
            README.md, and "history changelog" prints them.""",
            default="changelog.d", commands=("changes", "history record", "history changelog")),
        SettingsOption("update", BOOLEAN, (FLAG,), """
            Write the expected error to documents that must be rejected and have none.

            The key _err gets the part of the error that all requested Kubernetes versions have in common.""",
            commands=VALIDATE),
        SettingsOption("jobs", LIMIT, (FLAG,), """
            Number of processes that validate documents.""", default=1, commands=VALIDATE),
        SettingsOption("json", BOOLEAN, (FLAG,), """
            Print JSON instead of text.""", commands=(*COST, *CEL, "history diff", "history changelog")),
        SettingsOption("on", PATH, (FLAG,), """
            File with the object, in YAML or JSON, - for standard input.""", commands=CEL),
        SettingsOption("schema", STRING, (FLAG,), """
            Location of the rule, such as Widget.spec.backends[] (default: the kind of the object).

            "[]" selects the items of a list, and "{}" the values of a map. The file of --on contains an object of the
            kind, or only the value at the location. The kind of that object can be omitted: spec.backends[].""",
            commands=CEL),
        SettingsOption("against", STRING, (FLAG, FILE), """
            External validator: a command, or the URL of a validating admission webhook.

            A command reads one document per line from standard input and prints one answer per line to standard
            output.""",
            commands=FUZZ),
        SettingsOption("count", LIMIT, (FLAG, FILE), """
            Maximum number of random documents.

            Documents that minimize a difference are not counted.""",
            command_help=dict.fromkeys(CONVERT, """
            Maximum number of objects for each direction of --prove."""),
            default=2000, commands=(*FUZZ, *CONVERT)),
        SettingsOption("time", COUNT, (FLAG, FILE), """
            Stop after this many seconds; 0 sets no limit.

            A run of "fuzz" that reaches the limit is not reproducible.""",
            default=0, commands=(*FUZZ, *MIGRATE_COMMANDS)),
        SettingsOption("seed", COUNT, (FLAG, FILE), """
            Random seed; runs with the same seed and input generate the same documents.""",
            default=0, commands=(*FUZZ, *CONVERT)),
        SettingsOption("timeout", LIMIT, (FLAG, FILE), """
            Time limit for one response of the external validator, in seconds.""", default=10, commands=FUZZ),
        SettingsOption("ca_file", PATH, (FLAG, FILE), """
            CA certificates of the webhook in PEM (default: those of the system).""",
            commands=FUZZ),
        SettingsOption("insecure", BOOLEAN, (FLAG,), """
            Accept any certificate of the webhook.""", commands=FUZZ),
        SettingsOption("disagreements", PATH, (FLAG, FILE), """
            Folder to write the documents with different verdicts to, as test documents.""",
            default="fuzz", flags=("--out",), former_names=("found",), commands=FUZZ),
        SettingsOption("corpus", PATH, (FLAG, FILE), """
            Folder to write the documents to.""", default="corpus", flags=("--out",), commands=CORPUS),
        SettingsOption("form", make_choice("yaml", "json", "go"), (FLAG, FILE), """
            Format of the files; "go" is the corpus format of Go's fuzzing, for testdata/fuzz/FuzzNAME.

            With "go", a file has one value of type []byte.""", default="yaml", commands=CORPUS),
        SettingsOption("converter_packages", PATH, (FLAG,), """
            Generated converter package to run (default: that of the setting "converters", if it is in the paths).

            Importing a package executes its code. No other package is imported.""",
            repeated=True, flags=("--converter-package",), former_flags=("--converters",),
            commands=(*CONVERT, *SERVE_COMMANDS, *EXPLORE)),
        SettingsOption("to", STRING, (FLAG,), """
            Version to convert to.""", commands=CONVERT),
        SettingsOption("write", BOOLEAN, (FLAG,), """
            Write the converted objects to their files instead of standard output.""", flags=("-w", "--write"),
            commands=CONVERT),
        SettingsOption("diff", BOOLEAN, (FLAG,), """
            Print a diff instead of the converted objects.""", commands=CONVERT),
        SettingsOption("prove", BOOLEAN, (FLAG,), """
            Test round trips with samples and random objects, and print the smallest object that loses data.""",
            commands=CONVERT),
        SettingsOption("plan", BOOLEAN, (FLAG,), """
            Print the steps of each conversion.""",
            commands=CONVERT),
        SettingsOption("deprecation_policy", TERMS, (FILE,), """
            Minimum support of deprecated elements in months and releases, whichever is longer, by stage: "stable"
            (12 and 3), "beta" (9 and 3) or "alpha" (0 and 0), by release channel other than the first (0 and 0), or
            by element such as acme.example/Widget.v1.spec.color, for it and all below."""),
        SettingsOption("samples", PATH, (FLAG, FILE), """
            Folder of samples.

            Handwritten samples in it take precedence over generated ones.""",
            default="samples", flags=("--out",), commands=SAMPLES),
        SettingsOption("docs", PATH, (FLAG, FILE), """
            Folder to write the reference docs to.""", default="docs/api", flags=("--out",), commands=DOCS),
        SettingsOption("schemas", PATH, (FLAG, FILE), """
            Folder to write the JSON Schemas for editors to.""", default="schemas", flags=("--out",),
            commands=SCHEMAS),
        SettingsOption("modeline", BOOLEAN, (FLAG, FILE), """
            Start each sample with a comment that names its JSON Schema, for editors.""", commands=SAMPLES),
        SettingsOption("html", BOOLEAN, (FLAG, FILE), """
            Write an API explorer, an HTML page for each group and an index, instead of Markdown.""", commands=DOCS),
        SettingsOption("manifests", PATH, (FLAG, FILE), """
            Folder to write the webhook's manifests to.""",
            default="manifests", flags=("--out",), commands=MANIFESTS_COMMANDS),
        SettingsOption("image", IMAGE, (FLAG, FILE), """
            Image of the webhook with its tag or digest (default: the name of the service, which overlays replace).""",
            commands=MANIFESTS_COMMANDS),
        SettingsOption("cluster", BOOLEAN, (FLAG,), """
            Patch the CRDs in a cluster instead of printing the patches.""", commands=PATCH_COMMANDS),
        SettingsOption("address", STRING, (FLAG, FILE), """
            Address to listen on (default: all addresses of the machine).""", commands=SERVE_COMMANDS),
        SettingsOption("port", COUNT, (FLAG, FILE), """
            Port to listen on; 0 selects a free port.""", default=8443,
            commands=(*SERVE_COMMANDS, *EXPLORE)),
        SettingsOption("certificates", PATH, (FLAG, FILE), """
            Folder of tls.crt and tls.key, which are reloaded when they change.""",
            default="/tls", commands=SERVE_COMMANDS),
        SettingsOption("workers", LIMIT, (FLAG, FILE), """
            Number of worker processes.""", default=1, commands=SERVE_COMMANDS),
        SettingsOption("concurrency", LIMIT, (FLAG, FILE), """
            Maximum number of pending requests per process.

            Further requests are rejected with status 503, and API servers retry them.""",
            default=256, commands=(*SERVE_COMMANDS, *EXPLORE)),
        SettingsOption("body_limit", LIMIT, (FLAG, FILE), """
            Maximum size of a request in bytes.

            A process buffers at most twice as many bytes.""",
            default=33_554_432, commands=(*SERVE_COMMANDS, *EXPLORE)),
        SettingsOption("read_timeout", LIMIT, (FLAG, FILE), """
            Time limit in seconds for each of: TLS handshake, headers, body, and reading the response.""",
            default=10, commands=(*SERVE_COMMANDS, *EXPLORE)),
        SettingsOption("idle_timeout", LIMIT, (FLAG, FILE), """
            Time after which an idle connection is closed, in seconds; API servers close theirs after 90.""",
            default=120, commands=SERVE_COMMANDS),
        SettingsOption("drain", COUNT, (FLAG, FILE), """
            Time after SIGTERM in seconds during which requests are still served, although /readyz returns 503.""",
            default=5, commands=SERVE_COMMANDS),
        SettingsOption("kubeconfig", PATH, (FLAG,), """
            The kubeconfig of the cluster (default: as for kubectl).

            The default is $KUBECONFIG, then ~/.kube/config, then the cluster that the pod runs in.""",
            commands=(*CLUSTER_COMMANDS, *VALIDATE, *CHANGES)),
        SettingsOption("context", STRING, (FLAG,), """
            Context of the kubeconfig (default: the current one).""",
            commands=(*CLUSTER_COMMANDS, *VALIDATE, *CHANGES)),
        SettingsOption("emit", make_choice("in-tree", "add-on"), (FLAG,), """
            Only print StorageVersionMigration objects: for Kubernetes, or for kube-storage-version-migrator.""",
            commands=MIGRATE_COMMANDS),
        SettingsOption("wait", BOOLEAN, (FLAG,), """
            Only wait until the StorageVersionMigration objects are finished, and report their results.""",
            commands=MIGRATE_COMMANDS),
        SettingsOption("dry_run", BOOLEAN, (FLAG,), """
            Only validate the updates: API servers store nothing.""", commands=MIGRATE_COMMANDS),
        SettingsOption("rate", COUNT, (FLAG, FILE), """
            Maximum number of requests per second; 0 sets no limit.""", default=500, commands=MIGRATE_COMMANDS),
        SettingsOption("parallel", LIMIT, (FLAG, FILE), """
            Maximum number of concurrent requests.""", default=8, commands=MIGRATE_COMMANDS),
        SettingsOption("settle", COUNT, (FLAG, FILE), """
            Wait until the storage version of the CRD has been unchanged for this many seconds.

            After that time, every API server should use the new storage version.""",
            default=10, commands=MIGRATE_COMMANDS),
        SettingsOption("drop_managed", STRING, (FLAG,), """
            Also drop entries of this version from metadata.managedFields.

            Server-side apply fails on objects that have such entries once the version is removed.""",
            repeated=True, commands=MIGRATE_COMMANDS),
        SettingsOption("state", PATH, (FLAG, FILE), """
            File that records the progress, from which an interrupted run continues.

            A finished run removes it.""",
            default="protoc-gen-crd-migrate.json", commands=MIGRATE_COMMANDS),
    )
}  # fmt: skip
