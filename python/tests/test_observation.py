"""What a network is shown: the same form for all, nothing hidden, and what the columns say is so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import tricorne
from tricorne.envs import COLUMNS, field

SHAPES = {"units": (64,), "ground": (64,), "decision": (), "answers": (48,)}


def columns(shown: dict[str, Any], part: str) -> dict[str, Any]:
    """An array by the names of its columns."""
    return {name: shown[part][..., n] for n, name in enumerate(COLUMNS[part])}


def test_the_form_is_the_same_for_all_systems(scenario: str) -> None:
    battles = field(scenario)
    battles.begin(0, "1", 0)
    for seat in (0, 1):
        shown = battles.observe(0, seat)
        for part, rows in SHAPES.items():
            assert shown[part].shape == (*rows, len(COLUMNS[part])) and shown[part].dtype == np.float32
            assert np.isfinite(shown[part]).all()
        assert shown["mask"].sum() == (battles.count(0) if seat == battles.seat(0) else 0)


def test_columns_say_what_the_view_says(scenario: str) -> None:
    battles = field(scenario)
    battles.begin(0, "3", 0)
    for _ in range(40):
        battles.take(0, battles.advised(0))
    seat = battles.seat(0)
    assert seat is not None
    view, shown = battles.view(0, seat), battles.observe(0, seat)
    units = columns(shown, "units")
    assert int(units["present"].sum()) == len(view["units"])
    side = next(s["side"] for s in view["seats"] if s["seat"] == seat)
    for row, unit in enumerate(view["units"]):
        assert units["own_side"][row] == (unit["side"] == side) != units["enemy"][row]
        assert units["on_table"][row] == unit["on_table"]
        assert units["share"][row] == pytest.approx(unit["strength"][0] / unit["strength"][1])
        if unit["on_table"]:
            assert units["x"][row] == pytest.approx(unit["at"][0] / view["table"]["width"], abs=1e-5)
            assert units["y"][row] == pytest.approx(unit["at"][1] / view["table"]["height"], abs=1e-5)
        assert units["state_bad"][row] == sum(m["tone"] == "bad" for m in unit["markers"])
    ground = columns(shown, "ground")
    assert int(ground["present"].sum()) == len(view["terrain"]) + len(view["tokens"])
    decision = columns(shown, "decision")
    assert decision["asked"] == 1 and decision["seat"] == seat and decision["side"] == side
    answers = columns(shown, "answers")
    ids = [unit["id"] for unit in view["units"]]
    for n in range(battles.count(0)):
        words = repr(battles.answer(0, n))
        rows = {int(answers[column][n]) for column in ("unit_row", "target_row")}
        in_words = {row for row, unit in enumerate(ids) if f"'{unit}'" in words}
        # An answer names up to two units by their rows, after the one that the question is about.
        assert not in_words or in_words & rows, words
    assert answers["present"].sum() == battles.count(0)


def test_different_answers_have_different_rows(scenario: str) -> None:
    battles = field(scenario, by="proposals")
    battles.begin(0, "2", 0)
    alike = rows = 0
    for _ in range(60):
        if (seat := battles.seat(0)) is None:
            break
        answers = battles.observe(0, seat)["answers"][: battles.count(0)]
        rows += len(answers)
        alike += len(answers) - len(np.unique(answers[:, 2:], axis=0))
        battles.take(0, battles.advised(0))
    # Ways that end in the same place by the same length may look alike, and hardly anything else.
    assert alike <= rows * 0.1, f"{alike} of {rows} rows are alike"


def bits(shown: dict[str, Any]) -> dict[str, bytes]:
    return {part: array.tobytes() for part, array in shown.items()}


@pytest.mark.parametrize("by", ["proposals", "candidates"])
def test_a_secret_changes_no_bit_for_the_other_seat(by: str) -> None:
    """Seven Years War keeps secrets: where hidden units lie (SYW-HIDE-01), by which edge a flank march comes
    (SYW-DEPLOY-16). The same battle with another secret looks the same to the other seat, answers included."""
    changed = asked = 0
    for name in ("the-heath-before-thalheim", "the-redoubt-at-kagul-brook", "a-chance-encounter"):
        for found, answers_too in secrets_kept(f"seven-years-war/{name}", by):
            changed += found
            asked += answers_too
    assert changed > 10 and asked > 3, f"{changed} secrets changed, {asked} before the other seat was asked"


def secrets_kept(scenario: str, by: str) -> Iterator[tuple[bool, bool]]:
    """Takes different answers in copies of a battle. Where the umpire's battle then differs and what the other seat may
    know does not, the difference is a secret, and what the other seat is shown must be the same to the bit."""
    battles = field(scenario, battles=2, by=by, answers=12)
    battles.begin(0, "1", 0)
    for _ in range(60):
        seat = battles.seat(0)
        if seat is None:
            return
        other = 1 - seat
        seen = []
        for answer in range(min(battles.count(0), 3)):
            battles.copy(0, 1)
            battles.take(1, answer)
            if (asked := battles.seat(1)) is not None:
                seen.append((asked, battles.hash(1), battles.view(1, other), bits(battles.observe(1, other))))
        for n, (asked, state, view, shown) in enumerate(seen):
            for asked_2, state_2, view_2, shown_2 in seen[:n]:
                if state != state_2 and asked == asked_2 and view == view_2:
                    assert shown == shown_2, f"{scenario}: a secret of seat {seat} shows"
                    yield True, asked == other
        battles.take(0, battles.count(0) // 2)


@pytest.mark.parametrize("by", ["proposals", "candidates"])
@pytest.mark.parametrize("owner", [0, 1])
def test_an_army_bought_in_secret_changes_no_bit_for_the_other_seat(owner: int, by: str) -> None:
    """Two battles of an encounter that differ in the army one side buys: the other seat is shown the same while it buys its
    own, while the ground is diced and paid for, and while it deploys, until it sees the troops themselves."""
    alike = {kind: 0 for kind in ("army", "cinc_counter", "deploy")}
    for seed in range(8):
        for kind in armies_kept_secret(owner, by, str(seed)):
            alike[kind] = alike.get(kind, 0) + 1
    assert alike["cinc_counter"] >= 8, alike
    # Who asks for any legal answers is offered few places for his troops, and the others' generals not at all.
    assert alike["deploy"] > (20 if by == "proposals" else 2), alike
    assert owner == 1 or alike["army"] >= 8, "who buys second buys without knowing"


def armies_kept_secret(owner: int, by: str, seed: str) -> Iterator[str]:
    """What the other seat was asked, each time it was shown the same of both battles."""
    battles = field("seven-years-war/a-chance-encounter", battles=2, by=by, answers=24)
    for place in (0, 1):
        battles.begin(place, seed, 0)
    other, bought = 1 - owner, False
    for n in range(60):
        asked = battles.seat(0)
        assert asked == battles.seat(1) and asked is not None
        one, two = battles.view(0, other), battles.view(1, other)
        assert one == two, f"seed {seed}, step {n}: the army shows in the view"
        assert bits(battles.observe(0, other)) == bits(battles.observe(1, other)), f"seed {seed}, step {n}: the army shows"
        kind = one["pending"]["decision"]["kind"]
        if asked == other:
            if bought:
                yield kind
            # Who deploys leaves the rest to the umpire only when there is nothing else.
            ways = [k for k in range(battles.count(0)) if kind != "deploy" or battles.answer(0, k) != "done"] or [0]
            chosen = ways[n % len(ways)]
            for place in (0, 1):
                battles.take(place, chosen)
            continue
        answers = [[battles.answer(place, k) for k in range(battles.count(place))] for place in (0, 1)]
        if kind == "army":
            for place, army in enumerate(other_armies(owner)):
                battles.apply(place, {"enlist": army})
            bought = True
            continue
        if kind == "deploy":
            # Generals and the first battalion are the same in both; other troops would be seen.
            common = [
                answer
                for answer in answers[0]
                if isinstance(answer, dict)
                and ("deploy_general" in answer or answer.get("deploy", {}).get("unit") == ("p1", "a1")[owner])
                and answer in answers[1]
            ]
        else:
            common = [answer for answer in answers[0] if answer in answers[1]]
        if not common:
            return
        # No ground is bought for troops: there are others to give up.
        answer = "done" if kind == "ground" else common[0]
        for place in (0, 1):
            battles.take(place, answers[place].index(answer))


def other_armies(owner: int) -> tuple[Any, Any]:
    """Two armies of a side that tell the same before they are seen: as many sub-generals, who get their counters openly
    (SYW-GEN-01), and no light horse, which weighs in the initiative (SYW-DEPLOY-03)."""
    nation, letter = (("prussian", "P"), ("austrian", "A"))[owner]

    def army(*codes: str) -> Any:
        units = [{"code": f"{letter}-{code}", "command": 1 + n % 2} for n, code in enumerate(codes)]
        return {"nation": nation, "sub_generals": 2, "units": units}

    # The first battalion is in both, so that it may be seen.
    return army("MUS", "MUS", "GREN", "DRAG", "MART", "LART"), army("MUS", "KUR", "GREN", "JAG", "HOW", "HART", "MUS")


def test_promise_is_shown_only_if_asked_for() -> None:
    promise = COLUMNS["answers"].index("promise")
    shown, kept = field("the-disputed-valley"), field("the-disputed-valley", promise=False)
    for battles in (shown, kept):
        battles.begin(0, "1", 0)
    assert shown.observe(0, shown.seat(0))["answers"][:, promise].any()
    assert not kept.observe(0, kept.seat(0))["answers"][:, promise].any()
    assert shown.advised(0) == kept.advised(0)


def test_advice_is_what_a_subaltern_would_do() -> None:
    battles, battle = field("the-disputed-valley"), tricorne.battle("the-disputed-valley", seed=6)
    battles.begin(0, "6", 0)
    for _ in range(60):
        advised = battles.answer(0, battles.advised(0))
        assert advised in [c["action"] for c in battle.think("subaltern")["candidates"]]
        battle.apply(advised)
        battles.take(0, battles.advised(0))
        assert battle.hash == battles.hash(0)


def test_what_can_not_be_is_refused() -> None:
    for wrong, why in [
        ({"units": 2}, "give units = "),
        ({"answers": 0}, "from 1 to"),
        ({"by": "whim"}, "proposals"),
        ({"side": 3}, "it is 0, 1"),
        ({"against": "marshal"}, "there is no player"),
        ({"battles": 0}, "from 1 to"),
    ]:
        with pytest.raises(tricorne.BadRequest, match=why):
            field("crossing-the-veld", **{"battles": 1, **wrong})
