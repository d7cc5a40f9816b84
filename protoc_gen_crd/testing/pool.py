"""Files judged one after the other, or by several processes at once. Results come in the order of the files."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.testing.session import Result, Session

_FEW = 2  # files that are not worth a process


def judge_all(session: Session, jobs: int) -> Iterator[Result]:
    """The results of all files."""
    jobs = min(jobs, len(session.files))
    if jobs < _FEW:
        yield from map(session.judge, session.files)
        return
    import multiprocessing  # noqa: PLC0415 - dear, and only for runs that ask for it

    # A forked process has the CRDs already; where there is no fork, each reads them again.
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
    with context.Pool(jobs, _start, (session,)) as pool:
        yield from pool.imap(_judge, session.files)


_SESSIONS: list[Session] = []  # of this process


def _start(session: Session) -> None:
    _SESSIONS.append(session)


def _judge(file: str) -> Result:
    return _SESSIONS[-1].judge(file)
