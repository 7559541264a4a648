"""Battles as environments for learning.

An observation is the same for every rule system and holds nothing that is hidden from the seat: units as rows, ground as
rows, where the battle stands, and every proposed answer as a row, so that an answer is picked by scoring rows. The
names of the columns are in `COLUMNS`.

- `BattleAEC`: PettingZoo; every seat is an agent.
- `SeatEnv`: Gymnasium; one side against a program of any level.
- `BattleVectorEnv`: Gymnasium's vector form; hundreds of battles stepped in Rust on all cores.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from pettingzoo import AECEnv

from . import chosen, named
from ._tricorne import Field

__all__ = ["COLUMNS", "BattleAEC", "BattleVectorEnv", "SeatEnv", "field"]

COLUMNS: dict[str, list[str]] = Field.columns()
"""The names of the columns of `units`, `ground`, `decision` and `answers`."""

_SHOWN = ("units", "ground", "decision", "answers")


def field(
    scenario: str | os.PathLike[str],
    battles: int = 1,
    options: Mapping[str, Any] | None = None,
    data: Mapping[str, str] | None = None,
    **terms: Any,
) -> Field:
    """Battles side by side in Rust, which the environments stand on.

    `terms`: `against` (a level: `"random"`, `"subaltern"`, `"general:400it"`; none leaves every seat to the caller),
    `side` (0, 1, or none for both in turn), `units`, `ground` and `answers` (rows of each), `by` (`"proposals"`, what a
    sensible officer would weigh, or `"candidates"`, any legal answers, which are found quicker), `promise` (whether the
    rulebook's own first judgement of an answer is a column), `most` (decisions before a battle is broken off), `threads`.
    """
    name, text = named(scenario)
    return Field(name, text, chosen(options), dict(data or {}), battles=battles, **terms)


def _observed(shown: Mapping[str, Any]) -> dict[str, Any]:
    return {"observation": {part: shown[part] for part in _SHOWN}, "action_mask": shown["mask"]}


def _space(rows: Mapping[str, int]) -> spaces.Dict:
    def box(*shape: int) -> spaces.Box:
        return spaces.Box(-np.inf, np.inf, shape, np.float32)

    parts: dict[str, spaces.Space[Any]] = {
        "units": box(rows["units"], len(COLUMNS["units"])),
        "ground": box(rows["ground"], len(COLUMNS["ground"])),
        "decision": box(len(COLUMNS["decision"])),
        "answers": box(rows["answers"], len(COLUMNS["answers"])),
    }
    return spaces.Dict({"observation": spaces.Dict(parts), "action_mask": spaces.MultiBinary(rows["answers"])})


def _rows(field: Field) -> dict[str, int]:
    return {part: field.arrays[part].shape[1] for part in ("units", "ground", "answers")}


class BattleAEC(AECEnv):
    """A battle in PettingZoo's form: agents are the seats (`seat_0`, `seat_1`, …), asked one at a time as the rules say."""

    metadata = {"name": "tricorne_v0", "render_modes": ["svg"], "is_parallelizable": False, "render_fps": 1}

    def __init__(
        self,
        scenario: str | os.PathLike[str],
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        **terms: Any,
    ) -> None:
        super().__init__()
        if terms.get("against") is not None:
            raise ValueError("every seat is an agent here; SeatEnv plays against a level")
        self.field = field(scenario, 1, options, **terms)
        self.render_mode = render_mode
        seats = self.field.seats
        self.possible_agents = [f"seat_{seat['seat']}" for seat in seats]
        self._seat = {f"seat_{seat['seat']}": int(seat["seat"]) for seat in seats}
        self._side = {f"seat_{seat['seat']}": int(seat["side"]) for seat in seats}
        rows = _rows(self.field)
        self._observation_spaces = {agent: _space(rows) for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(rows["answers"]) for agent in self.possible_agents}
        self._first = int(np.random.default_rng().integers(1 << 62))
        self._battles = 0

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._first, self._battles = seed, 0
        # One seed begins a row of battles: the first has the seed itself, so that `tricorne battle --seed` fights it too.
        self.field.begin(0, str(self._first + self._battles), self._battles)
        self._battles += 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        seat = self.field.seat(0)
        self.agent_selection = self.agents[0] if seat is None else f"seat_{seat}"

    def observe(self, agent: str) -> dict[str, Any]:
        return _observed(self.field.observe(0, self._seat[agent]))

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        rewards, over, broken_off = self.field.take(0, -1 if action is None else int(action))
        for each in self.agents:
            self.rewards[each] = float(rewards[self._side[each]]) if over else 0.0
            self.terminations[each] = over
            self.truncations[each] = broken_off
        self._select()
        self._accumulate_rewards()

    def answer(self, action: int) -> Any:
        """What an action stands for, in the form that `Battle.apply` takes."""
        return self.field.answer(0, int(action))

    def render(self) -> str | None:
        return self.field.picture(0) if self.render_mode == "svg" else None

    def close(self) -> None:
        pass

    def __str__(self) -> str:
        return str(self.metadata["name"])


class SeatEnv(gymnasium.Env):
    """One side of a battle in Gymnasium's form, against a program. 1 for a battle won, -1 for one lost, 0 for a draw."""

    metadata = {"render_modes": ["svg"], "render_fps": 1}

    def __init__(
        self,
        scenario: str | os.PathLike[str],
        against: str = "subaltern",
        side: int | None = 0,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        **terms: Any,
    ) -> None:
        self.field = field(scenario, 1, options, against=against, side=side, **terms)
        self.render_mode = render_mode
        rows = _rows(self.field)
        self.observation_space = _space(rows)
        self.action_space = spaces.Discrete(rows["answers"])
        self._side = {int(seat["seat"]): int(seat["side"]) for seat in self.field.seats}
        self._mine = side
        self._seat = 0

    def _look(self) -> dict[str, Any]:
        seat = self.field.seat(0)
        self._seat = self._seat if seat is None else seat
        return _observed(self.field.observe(0, self._seat))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        for _ in range(64):
            number = int(self.np_random.integers(1 << 62))
            self.field.begin(0, str(number), number)
            if self.field.seat(0) is not None:
                return self._look(), self._info()
        raise RuntimeError("64 battles in a row ended before the learner was asked")

    def _info(self) -> dict[str, Any]:
        if self.field.seat(0) is None:
            return {"seat": self._seat, "side": self._side[self._seat]}
        return {"seat": self._seat, "side": self._side[self._seat], "advice": self.field.advised(0)}

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        mine = self._side[self._seat]
        rewards, over, broken_off = self.field.take(0, int(action))
        return self._look(), float(rewards[mine]), over, broken_off, self._info()

    def answer(self, action: int) -> Any:
        """What an action stands for, in the form that `Battle.apply` takes."""
        return self.field.answer(0, int(action))

    def render(self) -> str | None:
        return self.field.picture(0) if self.render_mode == "svg" else None


class BattleVectorEnv(VectorEnv):
    """Many battles stepped together in Rust, on all cores, the interpreter let go.

    The arrays of an observation are the very ones that Rust writes into: they are the same objects after every step, so
    copy what must outlive one. Where a battle ends the next begins in the same step. `info` has for each battle the
    `seat` and `side` that must decide now and `advice`, the answer that looks best at first sight; `rewards` is what
    each side got, for learners that play both.

    Without `against` both sides are the caller's, and the reward is that of the side that has just answered.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(
        self,
        scenario: str | os.PathLike[str],
        num_envs: int = 64,
        against: str | None = "subaltern",
        side: int | None = None,
        options: Mapping[str, Any] | None = None,
        **terms: Any,
    ) -> None:
        self.field = field(scenario, num_envs, options, against=against, side=side, **terms)
        self.num_envs = num_envs
        rows = _rows(self.field)
        self.single_observation_space = _space(rows)
        self.single_action_space = spaces.Discrete(rows["answers"])
        self._arrays = self.field.arrays
        self._seen = _observed(self._arrays)
        self._places = np.arange(num_envs)

    @functools.cached_property
    def observation_space(self) -> Any:
        return batch_space(self.single_observation_space, self.num_envs)

    @functools.cached_property
    def action_space(self) -> Any:
        return batch_space(self.single_action_space, self.num_envs)

    def _info(self) -> dict[str, Any]:
        return {part: self._arrays[part] for part in ("seat", "side", "advice", "rewards")}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        first = seed if seed is not None else int(self.np_random.integers(1 << 62))
        self.field.reset(str(first))
        return self._seen, self._info()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[dict[str, Any], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        mine = self._arrays["side"].copy()
        self.field.step(np.ascontiguousarray(actions, dtype=np.int64))
        rewards = self._arrays["rewards"][self._places, mine]
        return self._seen, rewards, self._arrays["over"].copy(), self._arrays["broken_off"].copy(), self._info()

    def picture(self, place: int = 0) -> str:
        """One of the battles drawn as SVG."""
        return self.field.picture(place)
