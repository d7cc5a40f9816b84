"""Every folder of testdata that may be a case is run by a test, or listed here with a reason."""

from __future__ import annotations

import pytest

from tests.cases import (
    test_channels,
    test_docs,
    test_first_hour,
    test_generate,
    test_history,
    test_hubs,
    test_init,
    test_kcp,
    test_manifests,
    test_sample_files,
    test_validate,
    test_versioning,
)
from tests.conftest import ROOT
from tests.e2e import test_examples
from tests.support.conversion import cases
from tests.support.transcripts import cases_in

TESTDATA = ROOT / "testdata"

# The cases that each harness runs, of the folder of testdata with this name.
RUN = {
    "channels": [case.name for case in test_channels.CASES],
    "conversion": [case.name for case in cases()],
    "docs": cases_in(test_docs.CASES),
    "first-hour": cases_in(test_first_hour.CASES),
    "generate": test_generate.NAMES,
    "history": cases_in(test_history.CASES),
    "hubs": [folder.name for folder, _ in test_hubs.TRIPS],
    "init": cases_in(test_init.CASES),
    "kcp": [case.name for case in test_kcp.CASES],
    "manifests": [name for command, name in test_manifests.CASES if command == "manifests"],
    "patch": [name for command, name in test_manifests.CASES if command == "patch"],
    "sample-files": cases_in(test_sample_files.CASES),
    "validate": cases_in(test_validate.CASES),
    "versioning": cases_in(test_versioning.CASES),
}
BARE = {"conversion", "hubs", "kcp"}  # folders whose cases have no folder `expected`

# Folders that are no cases: reason.
OTHERS = {
    "changes": "planted changes, one a line, all of which test_changes.py makes",
    "evolving": "releases of one API, all of which its tests take",
    "generate/hostile": "test_hostile.py makes the requests, and holds these folders to its list",
    "lint": "comments in the inputs name the findings, all of which test_lint.py compares",
    "hostile": "test_hostile_documents.py makes the documents, and holds these folders to its list",
    "hostile-samples": "test_hostile_samples.py makes the schemas, and holds these folders to its list",
    "failures": "inputs that once ended in a traceback or a hang, which tests/e2e/test_failures.py runs",
    "fuzz": "inputs that have exposed a defect, all of which tests/fuzz/test_surfaces.py runs",
    "groups": "groups with several versions, which tests/e2e/test_group_versions.py serves",
    "injection": "names that once became code, which tests/e2e/test_injection.py runs",
    "include": "protos of others, which cases import",
    "istio": "what tests of Istio's APIs find, each in a file that one of them names",
    "markers": "what the cases of a file beside it find, and test_markers.py holds these to the cases",
    "verdicts": "answers of servers of one version each, which are listed by version",
    "webhook": "what the cases in files beside them share",
}


def below(folder: str) -> list[str]:
    return [name for name in cases_in(TESTDATA / folder) if f"{folder}/{name}" not in OTHERS]


@pytest.mark.parametrize("folder", RUN)
def test_every_case_is_run(folder: str) -> None:
    run = set(RUN[folder])
    assert [name for name in below(folder) if name not in run] == []


@pytest.mark.parametrize("folder", [folder for folder in RUN if folder not in BARE])
def test_every_case_expects_something(folder: str) -> None:
    """Reject cases without output, which would expect nothing."""
    assert [name for name in below(folder) if not any((TESTDATA / folder / name / "expected").rglob("*"))] == []


def test_every_folder_is_known() -> None:
    assert [name for name in cases_in(TESTDATA) if cases_in(TESTDATA / name) and name not in RUN | OTHERS] == []
    assert [name for name in (*RUN, *OTHERS) if not (TESTDATA / name).is_dir()] == []


def test_every_example_is_run() -> None:
    assert cases_in(ROOT / "examples") == sorted({name for name, _ in test_examples.CASES})
