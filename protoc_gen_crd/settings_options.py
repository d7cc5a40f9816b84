"""Every option of the plugin and of the commands, declared once; the values are in `settings.py`.

An option may be given as a plugin parameter (`--crd_opt=name=value`), as a flag of a command (`--name value`) and in
the settings file (`name: value`), each where its row says so. Knows no file format and no command line.
"""

from __future__ import annotations

from protoc_gen_crd.base.kinds import (
    BOOLEAN,
    CHANNEL,
    COMMENT,
    COUNT,
    FILE_NAME,
    FOLDER_NAME,
    HUBS,
    IMAGE,
    LIMIT,
    PATH,
    PERCENTAGE,
    POLICY,
    RELEASE,
    RULES,
    SELECTOR,
    SERVICE,
    SWITCH,
    TERMS,
    TEXT,
    TYPES,
    VERSIONS,
    Kind,
    one_of,
)
from protoc_gen_crd.base.record import Record

PARAMETER, FLAG, FILE = "parameter", "flag", "file"
EVERYWHERE = (PARAMETER, FLAG, FILE)
# What an option does with compat: the same, what the option `report` tells of default mode, nothing.
KEPT, REPORTED, IGNORED = "kept", "reported", "ignored"
FUZZ, CORPUS = ("fuzz",), ("corpus",)
READERS = (
    "generate",
    "validate",
    "cost",
    "fuzz",
    "samples",
    "docs",
    "convert",
    "manifests",
    "patch",
    "migrate",
    "serve",
    "history record",
)  # commands that read protos
HISTORY = ("history record", "history show", "history diff", "history changelog", "history check")
EVERY = (*READERS, "corpus", *HISTORY[1:])
GENERATE, VALIDATE, COST = ("generate",), ("validate",), ("cost",)
MANIFESTS, PATCH = ("manifests",), ("patch",)
CONVERT, SAMPLES, DOCS = ("convert",), ("samples",), ("docs",)
SERVE = ("serve",)
MIGRATE = ("migrate",)
CLUSTER = (*MIGRATE, *PATCH)  # commands that talk to a cluster


class Option(Record):
    """One option: its name is the attribute of Settings. `repeated` options hold a tuple and are lists in a file.

    `flags` are what it is called on the command line, where that is not its name with dashes, `commands` those that
    have the flag, `compat` what is made of it with the option of that name.
    """

    name: str
    kind: Kind
    where: tuple[str, ...]
    help: str
    repeated: bool = False
    flags: tuple[str, ...] = ()
    commands: tuple[str, ...] = READERS
    compat: str = KEPT


