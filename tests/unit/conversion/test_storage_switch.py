"""Objects that one storage version has stored and modules of another one read: all of their data, or an error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

import pytest

from protoc_gen_crd.conversion.proof.round_trip_laws import Convert
from protoc_gen_crd.conversion.runtime.runtime import ConversionError
from tests.support.conversion import Object, bare
from tests.support.switches import Api

SEEDS = range(6)
KEPT = re.compile(r"^spec\.\S+: .+ acme\.example/conversion-data\.v\w+$")
RANGE = re.compile(r"^spec\.\S+: expected an integer between -2147483648 and 2147483647")


def result(convert: Convert, obj: Object, version: str) -> Object | str:
    """A converted object without conversion data, or the error."""
    try:
        return bare(convert(obj, version))
    except ConversionError as error:
        return str(error)


def stored(api: Api) -> Iterator[tuple[str, Object, str, str]]:
    """Objects as the old storage version stores them, with the version of the client, and both storage versions."""
    for own in api.names:
        for obj in api.objects(own, 1):
            for old, new in permutations(api.plans, 2):
                result = converted(api.converters[old], obj, old)
                if result is not None:
                    yield own, result, old, new


def converted(convert: Convert, obj: Object, version: str) -> Object | None:
    """Return a converted object; None for one with a number that the version cannot represent."""
    try:
        return convert(obj, version)
    except ConversionError as error:
        if not RANGE.match(str(error)):
            raise
        return None


@pytest.fixture(scope="module")
def apis(tmp_path_factory: pytest.TempPathFactory) -> tuple[Api, ...]:
    """The APIs of the first seeds."""
    return tuple([Api(seed, tmp_path_factory.mktemp("api")) for seed in SEEDS])


@pytest.mark.parametrize("seed", SEEDS)
def test_after_a_storage_switch_data_is_restored_or_an_error_names_it(seed: int, apis: tuple[Api, ...]) -> None:
    api = apis[seed]
    for own, obj, old, new in stored(api):
        for version in api.names:
            expected, actual = (result(api.converters[item], obj, version) for item in (old, new))
            if isinstance(actual, str):
                assert RANGE.match(actual) or KEPT.match(actual)
            elif not isinstance(expected, str):
                assert actual == expected, (own, old, new, version)


@pytest.mark.parametrize("seed", SEEDS)
def test_data_is_restored_after_a_storage_switch_and_a_switch_back(seed: int, apis: tuple[Api, ...]) -> None:
    api = apis[seed]
    for own, obj, old, new in stored(api):
        rewritten = converted(api.converters[new], obj, new)
        if rewritten is None:
            continue
        expected, actual = result(api.converters[old], obj, own), result(api.converters[old], rewritten, own)
        if isinstance(actual, str):
            assert RANGE.match(actual) or KEPT.match(actual)
        else:
            assert actual == expected, (own, old, new)


def test_generated_apis_have_composed_conversions_and_some_without(apis: tuple[Api, ...]) -> None:
    plans = [plan for api in apis for plan in api.plans.values()]
    assert any(plan.direct for plan in plans)
    assert any(plan.gaps for plan in plans)
