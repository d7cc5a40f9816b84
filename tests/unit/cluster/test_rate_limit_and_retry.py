"""Retries and rates of requests."""

from __future__ import annotations

import pytest

from protoc_gen_crd.cluster.api_server import ApiReply, ClusterError, DisconnectedError
from protoc_gen_crd.cluster.rate_limit_and_retry import RequestThrottle, RetryPolicy

QUICK = RetryPolicy(
    overloaded_retries=3, server_error_retries=2, disconnected_retries=4, first_delay=0.001, max_delay=0.002
)


class Scripted:
    """A server with scripted replies and a count of requests; None is a broken connection."""

    def __init__(self, *answers: ApiReply | None) -> None:
        self.answers, self.count = list(answers), 0

    def call(self, *_: object, **__: object) -> ApiReply:
        self.count += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer is None:
            raise DisconnectedError("nobody is there")
        return answer


FINE, FULL, BROKEN, REJECTED = (
    ApiReply(200, {}),
    ApiReply(429, {}, {"retry-after": "0"}),
    ApiReply(500, {}),
    ApiReply(422, {}),
)


@pytest.mark.parametrize(
    ("answers", "code", "count"),
    [
        ((FINE,), 200, 1),
        ((REJECTED, FINE), 422, 1),
        ((FULL, FULL, FINE), 200, 3),
        ((FULL,), 429, 4),
        ((BROKEN, FINE), 200, 2),
        ((BROKEN,), 500, 3),
        ((ApiReply(503, {}), FINE), 200, 2),
    ],
)
def test_answers_that_may_get_better_are_asked_for_again(answers: tuple[ApiReply, ...], code: int, count: int) -> None:
    api = Scripted(*answers)
    assert RequestThrottle(api, retry_policy=QUICK).call("GET", "/").code == code
    assert api.count == count


def test_a_server_that_was_there_is_waited_for() -> None:
    api = Scripted(FINE, None, None, FINE)
    caller = RequestThrottle(api, retry_policy=QUICK)
    assert [caller.call("GET", "/").code for _ in range(2)] == [200, 200]
    assert api.count == 4


def test_a_server_that_stays_away_ends_it() -> None:
    api = Scripted(FINE, None)
    caller = RequestThrottle(api, retry_policy=QUICK)
    caller.call("GET", "/")
    with pytest.raises(DisconnectedError):
        caller.call("GET", "/")
    assert api.count == 6


def test_a_server_that_was_never_reached_is_an_error_at_once() -> None:
    api = Scripted(None)
    with pytest.raises(DisconnectedError):
        RequestThrottle(api, retry_policy=QUICK).call("GET", "/")
    assert api.count == 1


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_requests_keep_their_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    waits: list[float] = []
    caller = RequestThrottle(Scripted(FINE), rate=4, clock=clock)
    monkeypatch.setattr(caller, "wait", waits.append)
    for _ in range(3):
        caller.call("GET", "/")
    clock.now = 10
    caller.call("GET", "/")
    assert waits == [0.0, 0.25, 0.5, 0.0]


def test_a_server_that_is_overloaded_is_left_alone_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    caller = RequestThrottle(Scripted(ApiReply(429, {}, {"retry-after": "7"}), FINE), clock=Clock())
    monkeypatch.setattr(caller, "wait", waits.append)
    caller.call("GET", "/")
    caller.call("GET", "/")
    assert waits == [0.0, 7.0, 7.0]


def test_nothing_goes_out_after_a_stop() -> None:
    api = Scripted(FINE)
    caller = RequestThrottle(api)
    caller.stop()
    with pytest.raises(ClusterError):
        caller.call("GET", "/")
    assert api.count == 0
