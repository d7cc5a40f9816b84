"""Table of all options of the plugin and the commands, with their defaults; `Settings` has the values of a run.

An option may be set as a plugin parameter (`--crd_opt=name=value`), as a flag of a command (`--name value`) and in
the settings file (`name: value`), depending on its sources. Independent of file formats and the command line.
"""

from __future__ import annotations

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.settings.option_types import (
    BOOLEAN,
    CHANNEL,
    COMMENT,
    COUNT,
    FILE_NAME,
    FOLDER_NAME,
    GROUP_HUBS,
    HUBS,
    IMAGE,
    KIND_PATTERN,
    LIMIT,
    OVERRIDES,
    PATH,
    PERCENTAGE,
    POLICY,
    PROFILE,
    PROFILES,
    RELEASE,
    RULES,
    SELECTOR,
    SERVICE,
    SIDE,
    STRING,
    SWITCH,
    TERMS,
    TYPES,
    VERSION_HEADER,
    VERSIONS,
    OptionType,
    make_choice,
)

PARAMETER, FLAG, FILE = "parameter", "flag", "file"
EVERYWHERE = (PARAMETER, FLAG, FILE)
# Effect of an option with compat: the same, only on the report of differences to default mode, or none.
KEPT, REPORTED, IGNORED = "kept", "reported", "ignored"
FUZZ, CORPUS = ("fuzz",), ("corpus",)
READING_COMMANDS = (
    "generate",
    "validate",
    "changes",
    "lint",
    "cost",
    "cel",
    "fuzz",
    "samples",
    "docs",
    "explore",
    "schemas",
    "explain",
    "convert",
    "manifests",
    "patch",
    "migrate",
    "serve",
    "history record",
    "version add",
    "version deprecate",
    "version remove",
)  # commands that read protos
HISTORY_COMMANDS = ("history record", "history show", "history diff", "history changelog", "history check")
ALL_COMMANDS = (*READING_COMMANDS, "corpus", "import", "init", *HISTORY_COMMANDS[1:])
GENERATE, VALIDATE, COST, CEL = ("generate",), ("validate",), ("cost",), ("cel",)
MANIFESTS_COMMANDS, PATCH_COMMANDS = ("manifests",), ("patch",)
CHANGES = ("changes",)
LINT = ("lint",)
CONVERT, SAMPLES, DOCS, SCHEMAS, EXPLORE = ("convert",), ("samples",), ("docs",), ("schemas",), ("explore",)
SERVE_COMMANDS = ("serve",)
MIGRATE_COMMANDS = ("migrate",)
CLUSTER_COMMANDS = (*MIGRATE_COMMANDS, *PATCH_COMMANDS)  # commands that talk to a cluster


# Values of options that are neither set nor have a default, by their plain types; None for numbers.
_UNSET_VALUES: dict[type, object] = {str: "", bool: False, dict: {}, list: ()}


class SettingsOption(Record):
    """One option; its name is the attribute of Settings.

    Without a `default`, it is the empty value of the type. `repeated` options are tuples, and lists in a file. `flags`
    are its flags if they differ from its name with dashes. `former_flags` and `former_names` are those of the last
    release, which are reported. `bare_value` is the value of the flag without `=VALUE`. `commands` are the commands
    with the flag, and `compat` is the effect in compat mode.
    """

    name: str
    option_type: OptionType
    sources: tuple[str, ...]
    help: str
    default: object = None
    repeated: bool = False
    flags: tuple[str, ...] = ()
    former_flags: tuple[str, ...] = ()
    former_names: tuple[str, ...] = ()
    bare_value: str = ""
    commands: tuple[str, ...] = READING_COMMANDS
    compat: str = KEPT

    def get_default(self) -> object:
        """Return the value of the option if it is not set."""
        if self.default is not None:
            return self.default
        return () if self.repeated else _UNSET_VALUES.get(self.option_type.plain)