OPTIONS = {
    option.name: option
    for option in (
        Option("compat", one_of("istio"), EVERYWHERE, """
            Print what another tool prints, byte for byte, file name and header included. "istio" is the Go plugin of
            istio.io/tools; where it writes output, every finding is a warning."""),
        Option("report", one_of("differences"), EVERYWHERE, """
            With compat, print what would change in default mode to standard error, besides the files.""",
            commands=GENERATE),
        Option("include_description", BOOLEAN, EVERYWHERE, """
            Keep descriptions in the schemas.""", commands=GENERATE),
        Option("max_description_length", COUNT, EVERYWHERE, """
            Cut every description to this many characters, at a sentence or a word where there is one. 0 drops all.""",
            commands=GENERATE, compat=REPORTED),
        Option("enum_as_int_or_string", BOOLEAN, EVERYWHERE, """
            Let an enum field hold the number of a value as well as its name, and do not list the names."""),
        Option("int64_as", one_of("integer", "int-or-string"), EVERYWHERE, """
            What int64 and uint64 are. Proto JSON writes them as strings, people write numbers; "int-or-string" takes
            both.""",
            compat=REPORTED),
        Option("oneof", one_of("classic", "cel"), EVERYWHERE, """
            How a oneof is enforced: "classic" by oneOf, not and anyOf, which every server knows; "cel" by a rule, which
            has a better message and takes a wrapper that is null for one that is not set.""",
            compat=REPORTED),
        Option("resource_shape", one_of("spec", "object"), EVERYWHERE, """
            What a message marked as a resource is, unless it says so itself: "spec" is the content of .spec, "object"
            has a field spec and perhaps a field status.""",
            compat=REPORTED),
        Option("format", one_of("yaml", "json"), EVERYWHERE, """
            What the files hold.""", commands=GENERATE, compat=IGNORED),
        Option("bundle", FILE_NAME, EVERYWHERE, """
            Put all resources into one file of this name, rather than one file each.""",
            commands=GENERATE, compat=IGNORED),
        Option("header", COMMENT, EVERYWHERE, """
            Text put at the top of every YAML file as a comment. Several lines are easier to write in a settings
            file.""", commands=(*GENERATE, *SAMPLES), compat=IGNORED),
        Option("kubernetes", VERSIONS, EVERYWHERE, """
            The versions of Kubernetes whose servers must accept the output. Without it the newest known one, and for
            "cost" all."""),
        Option("release", RELEASE, EVERYWHERE, """
            The release to generate for: elements whose range of releases does not hold it are left out. Without it
            the one after the last that "history" holds, else what has no last release is there.""",
            compat=REPORTED),
        Option("channel", CHANNEL, EVERYWHERE, """
            The release channel to generate for: what is in a later one is kept out of it, by a policy or by leaving it
            out. Without it everything is there, and no policy.""", commands=(*GENERATE, *SAMPLES), compat=IGNORED),
        Option("channels", CHANNEL, (FILE,), """
            The release channels, from the one that promises most; what names none belongs to the first.""",
            repeated=True, compat=IGNORED),
        Option("channel_fields", one_of("guarded", "left-out"), EVERYWHERE, """
            What is made of fields, values, versions and kinds outside the channel: "guarded" keeps them in the CRD and
            writes a ValidatingAdmissionPolicy that refuses them, "left-out" makes the CRD without them.""",
            commands=GENERATE, compat=IGNORED),
        Option("policy_existing", one_of("kept", "refused"), EVERYWHERE, """
            What policies make of updates of objects that use a field outside the channel already: "kept" lets the
            object go on with it, "refused" wants it gone.""", commands=GENERATE, compat=IGNORED),
        Option("policy_failure", one_of("Fail", "Ignore"), EVERYWHERE, """
            The failurePolicy of policies: what servers do with an object for which they cannot be evaluated.""",
            commands=GENERATE, compat=IGNORED),
        Option("policy_namespaces", SELECTOR, (FILE,), """
            The namespaceSelector of the bindings: where the policies hold. Without it everywhere.""", compat=IGNORED),
        Option("policy_switch", SWITCH, EVERYWHERE, """
            Write policies as Helm templates, which the chart renders unless this value is true.""",
            commands=GENERATE, compat=IGNORED),
        Option("converters", FOLDER_NAME, EVERYWHERE, """
            The folder below the output folder for Python modules that convert objects between the versions of the kinds
            that say how. Without it there are none.""", commands=GENERATE, compat=IGNORED),
        Option("conversion_rules", PATH, (FILE,), """
            Files that say how objects are converted, as APIConversions of kcp, besides what fields say of it.""",
            repeated=True, compat=IGNORED),
        Option("conversions", RULES, (FILE,), """
            How objects are converted, by the name of their CRD: the list spec.conversions of an APIConversion of
            kcp.""", compat=IGNORED),
        Option("hub_versions", HUBS, (FILE,), """
            The versions that conversions go through, by the name of their CRD, as "hub_version" of a resource says it:
            for CRDs that come as YAML. Without it that is the storage version.""", compat=IGNORED),
        Option("webhook_service", SERVICE, EVERYWHERE, """
            The service of the webhook that converts objects: CRDs of the kinds that say how name it in spec.conversion,
            and have cert-manager fill its certificates in unless "webhook_ca" gives them.""",
            compat=IGNORED),
        Option("webhook_url", TEXT, EVERYWHERE, """
            The https address of the webhook that converts objects, where it is no service of the cluster; /convert
            follows.""", compat=IGNORED),
        Option("webhook_ca", PATH, EVERYWHERE, """
            The certificates that the webhook's certificate must come from, in PEM, as caBundle of CRDs.""",
            compat=IGNORED),
        Option("kcp", FOLDER_NAME, EVERYWHERE, """
            The folder below the output folder for kcp's resources: an APIResourceSchema of every kind, and an
            APIConversion of those that say how they are converted. Without it there are none.""",
            commands=GENERATE, compat=IGNORED),
        Option("kcp_prefix", CHANNEL, EVERYWHERE, """
            What the names of kcp's resources start with, such as v250801. Without it a digest of the content, since
            schemas never change under their name.""", commands=GENERATE, compat=IGNORED),
        Option("node_limit", LIMIT, EVERYWHERE, """
            The most nodes that the schema of one version may have. Message types that hold each other several times
            grow without bound; the limit stops them and says where."""),
        Option("byte_limit", LIMIT, EVERYWHERE, """
            The most bytes that the schemas of a CRD may have as JSON, all versions together. The default is what etcd
            stores of one object."""),
        Option("types", TYPES, (FILE,), """
            Schemas for message types, by full name: they take the place of what would be made of the message.""",
            compat=REPORTED),
        Option("findings", POLICY, (FILE,), """
            Severities. Each entry has a rule, a severity (off, note, warning, error) and, to accept findings at one
            place, the path of the element (a.b.C, or a.b.* for it and all below) and a reason."""),
        Option("settings", PATH, (PARAMETER, FLAG), """
            The settings file. Without it, "generate" looks for protoc-gen-crd.yaml and for a table
            [tool.protoc-gen-crd] in pyproject.toml, here and in the folders above; the plugin looks for nothing.""",
            commands=EVERY),
        Option("dump_request", PATH, (PARAMETER, FLAG), """
            Write the request to this file, to run it again with --request or to attach it to a report.""",
            commands=GENERATE),
        Option("inputs", PATH, (FILE,), """
            What "generate" reads when no path is given: .proto files, folders of them, descriptor sets, buf images.""",
            repeated=True),
        Option("import_paths", PATH, (FLAG, FILE), """
            A folder that import names start from. Without it the module roots of buf.yaml, else what the imports of the
            files tell. Well-known types and protoc_gen_crd/v1/options.proto are always found.""",
            repeated=True, flags=("-I", "--import-path")),
        Option("targets", TEXT, (FLAG, FILE), """
            Which files of a descriptor set to generate for, by name, with * for anything. Without it all that are not
            known to be imports.""",
            repeated=True, flags=("--target",)),
        Option("out", PATH, (FLAG, FILE), """
            The output folder.""", commands=GENERATE),
        Option("check", BOOLEAN, (FLAG,), """
            Change nothing; print a diff and exit with 1 if the files on disk are not up to date.""",
            commands=(*GENERATE, *CONVERT, *SAMPLES, *DOCS, *MANIFESTS)),
        Option("prune", BOOLEAN, (FLAG,), """
            Remove files that an earlier run wrote to the output folder and this one does not, unless they were edited
            since.""", commands=(*GENERATE, *SAMPLES, *DOCS, *MANIFESTS)),
        Option("fail_on", one_of("error", "warning", "note"), EVERYWHERE, """
            Exit with 1 if there is a finding of this severity or a worse one; the plugin writes no files then.""",
            commands=EVERY),
        Option("format_findings", one_of("text", "json", "github", "sarif", "junit"), (FLAG,), """
            How findings are printed: "text" and "github" to standard error, "json", "sarif" and "junit" to standard
            output.""", commands=EVERY),
        Option("documents", PATH, (FILE,), """
            What "validate" and "cost" read when no path is given: files and folders of documents and CRDs in YAML or
            JSON, and what "generate" reads.""",
            repeated=True),
        Option("field_validation", one_of("warn", "strict", "ignore"), (FLAG, FILE), """
            What "validate" makes of fields that are not in the schema. Servers drop them and warn, unless the request
            says otherwise; kubectl asks for "strict", by which they refuse the document.""",
            commands=(*VALIDATE, *FUZZ)),
        Option("strict_kinds", BOOLEAN, (FLAG, FILE), """
            Let every document that "validate" reads be of a kind that one of the CRDs describes. Without it others are
            counted as not judged.""", commands=VALIDATE),
        Option("coverage", PERCENTAGE, (FLAG,), """
            Print which constraints and CEL rules the documents have met and broken. With a threshold,
            --coverage=THRESHOLD, a lower percentage is an error.""", commands=VALIDATE),
        Option("old", PATH, (FLAG,), """
            A file or folder of CRDs and objects as they were before, or of the .proto files of such CRDs: what is
            judged is an update of the one with the same name there.""", repeated=True, commands=VALIDATE),
        Option("update", BOOLEAN, (FLAG,), """
            Write the errors of the newest of the versions into documents that must be refused and do not say why, as
            their _err.""", commands=VALIDATE),
        Option("jobs", LIMIT, (FLAG,), """
            How many processes judge documents.""", commands=VALIDATE),
        Option("json", BOOLEAN, (FLAG,), """
            Print JSON instead of text.""", commands=(*COST, "history diff", "history changelog")),
        Option("against", TEXT, (FLAG, FILE), """
            The external validator: a command that reads a document a line on standard input and prints an answer a line
            on standard output, or the http or https address of a validating admission webhook.""", commands=FUZZ),
        Option("count", LIMIT, (FLAG, FILE), """
            How many documents to make. Shrinking a disagreement makes more.""",
            commands=(*FUZZ, *CONVERT)),
        Option("time", COUNT, (FLAG, FILE), """
            Stop after so many seconds; 0 sets no limit. Runs of "fuzz" that it ends are not alike.""",
            commands=(*FUZZ, *MIGRATE)),
        Option("seed", COUNT, (FLAG, FILE), """
            Where chance begins: runs with the same seed on the same input make the same documents.""",
            commands=(*FUZZ, *CONVERT)),
        Option("timeout", LIMIT, (FLAG, FILE), """
            How many seconds the external validator may take for an answer.""", commands=FUZZ),
        Option("ca_file", PATH, (FLAG, FILE), """
            The certificates that a webhook's certificate must come from, in PEM. Without it those of the system.""",
            commands=FUZZ),
        Option("insecure", BOOLEAN, (FLAG,), """
            Take any certificate of a webhook.""", commands=FUZZ),
        Option("found", PATH, (FLAG, FILE), """
            The folder that disagreements are written to, as test documents.""", flags=("--out",), commands=FUZZ),
        Option("corpus", PATH, (FLAG, FILE), """
            The folder that documents are written to.""", flags=("--out",), commands=CORPUS),
        Option("form", one_of("yaml", "json", "go"), (FLAG, FILE), """
            What the files hold: a document as YAML or JSON, or the encoding of Go's own fuzzer with one value of type
            []byte, for testdata/fuzz/FuzzNAME.""", commands=CORPUS),
        Option("history", PATH, (FLAG, FILE), """
            The folder of the recorded releases.""", commands=(*HISTORY, *DOCS)),
        Option("to", TEXT, (FLAG,), """
            The version to convert to.""", commands=CONVERT),
        Option("diff", BOOLEAN, (FLAG,), """
            Change nothing; print what would change.""", commands=CONVERT),
        Option("prove", BOOLEAN, (FLAG,), """
            Convert samples and objects by chance there and back, and print the smallest that does not come back.""",
            commands=CONVERT),
        Option("plan", BOOLEAN, (FLAG,), """
            Print each step of the conversions, and the fields that are carried, moved, changed, kept or dropped.""",
            commands=CONVERT),
        Option("deprecation_policy", TERMS, (FILE,), """
            How long what is deprecated is kept, in months and in releases, whichever is longer: by the stage of its API
            version, which is "stable" (12 and 3), "beta" (9 and 3) or "alpha" (0 and 0), or by its release channel if
            that is not the first (0 and 0)."""),
        Option("samples", PATH, (FLAG, FILE), """
            The folder of samples: made ones and those that people wrote, which win.""", flags=("--out",),
            commands=SAMPLES),
        Option("docs", PATH, (FLAG, FILE), """
            The folder that reference docs are written to.""", flags=("--out",), commands=DOCS),
        Option("manifests", PATH, (FLAG, FILE), """
            The folder that the webhook's manifests are written to.""", flags=("--out",), commands=MANIFESTS),
        Option("image", IMAGE, (FLAG, FILE), """
            The image of the webhook, with its tag or digest. Without it the service's name, for the overlay to
            replace.""", commands=MANIFESTS),
        Option("cluster", BOOLEAN, (FLAG,), """
            Patch the CRDs of a cluster, rather than printing the patches.""", commands=PATCH),
        Option("address", TEXT, (FLAG, FILE), """
            The address that "serve" listens on. Without it all of the machine.""", commands=SERVE),
        Option("port", COUNT, (FLAG, FILE), """
            The port that "serve" listens on; 0 takes one that is free.""", commands=SERVE),
        Option("certificates", PATH, (FLAG, FILE), """
            The folder of tls.crt and tls.key, which are read again when they change.""", commands=SERVE),
        Option("workers", LIMIT, (FLAG, FILE), """
            How many processes answer.""", commands=SERVE),
        Option("concurrency", LIMIT, (FLAG, FILE), """
            How many reviews a process may have waiting; API servers send more again a second later.""",
            commands=SERVE),
        Option("body_limit", LIMIT, (FLAG, FILE), """
            The most bytes of a review. A process keeps at most twice as many in memory, as they came.""",
            commands=SERVE),
        Option("read_timeout", LIMIT, (FLAG, FILE), """
            How many seconds a client may take for TLS, for headers, for a body and to read the answer.""",
            commands=SERVE),
        Option("idle_timeout", LIMIT, (FLAG, FILE), """
            How many seconds a connection is kept without a request. API servers close theirs after 90.""",
            commands=SERVE),
        Option("drain", COUNT, (FLAG, FILE), """
            How many seconds to go on after the wish to end, without being ready, so that requests go elsewhere.""",
            commands=SERVE),
        Option("kubeconfig", PATH, (FLAG,), """
            The kubeconfig of the cluster. Without it $KUBECONFIG, else ~/.kube/config, else the cluster around the
            pod.""", commands=CLUSTER),
        Option("context", TEXT, (FLAG,), """
            The context of the kubeconfig. Without it the current one.""", commands=CLUSTER),
        Option("emit", one_of("in-tree", "add-on"), (FLAG,), """
            Change nothing; print StorageVersionMigration objects: of the API that the version of Kubernetes has, or of
            the add-on kube-storage-version-migrator.""", commands=MIGRATE),
        Option("wait", BOOLEAN, (FLAG,), """
            Change nothing; wait until the StorageVersionMigration objects are done, and tell how they ended.""",
            commands=MIGRATE),
        Option("dry_run", BOOLEAN, (FLAG,), """
            Let servers try to write every object, and keep nothing of it.""", commands=MIGRATE),
        Option("rate", COUNT, (FLAG, FILE), """
            How many requests a second to send at most; 0 sets no limit.""", commands=MIGRATE),
        Option("parallel", LIMIT, (FLAG, FILE), """
            How many requests to send at a time.""", commands=MIGRATE),
        Option("settle", COUNT, (FLAG, FILE), """
            How many seconds a CRD must have been as it is, so that every API server has heard of its storage
            version.""", commands=MIGRATE),
        Option("drop_managed", TEXT, (FLAG,), """
            Drop entries of metadata.managedFields of this version, too. Server-side apply fails on objects that have
            some once the version is removed.""", repeated=True, commands=MIGRATE),
        Option("state", PATH, (FLAG, FILE), """
            The file that says how far a migration has come. A run that is stopped goes on from there when it is
            started again; at the end the file is removed.""", commands=MIGRATE),
    )
}  # fmt: skip


def options_in(where: str) -> dict[str, Option]:
    """The options that may be given in one place."""
    return {name: option for name, option in OPTIONS.items() if where in option.where}
