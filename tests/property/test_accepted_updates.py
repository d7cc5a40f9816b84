"""The shortcut accepted-updates: a CRD to which an accepted CRD can be updated is accepted by itself too."""

from __future__ import annotations

from collections import Counter
from random import Random

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer
from tests.fuzz.edits import Editor
from tests.fuzz.random_crds import make_crd

MINORS = (25, 28, 30, 33, 37)
COUNT = 150


def test_the_new_crd_of_an_accepted_update_is_accepted() -> None:
    random = Random(7)
    seen = Counter[tuple[bool, bool]]()
    for index in range(COUNT):
        server = AdmissionServer(MINORS[index % len(MINORS) :][:1], RuleCompiler())
        old = make_crd(random)
        new = old
        editor = Editor(random)
        for _ in range(random.choice((1, 2, 4))):
            new = editor.edit(new)[1]
        if not server.admit_data(old)[-1].accepted:
            continue
        updated, created = server.admit_data(new, old)[-1], server.admit_data(new)[-1]
        assert created.accepted or not updated.accepted, (old, new, created.causes)
        seen[updated.accepted, created.accepted] += 1
    assert {(True, True), (False, False)} <= seen.keys()
