"""The API that `docs` and `explore` show: its CRDs and its gRPC API groups, from files that are read once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import LoadOptions, build_request_crds, load_crds, report_no_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.group_loader import LoadedGroups, load_groups
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.proto.request import Request


class DocumentedApi(Record):
    """The CRDs of .proto files, those of documents, and the groups. `requests` are those of the .proto files."""

    generated: tuple[Crd, ...]
    documented: tuple[Crd, ...]
    groups: LoadedGroups
    requests: tuple[Request, ...]

    @property
    def crds(self) -> tuple[Crd, ...]:
        """All CRDs."""
        return (*self.generated, *self.documented)

    def select_channel(self, settings: Settings, problems: Problems) -> tuple[Crd, ...]:
        """Return the CRDs of the release channel, which samples are generated for."""
        if not settings.channel or settings.channel_fields == "omit":
            return self.crds
        settings = settings.replace(channel_fields="omit")
        generated = (crd for request in self.requests for crd in build_request_crds(request, settings, problems))
        return (*generated, *self.documented)


def load_api(inputs: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems) -> DocumentedApi:
    """Load the API, and report if it is empty. `paths` receives the paths of the .proto files.

    Raises OSError if a path cannot be read.
    """
    # Options that shorten the descriptions of CRDs do not apply to docs.
    settings = settings.replace(include_description=True, max_description_length=None)
    requests: list[Request] = []
    generated: list[Crd] = []

    def build(request: Request, settings: Settings, problems: Problems) -> Sequence[Crd]:
        generated.extend(build_request_crds(request, settings, problems))
        return generated

    options = LoadOptions(requests=requests, build=build)
    crds = tuple(load_crds(inputs, settings, paths, problems, problems, options))
    groups = load_groups(requests, settings, problems)
    if not groups.plans:
        report_no_crds(crds, inputs, problems)
    return DocumentedApi(tuple(generated), crds[len(generated) :], groups, tuple(requests))
