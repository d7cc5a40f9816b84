"""Requests that are sent again, and when."""

from __future__ import annotations

import pytest

from protoc_gen_crd.cluster.api import ClusterError, DisconnectedError, Reply
from protoc_gen_crd.cluster.calling import Caller, Patience

QUICK = Patience(overloaded=3, broken=2, disconnected=4, first=0.001, longest=0.002)


class Scripted:
    """Answers one after the other, and how often it was asked; None hangs up."""

    def __init__(self, *answers: Reply | None) -> None:
        self.answers, self.count = list(answers), 0

    def call(self, *_: object, **__: object) -> Reply:
        self.count += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer is None:
            raise DisconnectedError("nobody is there")
        return answer


FINE, FULL, BROKEN, REFUSED = Reply(200, {}), Reply(429, {}, {"retry-after": "0"}), Reply(500, {}), Reply(422, {})


@pytest.mark.parametrize(
    ("answers", "code", "count"),
    [
        ((FINE,), 200, 1),
        ((REFUSED, FINE), 422, 1),
        ((FULL, FULL, FINE), 200, 3),
        ((FULL,), 429, 4),
        ((BROKEN, FINE), 200, 2),
        ((BROKEN,), 500, 3),
        ((Reply(503, {}), FINE), 200, 2),
    ],
)
def test_answers_that_may_get_better_are_asked_for_again(answers: tuple[Reply, ...], code: int, count: int) -> None:
    api = Scripted(*answers)
    assert Caller(api, patience=QUICK).call("GET", "/").code == code
    assert api.count == count


def test_a_server_that_was_there_is_waited_for() -> None:
    api = Scripted(FINE, None, None, FINE)
    caller = Caller(api, patience=QUICK)
    assert [caller.call("GET", "/").code for _ in range(2)] == [200, 200]
    assert api.count == 4


def test_a_server_that_stays_away_ends_it() -> None:
    api = Scripted(FINE, None)
    caller = Caller(api, patience=QUICK)
    caller.call("GET", "/")
    with pytest.raises(DisconnectedError):
        caller.call("GET", "/")
    assert api.count == 6


def test_a_server_that_was_never_there_is_told_at_once() -> None:
    api = Scripted(None)
    with pytest.raises(DisconnectedError):
        Caller(api, patience=QUICK).call("GET", "/")
    assert api.count == 1


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_requests_keep_their_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    waits: list[float] = []
    caller = Caller(Scripted(FINE), rate=4, clock=clock)
    monkeypatch.setattr(caller, "wait", waits.append)
    for _ in range(3):
        caller.call("GET", "/")
    clock.now = 10
    caller.call("GET", "/")
    assert waits == [0.0, 0.25, 0.5, 0.0]


def test_a_server_that_is_overloaded_is_left_alone_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    caller = Caller(Scripted(Reply(429, {}, {"retry-after": "7"}), FINE), clock=Clock())
    monkeypatch.setattr(caller, "wait", waits.append)
    caller.call("GET", "/")
    caller.call("GET", "/")
    assert waits == [0.0, 7.0, 7.0]


def test_nothing_goes_out_after_a_stop() -> None:
    api = Scripted(FINE)
    caller = Caller(api)
    caller.stop()
    with pytest.raises(ClusterError):
        caller.call("GET", "/")
    assert api.count == 0
