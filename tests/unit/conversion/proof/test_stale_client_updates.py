"""Stale-client updates of values that expressions read: a conversion whose data wins over them is detected."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.conversion.proof.round_trip_laws import DirectionFacts, RoundTripLaws

DATA_ANNOTATION = "acme.example/conversion-data.v2"
AROUND = ((("spec", "targets", "[]", "ref"), "root.spec.namespace + self"),)


def converted(obj: dict[str, Any], version: str) -> dict[str, Any]:
    """Targets of v2 by names of v1 in its namespace. Conversion data always wins over updates, which is wrong."""
    spec, known = obj["spec"], obj["metadata"].get("annotations", {})
    result = {**obj, "apiVersion": f"acme.example/{version}", "metadata": {}}
    if version == "v1":
        names = [target["ref"].split("/")[-1] for target in spec["targets"]]
        metadata = {"annotations": {DATA_ANNOTATION: spec["targets"]}}
        return {**result, "metadata": metadata, "spec": {"namespace": spec["namespace"], "names": names}}
    refs = [{"ref": f"{spec.get('namespace', '')}/{name}"} for name in spec["names"]]
    return {**result, "spec": {**spec, "targets": known.get(DATA_ANNOTATION, refs)}}


def test_conversion_data_does_not_win_over_a_stale_client_update() -> None:
    laws = RoundTripLaws(DirectionFacts("acme.example", ("v2", "v1"), computed_fields=AROUND), converted, lambda _: ())
    obj = {"apiVersion": "acme.example/v2", "metadata": {}, "spec": {"namespace": "n", "targets": [{"ref": "n/z/a"}]}}
    result = converted(obj, "v1")
    edits = list(laws.generate_field_edits(result))
    assert [edit["spec"] for edit in edits] == [{"names": ["a"]}, {"namespace": "nx", "names": ["a"]}]
    broken = [laws.check_computed_edit(result, edit) for edit in edits]
    assert [item and item.detail for item in broken] == ['"n/z/a" instead of "/a"', '"n/z/a" instead of "nx/a"']
    assert laws.check_computed_edit(result, result) is None
