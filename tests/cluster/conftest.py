"""The running API server that these tests share. `make test-cluster` builds it and passes it as KUBE_TESTSERVER."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest

from tests.cluster.server import Cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    program = os.environ.get("KUBE_TESTSERVER")
    if not program:
        pytest.skip("KUBE_TESTSERVER is not set: run make test-cluster, which builds an API server with Go")
    folder = tmp_path_factory.mktemp("cluster")
    running = Cluster(program, folder)
    yield running
    running.stop()
    shutil.rmtree(folder / "etcd")
