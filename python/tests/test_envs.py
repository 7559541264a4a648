"""PettingZoo's and Gymnasium's own tests, and battles by the hundred."""

from __future__ import annotations

import os
import sys
import threading
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from tricorne import BadRequest
from tricorne.envs import BattleAEC, BattleVectorEnv, SeatEnv

EPISODES = int(os.environ.get("TRICORNE_EPISODES", "3"))
"""Battles for each system; the issue's 1,000 are fought by TRICORNE_EPISODES=1000."""


def test_pettingzoos_api_test(scenario: str) -> None:
    with warnings.catch_warnings():
        # Rows are rows and not pictures, whatever their shape.
        warnings.simplefilter("ignore")
        api_test(BattleAEC(scenario), num_cycles=150, verbose_progress=False)


def test_pettingzoos_seed_test(scenario: str) -> None:
    seed_test(lambda: BattleAEC(scenario), num_cycles=60)


def test_a_random_agent_ends_its_episodes(scenario: str) -> None:
    env = BattleAEC(scenario, by="candidates", answers=16)
    chance = np.random.default_rng(1)
    for episode in range(EPISODES):
        env.reset(seed=episode)
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, over, broken_off, _ = env.last()
            total[agent] += reward
            mask = seen["action_mask"]
            env.step(None if over or broken_off else int(chance.choice(np.flatnonzero(mask))))
        # Won, lost or drawn, and the two sides agree about it.
        sides = {env._side[agent]: reward for agent, reward in total.items()}
        assert sorted(sides.values()) in ([-1.0, 1.0], [0.0, 0.0])


def test_gymnasiums_checker() -> None:
    env = SeatEnv("the-disputed-valley", against="random", by="candidates")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # The checker samples without the mask, so actions are brought into it as any wrapper would.
        check_env(Masked(env), skip_render_check=True)


class Masked(gymnasium.ActionWrapper):  # type: ignore[misc]
    """Brings any action into those that are there."""

    def action(self, action: int) -> int:
        return int(action) % self.unwrapped.field.count(0)


@pytest.mark.parametrize("against", ["random", "subaltern", "general:2it"])
def test_a_seat_against_any_level(against: str) -> None:
    env = SeatEnv("the-bordj", against=against, side=1)
    seen, info = env.reset(seed=4)
    over = broken_off = False
    steps = 0
    while not (over or broken_off):
        assert info["side"] == 1 and seen["observation"]["decision"].shape == (64,)
        seen, reward, over, broken_off, info = env.step(info["advice"])
        steps += 1
        assert over or reward == 0
        if against.startswith("general") and steps == 5:
            return
    assert reward in (-1, 0, 1) and steps > 5


def test_a_wrong_action_is_refused_and_changes_nothing() -> None:
    env = SeatEnv("the-disputed-valley")
    env.reset(seed=1)
    before = env.field.hash(0)
    for wrong in (-1, 47, 1 << 40):
        with pytest.raises(BadRequest, match="mask allows"):
            env.step(wrong)
    assert env.field.hash(0) == before


def wander(env: BattleVectorEnv, steps: int, seed: int = 3) -> list[bytes]:
    """What a vector of battles shows and pays over some steps of a random player."""
    chance = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    told = []
    for _ in range(steps):
        counts = seen["action_mask"].sum(axis=1)
        seen, reward, over, broken_off, info = env.step((chance.random(env.num_envs) * counts).astype(np.int64))
        told.append(
            b"".join(part.tobytes() for part in seen["observation"].values())
            + reward.tobytes() + over.tobytes() + info["rewards"].tobytes()
        )
    return told


def test_the_vector_form_is_the_same_on_any_number_of_threads(scenario: str) -> None:
    told = [wander(BattleVectorEnv(scenario, 12, against="random", threads=n), 25) for n in (1, 2, 5)]
    assert told[0] == told[1] == told[2]


def test_vectors_go_on_with_the_next_battle() -> None:
    env = BattleVectorEnv("the-bordj", 8, against="random", by="candidates", answers=16)
    chance = np.random.default_rng(2)
    seen, info = env.reset(seed=1)
    ended = won = 0
    while ended < 24:
        counts = seen["action_mask"].sum(axis=1)
        assert (counts > 0).all(), "somebody must decide in every battle"
        mine = info["side"].copy()
        seen, reward, over, broken_off, info = env.step((chance.random(8) * counts).astype(np.int64))
        assert not broken_off.any()
        assert (reward[~over] == 0).all()
        for place in np.flatnonzero(over):
            ended += 1
            won += reward[place] > 0
            assert info["rewards"][place].sum() == 0 and info["rewards"][place][mine[place]] == reward[place]
            # The next battle has begun, and the learner has the other side now: 8 places, so numbers stay even or odd.
            assert seen["observation"]["decision"][place][2] <= 0.2
    assert 0 < won < ended


def test_both_sides_may_learn() -> None:
    env = BattleVectorEnv("the-disputed-valley", 6, against=None)
    _, info = env.reset(seed=1)
    seats = set()
    for _ in range(200):
        seats |= set(info["seat"].tolist())
        _, _, _, _, info = env.step(info["advice"].copy())
    assert seats == {0, 1}


def test_arrays_are_written_in_place() -> None:
    env = BattleVectorEnv("the-disputed-valley", 4)
    seen, info = env.reset(seed=1)
    units = seen["observation"]["units"]
    address, before = units.__array_interface__["data"][0], units.copy()
    for _ in range(30):
        again, _, _, _, info = env.step(info["advice"].copy())
    assert again["observation"]["units"] is units
    assert units.__array_interface__["data"][0] == address and units.base is None
    assert not np.array_equal(units, before)


def test_one_wrong_answer_leaves_every_battle_as_it_was() -> None:
    env = BattleVectorEnv("the-disputed-valley", 4)
    with pytest.raises(BadRequest, match="reset first"):
        env.step(np.zeros(4, np.int64))
    env.reset(seed=1)
    before = [env.field.hash(n) for n in range(4)]
    with pytest.raises(BadRequest, match="battle 2"):
        env.step(np.array([0, 0, 999, 0]))
    with pytest.raises(BadRequest, match="3 answers for 4"):
        env.step(np.array([0, 0, 0]))
    assert [env.field.hash(n) for n in range(4)] == before


def test_the_interpreter_is_let_go_while_battles_are_stepped() -> None:
    """Python hands the interpreter over only where it is let go here, so another thread that counts can only have come
    to it while Rust was at work."""
    env = BattleVectorEnv("the-disputed-valley", 64, against="subaltern", threads=1)
    counted, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1
            stop.wait(0.0001)

    other = threading.Thread(target=count)
    usual = sys.getswitchinterval()
    other.start()
    sys.setswitchinterval(1e6)
    try:
        before = counted[0]
        # On a busy machine the other thread may sleep through one reset, or through several.
        for seed in range(1000):
            env.field.reset(str(seed))
            if counted[0] > before:
                break
        assert counted[0] > before
    finally:
        sys.setswitchinterval(usual)
        stop.set()
        other.join()


def test_battles_too_long_are_broken_off() -> None:
    env = BattleAEC("the-disputed-valley", most=10)
    env.reset(seed=1)
    for _ in range(10):
        env.step(0)
    assert all(env.truncations.values()) and not any(env.terminations.values())
