"""Studies and tuning on Ray. Scheduling, retries and the object store are Ray's own; a battle's row depends on its number alone, so
a batch that is fought again because a worker or a node died gives the same rows, and each batch is taken once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import ray

from ._tricorne import Study
from .errors import StudyFailed

Job = tuple[Any, ...]
"""Who fights (a study or a tuning), and what is handed to its `fight`."""

AHEAD = 4
"""Batches on the way for each core: enough that none waits, few enough that no memory fills."""


def _fight(fighter: Any, *what: Any) -> Any:
    return fighter.fight(*what)


def _fight_to_part(study: Study, folder: str, first: int, count: int) -> int:
    from .lab import write_part

    where = Path(folder)
    if not where.is_dir():
        raise StudyFailed(f"{folder}: is not there on {os.uname().nodename}; parts need a folder that all machines share")
    write_part(where, study.fight(first, count, 1), first, count)
    return count


# Ray retries what died with its worker or node, as often as it takes; an error of our own is raised at once.
_REMOTE: dict[str, Any] = {"num_cpus": 1, "max_retries": -1, "retry_exceptions": False}


def joined() -> None:
    """Joins a cluster: the one that `ray.init` has joined or the environment names, or a new one on this machine."""
    if not ray.is_initialized():
        ray.init(include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)


def cores() -> int:
    """How many cores the cluster has at the moment; never none, for a node may be about to join."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _window() -> int:
    return max(2, AHEAD * cores())


def in_order(jobs: Sequence[Job]) -> Iterator[Any]:
    """What each job came to, in order. At most a window of jobs is on the way or waits to be taken."""
    joined()
    fight = ray.remote(**_REMOTE)(_fight)
    # A study is stored once in the object store, not sent along with every batch.
    stored: dict[int, ray.ObjectRef] = {}
    waiting: dict[int, ray.ObjectRef] = {}
    begun = 0
    for due in range(len(jobs)):
        while begun < len(jobs) and begun - due < _window():
            fighter, *what = jobs[begun]
            if id(fighter) not in stored:
                stored[id(fighter)] = ray.put(fighter)
            waiting[begun] = fight.remote(stored[id(fighter)], *what)
            begun += 1
        yield _taken(waiting.pop(due))


def to_parts(study: Study, folder: Path, lots: Sequence[tuple[int, int]]) -> Iterator[int]:
    """Lets the workers write parts; how many battles are in each, as they come."""
    joined()
    # A worker of Ray's grows a little with every part (the same parts written without Ray grow nothing), so it is replaced
    # after some.
    fight = ray.remote(**_REMOTE, max_calls=16)(_fight_to_part)
    stored = ray.put(study)
    todo = iter(lots)
    flying: list[ray.ObjectRef] = []
    while True:
        while len(flying) < _window() and (lot := next(todo, None)) is not None:
            flying.append(fight.remote(stored, os.fspath(folder), *lot))
        if not flying:
            return
        done, flying = ray.wait(flying, num_returns=1)
        for ref in done:
            yield _taken(ref)


def _taken(ref: Any) -> Any:
    try:
        return ray.get(ref)
    except ray.exceptions.RayTaskError as error:
        # What our own code refused is raised as it would be here.
        raise (error.cause or error) from error
