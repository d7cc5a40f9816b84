"""Table of all options of the plugin and the commands, with their defaults; `Settings` has the values of a run.

An option may be set as a plugin parameter (`--crd_opt=name=value`), as a flag of a command (`--name value`) and in
the settings file (`name: value`), depending on its sources. Independent of file formats and the command line.
"""

from __future__ import annotations

from collections.abc import Mapping

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

    The first paragraph of `help` is the help of the flag; the reference has all paragraphs. `command_help` has the help
    of commands where it differs.
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
    command_help: Mapping[str, str] = {}
    compat: str = KEPT

    def get_flag_help(self, command: str) -> str:
        """Return the help of the flag of a command in one line, without the default."""
        return " ".join(self.command_help.get(command, self.help.strip().partition("\n\n")[0]).split())

    def get_default(self) -> object:
        """Return the value of the option if it is not set."""
        if self.default is not None:
            return self.default
        return () if self.repeated else _UNSET_VALUES.get(self.option_type.plain)


OPTIONS = {
    option.name: option
    for option in (
        SettingsOption("compat", make_choice("istio"), EVERYWHERE, """
            Write the output of another tool byte for byte; "istio" is the Go plugin of istio.io/tools.

            The file has the name and the header of that tool. Findings are warnings where that tool writes output."""),
        SettingsOption("report", make_choice("differences"), EVERYWHERE, """
            With "compat", also print the differences to the default output to standard error.""",
            commands=GENERATE),
        SettingsOption("include_description", BOOLEAN, EVERYWHERE, """
            Include descriptions in the schemas.""", default=True, commands=GENERATE),
        SettingsOption("max_description_length", COUNT, EVERYWHERE, """
            Truncate descriptions to this many characters; 0 removes them.

            They are truncated at the end of a sentence or word if possible.""",
            commands=GENERATE, compat=REPORTED),
        SettingsOption("enum_as_int_or_string", BOOLEAN, EVERYWHERE, """
            Accept an enum value by its number or its name. The schema then does not list the names."""),
        SettingsOption("int64_as", make_choice("integer", "int-or-string"), EVERYWHERE, """
            Schema type of int64 and uint64; "int-or-string" also accepts the strings that Proto JSON writes.""",
            default="integer", compat=REPORTED),
        SettingsOption("embedded_object_meta", BOOLEAN, EVERYWHERE, """
            Include the fields of metadata in the schema of embedded objects, such as a PersistentVolumeClaim template.

            The fields are name, namespace, labels, annotations, and finalizers. If the schema does not have them, which
            is also the default of controller-gen, API servers drop them.""",
            compat=REPORTED),
        SettingsOption("oneof", make_choice("classic", "cel"), EVERYWHERE, """
            Validate oneofs with schema keywords ("classic") or with a CEL rule ("cel").

            The keywords are oneOf, not, and anyOf, which every API server supports. A CEL rule has a better error
            message and accepts a null wrapper as unset.""",
            default="classic", compat=REPORTED),
        SettingsOption("ignored_options", STRING, EVERYWHERE, """
            Option of another vocabulary to ignore, such as buf.validate.field.string.min_bytes.

            A value can also be a whole vocabulary, such as buf.validate, or one of its options, such as
            buf.validate.message.""",
            repeated=True, compat=REPORTED),
        SettingsOption("resource_shape", make_choice("spec", "object"), EVERYWHERE, """
            Shape of messages marked as resources: the content of .spec, or the whole object.

            With "object", the message has a field spec and optionally a field status. The option "shape" of a resource
            takes precedence.""",
            default="spec", compat=REPORTED),
        SettingsOption("format", make_choice("yaml", "json"), EVERYWHERE, """
            Format of the generated files.""", default="yaml", commands=GENERATE, compat=IGNORED),
        SettingsOption("bundle", FILE_NAME, EVERYWHERE, """
            Write all resources to one file of this name instead of one file each.""",
            commands=GENERATE, compat=IGNORED),
        SettingsOption("header", COMMENT, EVERYWHERE, """
            Comment at the top of every YAML file.

            Several lines are easier to write in a settings file.""",
            commands=(*GENERATE, *SAMPLES), compat=IGNORED),
        SettingsOption("kubernetes", VERSIONS, EVERYWHERE, """
            Kubernetes version or range of versions to validate for, such as 1.34 or 1.30..1.37 (default: the newest
            supported version).""",
            command_help=dict.fromkeys((*CEL, *COST, *EXPLORE), """
            Kubernetes version or range of versions, such as 1.34 or 1.30..1.37 (default: all supported versions).""")),
        SettingsOption("release", RELEASE, EVERYWHERE, """
            Release to generate for, which ranges of releases apply to (default: the release after the last recorded
            one).

            Elements whose range does not include the release are left out. If no release is recorded, elements with
            "until" are left out.""",
            compat=REPORTED),
        SettingsOption("channel", CHANNEL, EVERYWHERE, """
            Least stable release channel to allow (default: all).

            Elements of less stable channels are rejected by a policy or omitted. By default, there is no policy.""",
            commands=(*GENERATE, *SAMPLES), compat=IGNORED),
        SettingsOption("channels", CHANNEL, (FILE,), """
            Release channels, from the most stable one; elements without a channel belong to the first.""",
            default=("stable", "extended"), repeated=True, compat=IGNORED),
        SettingsOption("channel_fields", make_choice("policy", "omit"), EVERYWHERE, """
            Reject elements outside the channel with a ValidatingAdmissionPolicy, or omit them from the CRD.

            Elements are fields, enum values, versions, and kinds. With "policy", the CRD contains them.""",
            default="policy", commands=GENERATE, compat=IGNORED),
        SettingsOption("policy_existing", make_choice("allow", "reject"), EVERYWHERE, """
            Updates of objects that already use a field outside the channel: allow or reject.

            With "reject", updates are rejected until the field is removed.""",
            default="allow", commands=GENERATE, compat=IGNORED),
        SettingsOption("policy_failure", make_choice("Fail", "Ignore"), EVERYWHERE, """
            The failurePolicy of the policies.

            It applies if an API server cannot evaluate a policy.""",
            default="Fail", commands=GENERATE, compat=IGNORED),
        SettingsOption("policy_namespaces", SELECTOR, (FILE,), """
            The namespaceSelector of the policy bindings (default: all namespaces).""", compat=IGNORED),
        SettingsOption("policy_switch", SWITCH, EVERYWHERE, """
            Write policies as Helm templates that are omitted if this value is true, such as experimental.enabled.""",
            commands=GENERATE, compat=IGNORED),
        SettingsOption("release_guard", FILE_NAME, EVERYWHERE, """
            File for a ValidatingAdmissionPolicy that rejects CRDs of an older release (default: none).

            The policy also rejects CRDs that lack a served or stored version. CRDs get the annotation
            GROUP/release.""",
            commands=GENERATE, compat=IGNORED),
        SettingsOption("converters", FOLDER_NAME, EVERYWHERE, """
            Folder below the output folder for Python modules that convert objects (default: none).

            Kinds with declared conversions have a module.""", commands=GENERATE, compat=IGNORED),
        SettingsOption("converter_packages", PATH, (FLAG,), """
            Generated converter package to run (default: that of the setting "converters", if it is in the paths).

            Importing a package executes its code. No other package is imported.""",
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
            Folder below the output folder for Python packages of gRPC API groups (default: none).

            A package has the hub types, and the servicers and clients of every version.""",
            commands=GENERATE, compat=IGNORED),
        SettingsOption("group_hubs", GROUP_HUBS, (FILE,), """
            Hub versions by the name of the API group, like "hub" of a service (default: the newest version).""",
            compat=IGNORED),
        SettingsOption("group_servers", make_choice("asyncio", "threads"), (FLAG, FILE), """
            Kind of server that a new server.py of an API group has.

            The file is written only if it does not exist.""",
            default="asyncio", commands=GENERATE, compat=IGNORED),
        SettingsOption("microversion_header", VERSION_HEADER, (FILE,), """
            Metadata in which requests of services with microversions name the number, and responses the one that was
            used; OpenStack Cinder's is "OpenStack-API-Version: volume {version}".""",
            default="api-version: {group} {version}", compat=IGNORED),
        SettingsOption("microversion_notes", PATH, (FLAG, FILE), """
            Folder of the notes of microversions, such as GROUP/3.4.md.

            Each number has a Markdown file with a title. "history check" and "history record" require them. Constants
            in generated code have the titles.""",
            default="microversions", commands=(*GENERATE, "history record", "history check"), compat=IGNORED),
        SettingsOption("microversion_protos", STRING, (FLAG, FILE), """
            Also write a .proto file of this microversion, such as GROUP/3.4, below the folder of "groups".

            By default, no file is written, because the annotated file is valid for all microversions.""",
            repeated=True, commands=GENERATE, compat=IGNORED),
        SettingsOption("webhook_service", SERVICE, EVERYWHERE, """
            Service of the conversion webhook, for spec.conversion of CRDs.

            CRDs of kinds with declared conversions get it. cert-manager injects the CA unless "webhook_ca" is set.""",
            compat=IGNORED),
        SettingsOption("webhook_url", STRING, EVERYWHERE, """
            URL of a conversion webhook outside the cluster, without /convert.

            It starts with https.""",
            compat=IGNORED),
        SettingsOption("webhook_ca", PATH, EVERYWHERE, """
            CA certificates of the webhook in PEM, for caBundle of CRDs.""",
            compat=IGNORED),
        SettingsOption("kcp", FOLDER_NAME, EVERYWHERE, """
            Folder below the output folder for resources of kcp (default: none).

            Each kind has an APIResourceSchema, kinds with declared conversions have an APIConversion, and each group
            has an APIExport.""",
            commands=GENERATE, compat=IGNORED),
        SettingsOption("kcp_prefix", CHANNEL, EVERYWHERE, """
            Prefix of the names of kcp's resources, such as v250801 (default: a digest of the content).

            A name must change with the content, because an APIResourceSchema is immutable.""",
            commands=GENERATE, compat=IGNORED),
        SettingsOption("node_limit", LIMIT, EVERYWHERE, """
            Maximum number of nodes in the schema of one version.

            The limit stops schemas of messages that contain each other several times, which would grow without
            bound.""", default=50_000),
        SettingsOption("byte_limit", LIMIT, EVERYWHERE, """
            Maximum size of all schemas of a CRD as JSON, in bytes.

            The default is the size limit of objects in etcd.""", default=1_572_864),
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
            Settings file (default: protoc-gen-crd.yaml or pyproject.toml in this folder or its parents).

            In pyproject.toml, the settings are the table [tool.protoc-gen-crd]. The plugin of protoc and buf reads no
            settings file by default.""",
            commands=ALL_COMMANDS),
        SettingsOption("dump_request", PATH, (PARAMETER, FLAG), """
            Write the request to this file, for --request or a bug report.""",
            commands=GENERATE),
        SettingsOption("inputs", PATH, (FILE,), """
            Default inputs of "generate": .proto files, folders of them, descriptor sets and buf images.""",
            repeated=True),
        SettingsOption("import_paths", PATH, (FLAG, FILE), """
            Folder to search for imports (default: the modules of buf.yaml, or else derived from the imports).

            Well-known types, protoc_gen_crd/v1/options.proto, and k8s.io/apimachinery are always found. google/api is
            found if the Python package googleapis-common-protos is installed.""",
            repeated=True, flags=("-I", "--import-path")),
        SettingsOption("targets", STRING, (FLAG, FILE), """
            File of a descriptor set to generate for; * is a wildcard (default: all files that are not known to be
            imports).""",
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
        SettingsOption("fail_on", make_choice("error", "warning", "note"), EVERYWHERE, """
            Exit with 1 if a finding is at least this severe.

            The plugin of protoc and buf then writes no files.""",
            default="error", commands=ALL_COMMANDS),
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

            These are the default inputs of "validate", which uses the CRDs of "inputs" before those of documents.
            Without "inputs", they are also those of commands that read the API, such as "lint" and "docs".""",
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
            CRD are always validated.""", repeated=True, commands=VALIDATE),
        SettingsOption("coverage", PERCENTAGE, (FLAG,), """
            Print which constraints and CEL rules the documents pass and violate; a percentage below THRESHOLD is an
            error.""", bare_value="0", commands=VALIDATE),
        SettingsOption("old", SIDE, (PARAMETER, FLAG), """
            Older API to compare with: git:REF[:DIR], merge-base:REF, latest-tag[:GLOB], history[:RELEASE], cluster, or
            a path.

            A path is a file or folder of CRDs, objects, .proto files, or descriptor sets. A folder named "history" is
            "./history". "merge-base:REF" is the last commit that HEAD and REF have in common. As a plugin parameter,
            the value is a descriptor set or an image of "buf build", and the plugin reports the changes of CRDs,
            protos, and API groups.""",
            command_help=dict.fromkeys(VALIDATE, """
            Older CRDs and objects: git:REF[:DIR], merge-base:REF, latest-tag[:GLOB], history[:RELEASE], cluster, or a
            path; a document is validated as an update of the old object with its name.""")
            | dict.fromkeys(LINT, """
            Older API: git:REF[:DIR], merge-base:REF, latest-tag[:GLOB], history[:RELEASE], cluster, or a path; findings
            that it already has are not reported."""),
            repeated=True, commands=(*VALIDATE, *CHANGES, *LINT), compat=IGNORED),
        SettingsOption("artifacts", BOOLEAN, (FLAG,), """
            Compare the committed files in the folder "out" instead of generating both APIs.""", commands=CHANGES),
        SettingsOption("profile", PROFILE, EVERYWHERE, """
            Guide that decides what a change requires.

            - "kubernetes": an incompatible change requires a new version.
            - "open-cluster-management": a change that accepts more objects requires a new version, too.
            - "istio": an incompatible change of a released version is not allowed.
            - "immutable": every change requires a new version.
            - "microversion": every change of the contract requires the next release.

            The profile also selects the rules of the linter and their severities.""",
            command_help=dict.fromkeys(LINT, """
            Conventions to check, which select the rules and their severities."""),
            default="kubernetes", commands=(*CHANGES, *LINT), compat=IGNORED),
        SettingsOption("profiles", PROFILES, (FILE,), """
            Profiles of API groups (acme.example) and kinds (acme.example/Widget) that differ from "profile".""",
            compat=IGNORED),
        SettingsOption("explain", BOOLEAN, (FLAG,), """
            Also print how the profile leads to the verdict, and a checklist of what the changes require.""",
            commands=CHANGES),
        SettingsOption("notes", PATH, (FLAG, FILE), """
            Folder of changelog notes, one Markdown file for each change.

            A file is named after the element (Widget.v1.spec.color.md) or the issue. If the folder exists, "changes"
            requires a note for each change. "history record" moves the notes to the release, and "history changelog"
            prints them.""",
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


def list_options(where: str) -> dict[str, SettingsOption]:
    """Return the options that can be set in one kind of source."""
    return {name: option for name, option in OPTIONS.items() if where in option.sources}
