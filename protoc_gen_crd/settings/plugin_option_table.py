"""Options that a plugin run reads, as a parameter or in the settings file, with their defaults and help."""

from __future__ import annotations

from protoc_gen_crd.settings.option_declaration import (
    ALL_COMMANDS,
    CEL,
    CHANGES,
    COST,
    DOCS,
    EVERYWHERE,
    EXPLORE,
    FILE,
    FLAG,
    GENERATE,
    HISTORY_COMMANDS,
    IGNORED,
    LINT,
    PARAMETER,
    REPORTED,
    SAMPLES,
    VALIDATE,
    SettingsOption,
)
from protoc_gen_crd.settings.option_types import (
    BOOLEAN,
    CHANNEL,
    COMMENT,
    COUNT,
    FILE_NAME,
    FOLDER_NAME,
    GROUP_HUBS,
    HUBS,
    LIMIT,
    OVERRIDES,
    PATH,
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
    TYPES,
    VERSION_HEADER,
    VERSIONS,
    WEBHOOK_URL,
    make_choice,
)

PLUGIN_OPTIONS = {
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
        SettingsOption("webhook_url", WEBHOOK_URL, EVERYWHERE, """
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
        SettingsOption("fail_on", make_choice("error", "warning", "note"), EVERYWHERE, """
            Exit with 1 if a finding is at least this severe.

            The plugin of protoc and buf then writes no files.""",
            default="error", commands=ALL_COMMANDS),
        SettingsOption("old", SIDE, (PARAMETER, FLAG), """
            Older API to compare with: git:REF[:DIR], merge-base[:REF], latest-tag[:GLOB], history[:RELEASE], cluster,
            or a path.

            A path is a file or folder of CRDs, objects, .proto files, or descriptor sets. A folder named "history" is
            "./history". "merge-base:REF" is the last commit that HEAD and REF have in common; without REF, REF is the
            default branch. As a plugin parameter, the value is a descriptor set or an image of "buf build", and the
            plugin reports the changes of CRDs, protos, and API groups.""",
            command_help=dict.fromkeys(VALIDATE, """
            Older CRDs and objects: git:REF[:DIR], merge-base[:REF], latest-tag[:GLOB], history[:RELEASE], cluster, or a
            path; a document is validated as an update of the old object with its name.""")
            | dict.fromkeys(LINT, """
            Older API: git:REF[:DIR], merge-base[:REF], latest-tag[:GLOB], history[:RELEASE], cluster, or a path;
            findings that it already has are not reported."""),
            repeated=True, commands=(*VALIDATE, *CHANGES, *LINT), compat=IGNORED),
        SettingsOption("profile", PROFILE, EVERYWHERE, """
            Guide that decides what a change requires.

            - "kubernetes": an incompatible change requires a new version.
            - "open-cluster-management": a change that accepts more objects requires a new version, too.
            - "istio": an incompatible change of a released version is not allowed.
            - "immutable": every change requires a new version.
            - "microversion": every change of the contract requires the next microversion.

            The profile also selects the rules of the linter and their severities.""",
            command_help=dict.fromkeys(LINT, """
            Conventions to check, which select the rules and their severities."""),
            default="kubernetes", commands=(*CHANGES, *LINT), compat=IGNORED),
        SettingsOption("profiles", PROFILES, (FILE,), """
            Profiles of API groups (acme.example) and kinds (acme.example/Widget) that differ from "profile".""",
            compat=IGNORED),
        SettingsOption("history", PATH, (FLAG, FILE), """
            Folder of the recorded releases.""", default="history",
            commands=(*HISTORY_COMMANDS, *DOCS, *EXPLORE, "changes")),
    )
}  # fmt: skip
