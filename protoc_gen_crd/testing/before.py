"""What was there before: the CRDs and objects of the paths of --old, which what is judged takes the place of.

Source: k8s.io/apiserver pkg/registry/rest update.go: an update is of one resource, namespace and name.
"""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.policy import fails
from protoc_gen_crd.crd.codec import encode
from protoc_gen_crd.crd.decode import decode
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.cases import CRD_GROUP, CRD_KIND, Case, read_cases
from protoc_gen_crd.testing.files import Files, content
from protoc_gen_crd.testing.keys import Json

Key = tuple[str, str, str, str]  # group, kind, namespace, name
_DEFAULT = "default"  # the namespace of what says none, as kubectl has it; that of what has none is never asked for


class Before:
    """Objects by what an update must not change; CRDs are among them."""

    def __init__(self) -> None:
        self._known: dict[Key, Json] = {}

    def load(self, files: Files, settings: Settings, paths: dict[str, str], problems: Problems) -> None:
        """Take up what is in the paths. Of .proto files only what keeps them from making CRDs is reported."""
        if files.apis:
            self._generate(files.apis, settings, paths, problems)
        for file in files.documents:
            count = len(problems.findings)
            cases = read_cases(content(file, problems), file, problems)
            if not cases and len(problems.findings) == count:
                problems.report("document-none", "what was there before must be there, found nothing", Location(file))
            for case in cases:
                if not case.expected.refused:
                    self._add(case, problems)

    def _generate(self, given: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems) -> None:
        from protoc_gen_crd.testing.generated import generated  # noqa: PLC0415 - it loads the generator

        said = Problems()
        for crd in generated(given, settings, paths, said):
            self._known[CRD_GROUP, CRD_KIND, _DEFAULT, crd.name] = encode(crd)
        if fails(said.findings, settings.findings, complete=False):
            problems.findings += said.findings

    def _add(self, case: Case, problems: Problems) -> None:
        if case.is_crd and (decoded := decode(case.object)).crd is None:
            message = f"what was there before must be a CRD, found {decoded.refusal(nested=True)}"
            problems.report("crd-refused", message, case.at, path=case.name)
        elif (key := _key(case)) and self._known.setdefault(key, case.object) != case.object:
            message = f"what was there before must be there once, found {case.name} again with other content"
            problems.report("case-value", message, case.at)

    def of(self, case: Case) -> Json | None:
        """The object that a document takes the place of, by what it says itself or by name; None if it is new."""
        if case.expected.old is not None:
            return case.expected.old
        found = self._known.get(key) if (key := _key(case)) else None
        return _beside(found, case) if found is not None else None

    def of_crd(self, name: str) -> Json | None:
        """The CRD of this name as it was, None if it is new."""
        return self._known.get((CRD_GROUP, CRD_KIND, _DEFAULT, name))


def _key(case: Case) -> Key | None:
    """None of what has no name yet: servers make one, which is always new."""
    known = _metadata(case.object)
    name, namespace = known.get("name"), known.get("namespace") or _DEFAULT
    return (case.group, case.kind, str(namespace), name) if isinstance(name, str) and name else None


def _metadata(obj: Json) -> Json:
    metadata = obj.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _beside(old: Json, case: Case) -> Json:
    """An object with the namespace as a document has it, which may leave out the default one."""
    before, now = _metadata(old), _metadata(case.object)
    if before.get("namespace") == now.get("namespace"):
        return old
    others = {key: value for key, value in before.items() if key != "namespace"}
    return {**old, "metadata": {**others, **{key: now[key] for key in ("namespace",) if key in now}}}
