"""The state of an API on disk: its sources, its CRD manifests, and the CRDs that they define."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd import pipeline
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.documents.document_files import STDIN_NAME, find_files, is_generated
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.group_loader import LoadedGroups, load_groups
from protoc_gen_crd.kubernetes.supported_versions import parse_minors
from protoc_gen_crd.proto.generate_inputs import GenerateInputs, is_image, read_inputs
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.api_sources import ApiSources, KindSource
from protoc_gen_crd.versioning.crd_manifests import CrdManifest, read_manifests

_IMAGE_HINT = "pass the .proto files that it was built from"
_STDIN_HINT = "pass a file, which can be edited"


class Workspace:
    """An API as it is on disk. `kinds` are those of .proto files, `manifests` those of CRDs that are not generated."""

    def __init__(self, settings: Settings, paths: Sequence[str]) -> None:
        self.settings = settings.replace(channel="")
        self.problems = Problems()
        self.paths: dict[str, str] = {}
        self.api: ApiSources | None = None
        self.manifests: tuple[CrdManifest, ...] = ()
        self.generated: tuple[Crd, ...] = ()
        self.groups = LoadedGroups()
        self._load(paths)

    @property
    def kinds(self) -> tuple[KindSource, ...]:
        """The kinds of .proto files."""
        return self.api.kinds if self.api else ()

    @property
    def sources(self) -> ApiSources:
        """The .proto files. Raises ValueError without any."""
        if self.api is None:
            raise ValueError("no .proto files")
        return self.api

    @property
    def crds(self) -> tuple[Crd, ...]:
        """All CRDs."""
        return (*self.generated, *(manifest.crd for manifest in self.manifests))

    @property
    def has_errors(self) -> bool:
        """True if the API cannot be generated, or API servers reject it."""
        return has_error(self.problems.findings, self.settings.findings, complete=True)

    def _load(self, paths: Sequence[str]) -> None:
        files = find_files(paths, self.problems, self.settings.output_folders)
        images = [path for path in files.generator_inputs if is_image(path)]
        images += [path for path in files.documents if path == STDIN_NAME]
        for path in images:
            hint = _STDIN_HINT if path == STDIN_NAME else _IMAGE_HINT
            self.problems.report("edit-source", f'"{path}" cannot be edited', Location(path), hint=hint)
        if images:
            return
        if files.generator_inputs:
            self._load_protos(files.generator_inputs)
        self._load_manifests([file for file in files.documents if not is_generated(file)])
        if not self.crds and not self.groups.plans and not self.has_errors:
            self.problems.report("crd-none", f"no kinds found in {', '.join(paths)}")

    def _load_protos(self, paths: Sequence[str]) -> None:
        inputs = read_inputs(paths, self.settings.import_paths, self.settings.targets, self.problems)
        self.paths.update(inputs.paths)
        request = None if self.has_errors else Request.from_message(inputs.request, self.problems, inputs.paths)
        if request is not None:
            self._generate(inputs, request)
            self.groups = load_groups([request], self.settings, self.problems)

    def _generate(self, inputs: GenerateInputs, request: Request) -> None:
        crds: list[Crd] = []
        pipeline.generate_files(request, self.settings, self.problems, crds.extend)
        if self.settings.compat:
            crds.extend(pipeline.build_istio_crds(request, self.settings, Problems()))
        self.generated = tuple(crds)
        api, sources = pipeline.read_sources(request, self.settings, Problems())
        self.api = ApiSources(inputs, request, api, sources)

    def _load_manifests(self, files: Sequence[str]) -> None:
        """Read the CRDs of files, and report what API servers reject."""
        self.paths.update((file, file) for file in files)
        self.manifests = tuple(read_manifests(files, self.problems))
        definitions = CrdDefinitions(parse_minors(self.settings.kubernetes))
        for manifest in self.manifests:
            definitions.add(manifest.case, self.problems)
