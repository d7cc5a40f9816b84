"""A site whose files change, break and disappear while it is served."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from protoc_gen_crd.cli import explore
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.playground import live_site
from protoc_gen_crd.playground.http_server import Routes
from protoc_gen_crd.playground.live_site import LiveSite
from protoc_gen_crd.settings.settings import Settings
from tests.conftest import ROOT

PROTO = ROOT / "examples/conversion/proto/acme/servers/v1/server.proto"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(live_site, "_CHECK_INTERVAL", 0)
    shutil.copytree(ROOT / "examples/conversion/proto", tmp_path / "proto")
    return tmp_path / "proto"


def make_site(path: str = "proto") -> Routes:
    settings = Settings()
    site = explore._load([path], settings, Problems())
    return LiveSite(
        site, lambda: explore._reload([path], settings, Problems()), explore._list_watched([path], settings)
    ).routes


def list_errors(routes: Routes) -> list[str]:
    findings = routes.answers["api/state"]({})["findings"]
    return [f"{finding['place']}: {finding['message']}" for finding in findings if finding["severity"] == "error"]


def write(folder: Path, old: str, new: str) -> None:
    file = folder / "acme/servers/v1/server.proto"
    file.write_text(file.read_text().replace(old, new))
    os.utime(file, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns + 1))


def test_a_changed_file_changes_the_pages_and_the_verdicts(folder: Path) -> None:
    routes = make_site()
    assert routes.answers["api/state"]({})["generation"] == 1
    write(folder, "How large the server is", "THE NEW DESCRIPTION")
    page = routes.get_page("servers.acme.example.html")
    assert page is not None
    assert "THE NEW DESCRIPTION" in page
    assert routes.answers["api/state"]({})["generation"] == 2


def test_an_error_keeps_the_last_pages_and_is_shown(folder: Path) -> None:
    routes = make_site()
    write(folder, "int32 retries", "in32 retries")
    assert routes.get_page("servers.acme.example.html")
    (error,) = list_errors(routes)
    assert error.startswith("proto/acme/servers/v1/server.proto:")
    assert '"in32" is not defined' in error
    assert routes.answers["api/manifest"]({"manifest": ""})["objects"] == []
    write(folder, "in32 retries", "int32 retries")
    assert list_errors(routes) == []


def test_files_that_disappear_keep_the_last_pages(folder: Path) -> None:
    routes = make_site()
    shutil.rmtree(folder)
    assert routes.get_page("index.html")
    assert list_errors(routes) == ["proto: cannot read the file: No such file or directory"]


def test_only_pages_are_served(folder: Path) -> None:
    routes = make_site()
    names = ("index.html", "playground.html", "servers.acme.example.html", "proto/acme/servers/v1/server.proto", "../x")
    assert [bool(routes.get_page(name)) for name in names] == [True, True, True, False, False]
