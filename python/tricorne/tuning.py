"""Weights of judgement made better by self-play, as `tricorne lab tune` does it: the same steps, the same state on disk,
byte for byte, here or on Ray. What goes round is small: the state, and a score for each pair of battles.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import chosen, named
from ._tricorne import Tuning
from .errors import BadRequest

LOOK = 10
"""Pairs of the test between two looks at whether it is clear yet, as on the command line."""


@dataclass
class Tuned:
    """How far a tuning has come."""

    tuning: Tuning
    state: str
    """As JSON: what `tricorne lab tune --state` keeps."""

    @property
    def told(self) -> dict[str, Any]:
        """Steps, weights, and the test: pairs, share of the points, likelihood, verdict."""
        return self.tuning.told(self.state)

    @property
    def weights(self) -> dict[str, float]:
        """The weights that were moved, as they are now."""
        return dict(self.told["weights"])

    @property
    def better(self) -> bool:
        """Whether they have been shown to be better than those there were."""
        return bool(self.told["verdict"] == "better")


def tune(
    ruleset: str,
    scenarios: Sequence[str | os.PathLike[str]] = (),
    *,
    only: Sequence[str] = (),
    steps: int = 200,
    pairs: int = 8,
    reach: float = 0.2,
    test: int = 2_000,
    player: str = "subaltern",
    seed: int | str = 200_000,
    judgement: str | os.PathLike[str] | None = None,
    options: Mapping[str, Any] | None = None,
    data: Mapping[str, str] | None = None,
    state: str | os.PathLike[str] | None = None,
    on: str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Tuned:
    """Moves weights by self-play, then tests them against those there were on seeds that no step has met.

    `scenarios` are all of the rule system's if none is named, `only` names the weights to move (`weighs.NAME`,
    `worth.NAME`), `judgement` is a file of weights to begin with. Where it has come to is kept in `state` after each step
    and gone on with from there, whoever left it. `on="ray"` fights the pairs of a step on a cluster; more than `pairs`
    cores find nothing to do in a step. `progress` is called with the steps taken and the steps to take, then with the
    pairs of the test.
    """
    if on not in (None, "ray"):
        raise BadRequest(f'on = {on!r}: it is None or "ray"')
    weights = None if judgement is None else (os.fspath(judgement), Path(judgement).read_text(encoding="utf-8"))
    tuning = Tuning(
        ruleset, [named(each) for each in scenarios], list(only), pairs, reach, player, str(seed), chosen(options),
        dict(data or {}), weights,
    )  # fmt: skip
    path = None if state is None else Path(state)
    tuned = Tuned(tuning, _kept(tuning, path))
    tell = progress or (lambda done, whole: None)
    cores = threads or os.cpu_count() or 1
    while (done := tuned.told["steps"]) < steps:
        if on is None:
            tuned.state = tuning.step(tuned.state, cores)
        else:
            tuned.state = tuning.learned(tuned.state, _on_ray(tuning, tuned.state, False, 0, pairs))
        _keep(tuned.state, path)
        tell(done + 1, steps)
    while (told := tuned.told)["verdict"] == "open" and (done := told["test"]["pairs"]) < test:
        if on is None:
            tuned.state = tuning.test(tuned.state, min(LOOK, test - done), cores)
        else:
            tuned.state = _tested_on_ray(tuned, done, test)
        _keep(tuned.state, path)
        tell(tuned.told["test"]["pairs"], test)
    return tuned


def _on_ray(tuning: Tuning, state: str, testing: bool, first: int, count: int) -> list[float]:
    """What pairs of battles scored, in order, each lot of them fought somewhere."""
    from . import on_ray

    on_ray.joined()
    lot = max(1, count // on_ray.cores())
    lots = [(at, min(lot, first + count - at)) for at in range(first, first + count, lot)]
    scores = on_ray.in_order([(tuning, state, testing, at, many) for at, many in lots])
    return [score for some in scores for score in some]


def _tested_on_ray(tuned: Tuned, done: int, test: int) -> str:
    """Fights as many pairs as the cluster has room for and takes them ten by ten, as one machine would: what was fought
    beyond the moment at which it became clear is not looked at."""
    from . import on_ray

    on_ray.joined()
    ahead = min(test - done, LOOK * on_ray.cores())
    scores, state = _on_ray(tuned.tuning, tuned.state, True, done, ahead), tuned.state
    for at in range(0, ahead, LOOK):
        state = tuned.tuning.tested(state, scores[at : at + LOOK])
        if tuned.tuning.told(state)["verdict"] != "open":
            break
    return state


def _kept(tuning: Tuning, path: Path | None) -> str:
    """Where a tuning has come to, or its beginning."""
    if path is None or not path.is_file():
        return tuning.begin()
    state = path.read_text(encoding="utf-8")
    try:
        tuning.told(state)
    except BadRequest as error:
        raise BadRequest(f"{path}: {error}") from error
    return state


def _keep(state: str, path: Path | None) -> None:
    """Beside first, then in its place, so that a kill leaves the one or the other."""
    if path is not None:
        beside = path.with_name(path.name + ".new")
        beside.write_text(state, encoding="utf-8")
        os.replace(beside, path)
