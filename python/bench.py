"""Environment steps a second from Python, in one process: ours, single and vector, beside OpenSpiel's chess and backgammon
and PettingZoo's classics, a random player in all of them, in the same run.

    python python/bench.py --seconds 5 --json figures.json

The extension must be a release build (`pip install ./python`). OpenSpiel (`pip install open_spiel`) and PettingZoo's
classics (`pip install "pettingzoo[classic]"`) are measured where they are installed, and named where they are not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

# The package that was installed is measured, not its sources, which lie beside this file and have no extension in them.
sys.path = [place for place in sys.path if os.path.realpath(place or ".") != os.path.dirname(os.path.realpath(__file__))]

from tricorne.envs import BattleAEC, BattleVectorEnv  # noqa: E402

SCENARIOS = {
    "would-be-kings": "the-disputed-valley",
    "all-the-kings-men": "the-parade-ground",
    "von-futsch": "the-two-millers",
    "seven-years-war": "manoeuvres-at-spandau",
}


def measured(steps: Iterator[int], seconds: float) -> dict[str, int]:
    """Steps a second by the clock, and by the processor's time on all cores together, which tells the same on a machine
    that has other things to do. The beginning is not counted, for caches and allocators must come to rest."""
    warm = time.perf_counter() + min(1.0, seconds / 4)
    while time.perf_counter() < warm:
        next(steps)
    begun, worked, done = time.perf_counter(), time.process_time(), 0
    while (spent := time.perf_counter() - begun) < seconds:
        done += next(steps)
    return {"clock": round(done / spent), "processor": round(done / (time.process_time() - worked))}


def pettingzoo(env: Any) -> Iterator[int]:
    """A random player in any AEC environment, observations and masks looked at as a learner would."""
    chance = random.Random(1)
    seed = 0
    while True:
        env.reset(seed=seed)
        seed += 1
        for agent in env.agent_iter():
            seen, _, over, broken_off, info = env.last()
            if over or broken_off:
                env.step(None)
                continue
            mask = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
            env.step(int(chance.choice(np.flatnonzero(mask))))
            yield 1


def vector(env: BattleVectorEnv) -> Iterator[int]:
    """A random player in all battles of a vector at once."""
    chance = np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    while True:
        counts = seen["action_mask"].sum(axis=1)
        seen, _, _, _, _ = env.step((chance.random(env.num_envs) * counts).astype(np.int64))
        yield env.num_envs


def openspiel(game: Any, observed: bool) -> Iterator[int]:
    """A random player in OpenSpiel; with `observed` the tensor that a learner would take is asked for too."""
    chance = random.Random(1)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, odds)[0])
                continue
            if observed:
                np.asarray(state.observation_tensor())
            state.apply_action(chance.choice(state.legal_actions()))
            yield 1


def openspiel_environment(name: str) -> Iterator[int]:
    """A random player in the environment that OpenSpiel hands to learners: observations and legal answers at every step."""
    from open_spiel.python import rl_environment

    env, chance = rl_environment.Environment(name), random.Random(1)
    while True:
        at = env.reset()
        while not at.last():
            answers = at.observations["legal_actions"][at.observations["current_player"]]
            at = env.step([chance.choice(answers)])
            yield 1


def entrants(battles: int) -> Iterator[tuple[str, Callable[[], Iterator[int]]]]:
    for ruleset, scenario in SCENARIOS.items():
        for by in ("candidates", "proposals"):
            terms: dict[str, Any] = {"by": by, "answers": 16}
            yield f"{ruleset}, single, {by}", lambda s=scenario, t=terms: pettingzoo(BattleAEC(s, **t))
            yield (
                f"{ruleset}, vector of {battles}, {by}",
                lambda s=scenario, t=terms: vector(BattleVectorEnv(s, battles, against=None, **t)),
            )
    try:
        import pyspiel

        for name in ("chess", "backgammon"):
            game = pyspiel.load_game(name)
            yield f"OpenSpiel {name}, not looked at", lambda g=game: openspiel(g, False)
            yield f"OpenSpiel {name}, observed", lambda g=game: openspiel(g, True)
            yield f"OpenSpiel {name}, environment", lambda n=name: openspiel_environment(n)
    except ImportError:
        print("OpenSpiel is not installed: pip install open_spiel")
    for name in ("connect_four_v3", "chess_v6", "tictactoe_v3"):
        try:
            module = __import__(f"pettingzoo.classic.{name}", fromlist=[name])
            yield f"PettingZoo {name}", lambda m=module: pettingzoo(m.raw_env())
        except (ImportError, AttributeError) as why:
            print(f"PettingZoo {name} can't be measured: {why}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each")
    parser.add_argument("--battles", type=int, default=256, help="in the vector form")
    parser.add_argument("--only", default="", help="those with this in their name")
    parser.add_argument("--json", help="where the figures go")
    args = parser.parse_args()
    figures = {}
    print(f"{os.cpu_count()} cores, {args.seconds:g} seconds each: steps a second by the clock, by the processor's time")
    for name, begin in entrants(args.battles):
        if args.only in name:
            figures[name] = measured(begin(), args.seconds)
            print(f"{figures[name]['clock']:>10,} {figures[name]['processor']:>10,}  {name}", flush=True)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=2)


if __name__ == "__main__":
    main()
