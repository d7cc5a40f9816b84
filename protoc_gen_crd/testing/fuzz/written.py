"""Differences as test documents that `validate` reads, with what API servers say of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from protoc_gen_crd.base import yamlwrite
from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.testing.answers import Answer
from protoc_gen_crd.testing.cases import read_cases
from protoc_gen_crd.testing.complaints import FOLLOWS
from protoc_gen_crd.testing.definitions import Definition
from protoc_gen_crd.testing.fuzz.comparison import Difference
from protoc_gen_crd.testing.fuzz.external import short
from protoc_gen_crd.testing.runner import Outcome
from protoc_gen_crd.testing.update import missing

_NAMED = re.compile(r'unknown field "(.*)"', re.DOTALL)


def file_of(difference: Difference) -> str:
    """The name of its file, which says whether the document is valid."""
    document = difference.document
    version = str(document["apiVersion"]).rpartition("/")[2]
    digest = sha256(difference.size[2].encode()).hexdigest()[:8]
    return f"{document['kind'].lower()}-{version}-{digest}-{'invalid' if difference.refused else 'valid'}.yaml"


def text_of(difference: Difference, definition: Definition) -> str:
    """The test document: what the versions that are asked say in common, and a comment on what the validator says."""
    theirs = difference.theirs
    said = "accepts it" if theirs.allowed else f"refuses it: {_comment(theirs.message) or 'it does not say why'}"
    return f"# An external validator {said}\n{yamlwrite.dump(dict(_keys(difference, definition)))}"


def _comment(text: str) -> str:
    return short(re.sub("[^ -~]", " ", text))


def _keys(difference: Difference, definition: Definition) -> Iterator[tuple[str, Any]]:
    document, ours = difference.document, difference.ours
    texts = _common(difference, definition) if ours.errors else []
    if len(texts) == 1:
        yield "_err", texts[0]
    elif texts:
        yield "_errs", texts
    unknown = [found[1] for text in ours.strict if (found := _NAMED.fullmatch(text))]
    if unknown and not ours.errors:
        yield "_unknown", unknown
    yield from document.items()


def _common(difference: Difference, definition: Definition) -> list[str]:
    """What all versions that the CRD is asked for say."""
    minors = sorted(definition.minors)
    answers: tuple[Answer, ...] = tuple(definition.answers(difference.document, None, minors, status=False))
    text = yamlwrite.dump({"_err": None, **difference.document}).encode()
    (case,) = read_cases(text, "", Problems())
    texts = missing(case, Outcome(case.name, case.at, answers=answers))
    return [text for text in texts if FOLLOWS not in text] or texts