OPTIONS = {
    option.name: option
    for option in (
        SettingsOption("compat", make_choice("istio"), EVERYWHERE, """
            Write the output of another tool byte for byte, with its file name and header; "istio" is the Go plugin
            of istio.io/tools, and findings are warnings where it writes output."""),
        SettingsOption("report", make_choice("differences"), EVERYWHERE, """
            With compat, also print the changes that default mode would make to standard error.""",
            commands=GENERATE),
        SettingsOption("include_description", BOOLEAN, EVERYWHERE, """
            Include descriptions in the schemas.""", default=True, commands=GENERATE),
        SettingsOption("max_description_length", COUNT, EVERYWHERE, """
            Truncate descriptions to this many characters, at the end of a sentence or word if possible; 0 removes
            them.""",
            commands=GENERATE, compat=REPORTED),
        SettingsOption("enum_as_int_or_string", BOOLEAN, EVERYWHERE, """
            Accept the number of an enum value as well as its name, and do not list the names in the schema."""),
        SettingsOption("int64_as", make_choice("integer", "int-or-string"), EVERYWHERE, """
            Schema type of int64 and uint64; "int-or-string" accepts numbers as well as the strings that Proto JSON
            writes.""",
            default="integer", compat=REPORTED),
        SettingsOption("embedded_object_meta", BOOLEAN, EVERYWHERE, """
            Describe the name, namespace, labels, annotations and finalizers of metadata in embedded objects, such as a
            PersistentVolumeClaim template; without it, API servers drop them, as with controller-gen's default.""",
            compat=REPORTED),
        SettingsOption("oneof", make_choice("classic", "cel"), EVERYWHERE, """
            Validation of oneofs: "classic" uses oneOf, not and anyOf, which every API server supports; "cel" uses a
            CEL rule, which has a better message and accepts a null wrapper as unset.""",
            default="classic", compat=REPORTED),
        SettingsOption("ignored_options", STRING, EVERYWHERE, """
            Options of other vocabularies to ignore: a vocabulary such as buf.validate, one of its options such as
            buf.validate.message, or a member such as buf.validate.field.string.min_bytes.""",
            repeated=True, compat=REPORTED),
        SettingsOption("resource_shape", make_choice("spec", "object"), EVERYWHERE, """
            Default shape of a message marked as a resource: "spec" is the content of .spec, "object" has a field
            spec and optionally a field status.""",
            default="spec", compat=REPORTED),
        SettingsOption("format", make_choice("yaml", "json"), EVERYWHERE, """
            Format of the generated files.""", default="yaml", commands=GENERATE, compat=IGNORED),
        SettingsOption("bundle", FILE_NAME, EVERYWHERE, """
            Write all resources to one file of this name instead of one file each.""",
            commands=GENERATE, compat=IGNORED),
        SettingsOption("header", COMMENT, EVERYWHERE, """
            Comment at the top of every YAML file; several lines are easier to write in a settings file.""",
            commands=(*GENERATE, *SAMPLES), compat=IGNORED),
        SettingsOption("kubernetes", VERSIONS, EVERYWHERE, """
            Versions of Kubernetes to validate for, such as 1.34 or 1.30..1.37 (default: the newest supported version,
            for "cel", "cost" and "explore" all of them)."""),
        SettingsOption("release", RELEASE, EVERYWHERE, """
            Release to generate for; elements whose range of releases does not include it are left out (default: the
            release after the last one in "history", otherwise all elements without a last release).""",
            compat=REPORTED),
        SettingsOption("channel", CHANNEL, EVERYWHERE, """
            Release channel to generate for; elements of later channels are rejected by a policy or omitted (default:
            all elements, without a policy).""", commands=(*GENERATE, *SAMPLES), compat=IGNORED),
        SettingsOption("channels", CHANNEL, (FILE,), """
            Release channels, from the most stable one; elements without a channel belong to the first.""",
            default=("stable", "extended"), repeated=True, compat=IGNORED),
        SettingsOption("channel_fields", make_choice("policy", "omit"), EVERYWHERE, """
            Treatment of fields, values, versions and kinds outside the channel: "policy" keeps them in the CRD and
            writes a ValidatingAdmissionPolicy that rejects them, "omit" leaves them out of the CRD.""",
            default="policy", commands=GENERATE, compat=IGNORED),
        SettingsOption("policy_existing", make_choice("allow", "reject"), EVERYWHERE, """
            Treatment of updates to objects that already use a field outside the channel: "allow" accepts them,
            "reject" rejects them until the field is removed.""", default="allow", commands=GENERATE, compat=IGNORED),
        SettingsOption("policy_failure", make_choice("Fail", "Ignore"), EVERYWHERE, """
            The failurePolicy of policies, which applies when a policy cannot be evaluated.""",
            default="Fail", commands=GENERATE, compat=IGNORED),
        SettingsOption("policy_namespaces", SELECTOR, (FILE,), """
            The namespaceSelector of the policy bindings (default: all namespaces).""", compat=IGNORED),
        SettingsOption("policy_switch", SWITCH, EVERYWHERE, """
            Write policies as Helm templates that this value switches off, such as experimental.enabled.""",
            commands=GENERATE, compat=IGNORED),
        SettingsOption("release_guard", FILE_NAME, EVERYWHERE, """
            File for a ValidatingAdmissionPolicy that rejects CRDs of an older release, and CRDs without a served or
            stored version; CRDs get the annotation GROUP/release (default: none).""",
            commands=GENERATE, compat=IGNORED),
        SettingsOption("converters", FOLDER_NAME, EVERYWHERE, """
            Folder below the output folder for Python modules that convert objects between the versions of kinds with
            declared conversions (default: no modules).""", commands=GENERATE, compat=IGNORED),
        SettingsOption("converter_packages", PATH, (FLAG,), """
            Package written by "generate" to import and run as the converters of its kinds (default: the package that
            the settings name under "converters", if it is in the paths); no other package is imported.""",
            repeated=True, flags=("--converter-package",), former_flags=("--converters",),
            commands=(*CONVERT, *SERVE_COMMANDS, *EXPLORE)),
        SettingsOption("conversion_rules", PATH, (FILE,), """
            Files of APIConversion objects of kcp that declare conversions, in addition to the options of fields.""",
            repeated=True, compat=IGNORED),
        SettingsOption("conversions", RULES, (FILE,), """
            Conversions by the name of the CRD, each the list spec.conversions of an APIConversion of kcp.""",
            compat=IGNORED),
        SettingsOption("hub_versions", HUBS, (FILE,), """
            Hub versions by the name of the CRD, like "hub_version" of a resource, for CRDs that are read from YAML
            (default: the storage version).""", compat=IGNORED),
        SettingsOption("groups", FOLDER_NAME, (FLAG, FILE), """
            Folder below the output folder for Python packages of versioned gRPC API groups: hub types, servicers, and
            clients of every version (default: none).""", commands=GENERATE, compat=IGNORED),
        SettingsOption("group_hubs", GROUP_HUBS, (FILE,), """
            Hub versions by the name of the API group, like "hub" of a service (default: the newest version).""",
            compat=IGNORED),
        SettingsOption("group_servers", make_choice("asyncio", "threads"), (FLAG, FILE), """
            Kind of the servers of API groups that are written once as server.py.""",
            default="asyncio", commands=GENERATE, compat=IGNORED),
        SettingsOption("microversion_header", VERSION_HEADER, (FILE,), """
            Metadata in which requests of services with microversions name the number, and responses the one that was
            used; OpenStack Cinder's is "OpenStack-API-Version: volume {version}".""",
            default="api-version: {group} {version}", compat=IGNORED),
        SettingsOption("microversion_notes", PATH, (FLAG, FILE), """
            Folder of the notes of microversions, a Markdown file GROUP/3.4.md for each number with a title;
            "history check" and "history record" require them, and constants in generated code have their titles.""",
            default="microversions", commands=(*GENERATE, "history record", "history check"), compat=IGNORED),
        SettingsOption("microversion_protos", STRING, (FLAG, FILE), """
            Microversion, as GROUP/3.4, to write a .proto file of below the folder of groups (default: none, since
            the annotated file is valid for all of them).""", repeated=True, commands=GENERATE, compat=IGNORED),
        SettingsOption("webhook_service", SERVICE, EVERYWHERE, """
            Service of the conversion webhook, which CRDs of kinds with declared conversions name in spec.conversion;
            cert-manager injects its CA unless "webhook_ca" is set.""",
            compat=IGNORED),
        SettingsOption("webhook_url", STRING, EVERYWHERE, """
            The https address of a conversion webhook outside the cluster, to which /convert is appended.""",
            compat=IGNORED),
        SettingsOption("webhook_ca", PATH, EVERYWHERE, """
            CA certificates of the webhook in PEM, written to CRDs as caBundle.""",
            compat=IGNORED),
        SettingsOption("kcp", FOLDER_NAME, EVERYWHERE, """
            Folder below the output folder for kcp's resources: an APIResourceSchema of every kind, an
            APIConversion of kinds with declared conversions, and an APIExport of every group (default: none).""",
            commands=GENERATE, compat=IGNORED),
        SettingsOption("kcp_prefix", CHANNEL, EVERYWHERE, """
            Prefix of the names of kcp's resources, such as v250801 (default: a digest of the content, since a schema
            is immutable under its name).""", commands=GENERATE, compat=IGNORED),
        SettingsOption("node_limit", LIMIT, EVERYWHERE, """
            Maximum number of nodes in the schema of one version, which stops message types that contain each other
            several times from growing without bound.""", default=50_000),
        SettingsOption("byte_limit", LIMIT, EVERYWHERE, """
            Maximum size of the schemas of a CRD as JSON in bytes, all versions together; the default is the size
            limit of objects in etcd.""", default=1_572_864),
        SettingsOption("types", TYPES, (FILE,), """
            Schemas for message types, by full name, which replace the generated ones.""",
            compat=REPORTED),
        SettingsOption("overrides", OVERRIDES, (FILE,), """
            Markers by the full name of a package, message, field, oneof, enum or enum value, for files that you do not
            change; they take precedence over the markers in the files, and null removes a marker.""",
            compat=REPORTED),
        SettingsOption("findings", POLICY, (FILE,), """
            Severities of findings; each entry has a rule, a severity (off, note, warning, error) and, to suppress
            findings at one element, its path (a.b.C, or a.b.* for it and all below) and a reason; "until" is its last
            day (YYYY-MM-DD) or release."""),
        SettingsOption("settings", PATH, (PARAMETER, FLAG), """
            Settings file (default for commands: protoc-gen-crd.yaml, or the table [tool.protoc-gen-crd] of
            pyproject.toml, in this folder or its parents; the plugin reads none by default).""",
            commands=ALL_COMMANDS),
        SettingsOption("dump_request", PATH, (PARAMETER, FLAG), """
            Write the request to this file, for --request or a bug report.""",
            commands=GENERATE),
        SettingsOption("inputs", PATH, (FILE,), """
            Default inputs of "generate": .proto files, folders of them, descriptor sets and buf images.""",
            repeated=True),
        SettingsOption("import_paths", PATH, (FLAG, FILE), """
            Folder that imports are resolved from (default: the module roots of buf.yaml, otherwise folders derived
            from the imports of the files); well-known types, protoc_gen_crd/v1/options.proto and
            k8s.io/apimachinery are always found, google/api where googleapis-common-protos is installed.""",
            repeated=True, flags=("-I", "--import-path")),
        SettingsOption("targets", STRING, (FLAG, FILE), """
            Files of a descriptor set to generate for, by name, with * as a wildcard (default: all files that are not
            known to be imports).""",
            repeated=True, flags=("--target",)),
        SettingsOption("out", PATH, (FLAG, FILE), """
            The output folder.""", default="crds", commands=GENERATE),
        SettingsOption("check", BOOLEAN, (FLAG,), """
            Write nothing, print a diff, and exit with 1 if a file on disk is out of date, or for "convert" if an object
            is in another version.""",
            commands=(*GENERATE, *CONVERT, *SAMPLES, *DOCS, *SCHEMAS, *MANIFESTS_COMMANDS)),
        SettingsOption("prune", BOOLEAN, (FLAG,), """
            Remove files that an earlier run wrote to the output folder and this run does not, unless they were
            edited.""", commands=(*GENERATE, *SAMPLES, *DOCS, *SCHEMAS, *MANIFESTS_COMMANDS)),
        SettingsOption("fail_on", make_choice("error", "warning", "note"), EVERYWHERE, """
            Exit with 1 if a finding is at least this severe; then the plugin writes no files.""",
            default="error", commands=ALL_COMMANDS),
        SettingsOption("format_findings", make_choice(
            "text", "json", "github", "gitlab", "junit", "markdown", "sarif"), (FLAG,), """
            Format of findings: "text" and "github" (annotations) are printed to standard error, "json", "gitlab" (Code
            Quality), "junit", "markdown" (the summary of a pull request) and "sarif" to standard output.""",
            default="text", commands=ALL_COMMANDS),
        SettingsOption("color", make_choice("auto", "always", "never"), (FLAG,), """
            Color of findings; "auto" uses color on a terminal, and obeys NO_COLOR and FORCE_COLOR.""",
            default="auto", commands=ALL_COMMANDS),
        SettingsOption("quiet", BOOLEAN, (FLAG,), """
            Print only findings and requested output, no progress and no summary.""",
            flags=("-q", "--quiet"), commands=ALL_COMMANDS),
        SettingsOption("verbose", BOOLEAN, (FLAG,), """
            Also print the settings file and the inputs to standard error.""",
            flags=("-v", "--verbose"), commands=ALL_COMMANDS),
        SettingsOption("documents", PATH, (FILE,), """
            Default inputs of "validate", "cost" and, without "inputs", "history": files and folders of documents and
            CRDs in YAML or JSON, and inputs of "generate".""",
            repeated=True),
        SettingsOption("field_validation", make_choice("warn", "strict", "ignore"), (FLAG, FILE), """
            Treatment of unknown fields by "validate": API servers drop them and warn by default; kubectl requests
            "strict", which rejects the document.""",
            default="warn", commands=(*VALIDATE, *FUZZ)),
        SettingsOption("strict_kinds", BOOLEAN, (FLAG, FILE), """
            Report each document without a CRD as an error; by default, this applies to groups with other CRDs, and
            other kinds get one note each.""", commands=VALIDATE),
        SettingsOption("skip_kinds", KIND_PATTERN, (FLAG, FILE), """
            Kind without a CRD to skip without a report, as "Kind", "Kind.group" or "group/*"; documents of kinds with a
            CRD are always validated.""", repeated=True, commands=VALIDATE),
        SettingsOption("coverage", PERCENTAGE, (FLAG,), """
            Print which constraints and CEL rules the documents pass and violate; with --coverage=THRESHOLD, a lower
            percentage is an error.""", bare_value="0", commands=VALIDATE),
        SettingsOption("old", SIDE, (PARAMETER, FLAG), """
            Old side: git:REF[:DIR], merge-base:REF (the common commit with HEAD), latest-tag[:GLOB],
            history[:RELEASE], cluster, or a file or folder of CRDs, objects, .proto files or descriptors (a folder
            named "history" is "./history"); "validate" validates documents as updates of the old object with the same
            name; the plugin accepts descriptor sets and images of "buf build" and reports the changes of CRDs, protos,
            and API groups.""",
            repeated=True, commands=(*VALIDATE, *CHANGES, *LINT), compat=IGNORED),
        SettingsOption("artifacts", BOOLEAN, (FLAG,), """
            Compare the generated files in the folder "out" of both sides, instead of generating both with this
            version.""", commands=CHANGES),
        SettingsOption("profile", PROFILE, EVERYWHERE, """
            Guide that decides what a change requires: "kubernetes", "istio" (released versions are never changed
            incompatibly), "open-cluster-management" (accepting more is incompatible too), "immutable" (each change of
            a version needs a new one), or "microversion" (each change of the contract needs the next release).""",
            default="kubernetes", commands=(*CHANGES, *LINT), compat=IGNORED),
        SettingsOption("profiles", PROFILES, (FILE,), """
            Profiles of API groups (acme.example) and kinds (acme.example/Widget) that differ from "profile".""",
            compat=IGNORED),
        SettingsOption("explain", BOOLEAN, (FLAG,), """
            Also print the path through the decision table of the profile to the verdict, and the checklist of what
            must accompany the changes.""", commands=CHANGES),
        SettingsOption("notes", PATH, (FLAG, FILE), """
            Folder of changelog notes, one Markdown file for each change, named after the element
            (Widget.v1.spec.color.md) or the issue; "changes" requires them if the folder exists, "history record" moves
            them to the release, and "history changelog" prints them.""",
            default="changelog.d", commands=("changes", "history record", "history changelog")),
        SettingsOption("update", BOOLEAN, (FLAG,), """
            Write the part of the error that all requested versions have in common to the _err key of documents that
            must be rejected and expect no error.""", commands=VALIDATE),
        SettingsOption("jobs", LIMIT, (FLAG,), """
            Number of processes that validate documents.""", default=1, commands=VALIDATE),
        SettingsOption("json", BOOLEAN, (FLAG,), """
            Print JSON instead of text.""", commands=(*COST, *CEL, "history diff", "history changelog")),
        SettingsOption("on", PATH, (FLAG,), """
            File with the object, in YAML or JSON, - for standard input.""", commands=CEL),
        SettingsOption("schema", STRING, (FLAG,), """
            Location of the rule, such as Widget.spec.backends[]: "[]" selects the items of a list, "{}" the values of a
            map; the file contains an object of the kind, or a value at the path (default: the kind of the object).""",
            commands=CEL),
        SettingsOption("against", STRING, (FLAG, FILE), """
            The external validator: a command that reads one document per line from standard input and prints one
            answer per line to standard output, or the http or https address of a validating admission webhook.""",
            commands=FUZZ),
        SettingsOption("count", LIMIT, (FLAG, FILE), """
            Maximum number of documents to generate, without those that minimize a difference; for "convert" in each
            direction.""",
            default=2000, commands=(*FUZZ, *CONVERT)),
        SettingsOption("time", COUNT, (FLAG, FILE), """
            Stop after this many seconds; 0 sets no limit, and runs of "fuzz" that it stops are not reproducible.""",
            default=0, commands=(*FUZZ, *MIGRATE_COMMANDS)),
        SettingsOption("seed", COUNT, (FLAG, FILE), """
            Random seed; runs with the same seed and input generate the same documents.""",
            default=0, commands=(*FUZZ, *CONVERT)),
        SettingsOption("timeout", LIMIT, (FLAG, FILE), """
            Time limit for an answer of the external validator, in seconds.""", default=10, commands=FUZZ),
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
            Format of the files: a document as YAML or JSON, or the encoding of Go's native fuzzer with one value of
            type []byte, for testdata/fuzz/FuzzNAME.""", default="yaml", commands=CORPUS),
        SettingsOption("history", PATH, (FLAG, FILE), """
            Folder of the recorded releases.""", default="history",
            commands=(*HISTORY_COMMANDS, *DOCS, *EXPLORE, "changes")),
        SettingsOption("to", STRING, (FLAG,), """
            Version to convert to.""", commands=CONVERT),
        SettingsOption("write", BOOLEAN, (FLAG,), """
            Write the converted objects to their files instead of standard output.""", flags=("-w", "--write"),
            commands=CONVERT),
        SettingsOption("diff", BOOLEAN, (FLAG,), """
            Print a diff instead of the converted objects.""", commands=CONVERT),
        SettingsOption("prove", BOOLEAN, (FLAG,), """
            Convert samples and randomly generated objects in a round trip, and print the smallest object that
            changes.""",
            commands=CONVERT),
        SettingsOption("plan", BOOLEAN, (FLAG,), """
            Print the steps of the conversions, and the fields that are copied, moved, changed, kept in the
            conversion-data annotation or dropped.""",
            commands=CONVERT),
        SettingsOption("deprecation_policy", TERMS, (FILE,), """
            Minimum support of deprecated elements in months and releases, whichever is longer, by stage: "stable"
            (12 and 3), "beta" (9 and 3) or "alpha" (0 and 0), by release channel other than the first (0 and 0), or
            by element such as acme.example/Widget.v1.spec.color, for it and all below."""),
        SettingsOption("samples", PATH, (FLAG, FILE), """
            Folder of samples, generated and handwritten; handwritten samples take precedence.""",
            default="samples", flags=("--out",), commands=SAMPLES),
        SettingsOption("docs", PATH, (FLAG, FILE), """
            Folder to write the reference docs to.""", default="docs/api", flags=("--out",), commands=DOCS),
        SettingsOption("schemas", PATH, (FLAG, FILE), """
            Folder to write the JSON Schemas for editors to.""", default="schemas", flags=("--out",),
            commands=SCHEMAS),
        SettingsOption("modeline", BOOLEAN, (FLAG, FILE), """
            Start each sample with a comment that names the JSON Schema of its kind in the folder of schemas, for
            editors.""", commands=SAMPLES),
        SettingsOption("html", BOOLEAN, (FLAG, FILE), """
            Write an API explorer, an HTML page for each group and an index, instead of Markdown.""", commands=DOCS),
        SettingsOption("manifests", PATH, (FLAG, FILE), """
            Folder to write the webhook's manifests to.""",
            default="manifests", flags=("--out",), commands=MANIFESTS_COMMANDS),
        SettingsOption("image", IMAGE, (FLAG, FILE), """
            Image of the webhook with its tag or digest (default: the service's name, for the overlay to replace).""",
            commands=MANIFESTS_COMMANDS),
        SettingsOption("cluster", BOOLEAN, (FLAG,), """
            Patch the CRDs in a cluster instead of printing the patches.""", commands=PATCH_COMMANDS),
        SettingsOption("address", STRING, (FLAG, FILE), """
            Address that "serve" listens on (default: all addresses of the machine).""", commands=SERVE_COMMANDS),
        SettingsOption("port", COUNT, (FLAG, FILE), """
            Port that "serve" and "explore" listen on; 0 picks a free port.""", default=8443,
            commands=(*SERVE_COMMANDS, *EXPLORE)),
        SettingsOption("certificates", PATH, (FLAG, FILE), """
            Folder of tls.crt and tls.key, which are reloaded when they change.""",
            default="/tls", commands=SERVE_COMMANDS),
        SettingsOption("workers", LIMIT, (FLAG, FILE), """
            Number of worker processes.""", default=1, commands=SERVE_COMMANDS),
        SettingsOption("concurrency", LIMIT, (FLAG, FILE), """
            Maximum number of pending requests per process; more are rejected, and API servers retry them.""",
            default=256, commands=(*SERVE_COMMANDS, *EXPLORE)),
        SettingsOption("body_limit", LIMIT, (FLAG, FILE), """
            Maximum size of a request in bytes; a process buffers at most twice as many.""",
            default=33_554_432, commands=(*SERVE_COMMANDS, *EXPLORE)),
        SettingsOption("read_timeout", LIMIT, (FLAG, FILE), """
            Time limit for a client to finish TLS, send headers, send a body, and read the answer, in seconds.""",
            default=10, commands=(*SERVE_COMMANDS, *EXPLORE)),
        SettingsOption("idle_timeout", LIMIT, (FLAG, FILE), """
            Time after which an idle connection is closed, in seconds; API servers close theirs after 90.""",
            default=120, commands=SERVE_COMMANDS),
        SettingsOption("drain", COUNT, (FLAG, FILE), """
            Grace period after SIGTERM, in seconds, during which the webhook answers requests but is not ready.""",
            default=5, commands=SERVE_COMMANDS),
        SettingsOption("kubeconfig", PATH, (FLAG,), """
            The kubeconfig of the cluster (default: $KUBECONFIG, otherwise ~/.kube/config, otherwise the cluster that
            the pod runs in).""", commands=(*CLUSTER_COMMANDS, *VALIDATE, *CHANGES)),
        SettingsOption("context", STRING, (FLAG,), """
            Context of the kubeconfig (default: the current one).""",
            commands=(*CLUSTER_COMMANDS, *VALIDATE, *CHANGES)),
        SettingsOption("emit", make_choice("in-tree", "add-on"), (FLAG,), """
            Change nothing and print StorageVersionMigration objects, of the API in the Kubernetes version or of the
            add-on kube-storage-version-migrator.""", commands=MIGRATE_COMMANDS),
        SettingsOption("wait", BOOLEAN, (FLAG,), """
            Change nothing, wait until the StorageVersionMigration objects are done, and report their results.""",
            commands=MIGRATE_COMMANDS),
        SettingsOption("dry_run", BOOLEAN, (FLAG,), """
            Send the updates of all objects as dry runs, which change nothing.""", commands=MIGRATE_COMMANDS),
        SettingsOption("rate", COUNT, (FLAG, FILE), """
            Maximum number of requests per second; 0 sets no limit.""", default=500, commands=MIGRATE_COMMANDS),
        SettingsOption("parallel", LIMIT, (FLAG, FILE), """
            Maximum number of concurrent requests.""", default=8, commands=MIGRATE_COMMANDS),
        SettingsOption("settle", COUNT, (FLAG, FILE), """
            Minimum age of the last change to a CRD, in seconds, so that every API server uses its storage version.""",
            default=10, commands=MIGRATE_COMMANDS),
        SettingsOption("drop_managed", STRING, (FLAG,), """
            Also drop entries of metadata.managedFields of this version, since server-side apply fails on objects
            that have such entries once the version is removed.""", repeated=True, commands=MIGRATE_COMMANDS),
        SettingsOption("state", PATH, (FLAG, FILE), """
            File with the progress of a migration; a stopped run resumes from it, and a finished run removes it.""",
            default="protoc-gen-crd-migrate.json", commands=MIGRATE_COMMANDS),
    )
}  # fmt: skip


def list_options(where: str) -> dict[str, SettingsOption]:
    """Return the options that can be set in one kind of source."""
    return {name: option for name, option in OPTIONS.items() if where in option.sources}
