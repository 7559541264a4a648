"""Tuning: the state of the command line, byte for byte, and gone on with whoever left it."""

from __future__ import annotations

import json
import pickle
import subprocess
from pathlib import Path

import pytest
from tricorne import BadRequest, lab
from tricorne._tricorne import Tuning

RULESET, SCENARIOS = "would-be-kings", ["the-bordj", "the-disputed-valley"]


def small(state: Path | None = None, steps: int = 2, test: int = 10, **more: object) -> lab.Tuned:
    return lab.tune(
        RULESET, SCENARIOS, steps=steps, pairs=3, test=test, state=state, **more  # type: ignore[arg-type]
    )


def by_command(command_line: str, state: Path, steps: int, test: int) -> None:
    words = ["--steps", str(steps), "--pairs", "3", "--test", str(test), "--state", str(state)]
    words += ["-o", str(state.with_suffix(".toml"))]
    subprocess.run([command_line, "lab", "tune", RULESET, *SCENARIOS, *words], check=True, capture_output=True)


def test_the_state_is_the_command_lines_byte_for_byte(tmp_path: Path, command_line: str) -> None:
    theirs, mine = tmp_path / "theirs.json", tmp_path / "mine.json"
    by_command(command_line, theirs, 2, 10)
    tuned = small(mine)
    assert mine.read_bytes() == theirs.read_bytes() == tuned.state.encode()
    # Begun by the one and gone on with by the other.
    half = tmp_path / "half.json"
    by_command(command_line, half, 1, 0)
    assert json.loads(half.read_text())["steps"] == 1
    small(half)
    assert half.read_bytes() == mine.read_bytes()
    assert tuned.told["steps"] == 2 and tuned.told["test"]["pairs"] == 10 and not tuned.better
    assert tuned.weights and all(name.startswith("weighs.") for name in tuned.weights)


def test_pairs_that_are_handed_out_come_to_the_same() -> None:
    """As a cluster fights them: one by one, in any order."""
    tuning = Tuning(RULESET, [(name, None) for name in SCENARIOS], [], 3, 0.2, "subaltern", "200000", {}, {})
    whole = handed_out = tuning.begin()
    for _ in range(3):
        whole = tuning.step(whole, 2)
        far = pickle.loads(pickle.dumps(tuning))
        scores = {n: far.fight(handed_out, False, n, 1)[0] for n in (2, 0, 1)}
        handed_out = tuning.learned(handed_out, [scores[n] for n in range(3)])
        assert handed_out == whole
    assert json.loads(whole)["weights"] != json.loads(tuning.begin())["weights"], "nothing was learnt: try more steps"
    scores = [score for at in (0, 3) for score in tuning.fight(whole, True, at, 3)]
    assert tuning.tested(whole, scores) == tuning.test(tuning.test(whole, 3, 1), 3, 2)


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="no such weight"):
        lab.tune(RULESET, only=["weighs.nothing"])
    with pytest.raises(BadRequest, match="is not of"):
        lab.tune(RULESET, ["the-two-millers"])
    with pytest.raises(BadRequest, match="it is None"):
        lab.tune(RULESET, on="the moon")
    state = tmp_path / "state.json"
    small(state, steps=1, test=0)
    with pytest.raises(BadRequest, match="state.json: belongs to another tuning"):
        small(state, seed=5)
    state.write_text("{}")
    with pytest.raises(BadRequest, match="is no state"):
        small(state)
