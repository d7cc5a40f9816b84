"""Dockerfile of the webhook's image."""

from __future__ import annotations

import json
from posixpath import normpath

from protoc_gen_crd import __version__
from protoc_gen_crd.base.escapes import dockerfile_copy, visible
from protoc_gen_crd.emit.manifests.workload import CONTENT_FOLDER, Workload

_DOCKERFILE = """\
# {about}
FROM python:3.13-slim AS build
RUN python -m venv /opt/webhook
RUN /opt/webhook/bin/pip install --no-cache-dir 'protoc-gen-crd[serve]=={version}'

FROM python:3.13-slim
ENV PATH=/opt/webhook/bin:$PATH PYTHONDONTWRITEBYTECODE=1
COPY --from=build /opt/webhook /opt/webhook
COPY {copied}
USER 65532:65532
EXPOSE {port}
ENTRYPOINT ["protoc-gen-crd"]
CMD {command}
"""


def format_dockerfile(workload: Workload, out: str) -> str:
    """Format the Dockerfile of the image."""
    context, copied = split_build_context(out)
    top = normpath(copied).partition("/")[0]
    place = f"with {context} as its context" if top == "." else f"in the parent folder of {top}"
    return _DOCKERFILE.format(
        about=visible(f"Image of the webhook {workload.name}: build it {place}."),
        copied=dockerfile_copy(copied, CONTENT_FOLDER),
        version=__version__,
        port=workload.container_port,
        command=json.dumps(workload.command),
    )


def split_build_context(out: str) -> tuple[str, str]:
    """Return the context of the build and the path of the output folder in it.

    The context is the current folder. An output folder outside of it is its own context, since a build can copy only
    files of its context.
    """
    path = normpath(out)
    is_outside = path.startswith("/") or path.partition("/")[0] == ".."
    return (out, ".") if is_outside else (".", out)
