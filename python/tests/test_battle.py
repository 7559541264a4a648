"""A battle in Python: asked, answered, refused, told, drawn, kept."""

from __future__ import annotations

import copy
import subprocess
from pathlib import Path

import pytest
import tricorne

VELD = "crossing-the-veld"


def test_the_wheel_has_all_four_systems() -> None:
    systems = {system["id"]: system for system in tricorne.rulesets()}
    assert set(systems) == {"would-be-kings", "all-the-kings-men", "von-futsch", "seven-years-war"}
    for system in systems.values():
        assert system["scenarios"] and system["options"]
        assert tricorne.rules(system["id"])
        assert set(tricorne.schema(system["id"])) == {"action", "scenario"}


def test_every_scenario_begins_and_is_drawn() -> None:
    for system in tricorne.rulesets():
        for name in system["scenarios"]:
            battle = tricorne.battle(f"{system['id']}/{name}", seed=3)
            assert battle.ruleset == system["id"] and battle.seat in (0, 1, 2, 3, 4, 5)
            assert battle._repr_svg_().startswith("<svg")


def test_a_battle_is_fought_to_its_end(scenario: str) -> None:
    battle = tricorne.battle(scenario, seed=5)
    taken = 0
    while not battle.over:
        decision = battle.pending["decision"]
        assert decision["seat"] == battle.seat
        action = battle.sample(seed=taken)
        assert battle.check(action) is None
        battle.apply(action)
        taken += 1
    assert battle.actions == taken
    assert battle.ending["reason"] and battle.pending["over"] == battle.ending
    assert len(battle.story()) > 10
    with pytest.raises(tricorne.Over):
        battle.sample()


def test_the_same_seed_brings_the_same_battle() -> None:
    def final(seed: int) -> str:
        battle = tricorne.battle(VELD, seed=seed)
        battle.play(["subaltern", "random"], seed=seed)
        assert battle.over
        return battle.hash

    assert final(4) == final(4) != final(5)


def test_what_is_refused_names_its_clause_and_changes_nothing() -> None:
    battle = tricorne.battle(VELD, seed=7)
    before = battle.hash
    with pytest.raises(tricorne.Illegal) as refused:
        battle.apply("follow_up")
    assert refused.value.clause.startswith("WBK-") and refused.value.clause in str(refused.value)
    assert tricorne.rules("would-be-kings", refused.value.clause)["id"] == refused.value.clause
    with pytest.raises(tricorne.Malformed):
        battle.check({"charge_the_moon": 1})
    other = 1 - battle.seat
    with pytest.raises(tricorne.NotYours) as theirs:
        battle.apply(battle.sample(), seat=other)
    assert theirs.value.pending == battle.seat and theirs.value.asked == other
    with pytest.raises(TypeError, match="nothing an answer is made of"):
        battle.check(object())
    assert battle.hash == before and battle.actions == 0


def test_a_list_that_holds_itself_is_refused() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(TypeError, match="holds? itself"):
        tricorne.battle(VELD).check(endless)


def test_wrong_scenarios_say_where_and_what() -> None:
    with pytest.raises(tricorne.BadScenario, match="crossing-the-veld"):
        tricorne.battle("crossing-the-weld")
    text = tricorne.scenario_text(VELD).replace('ruleset = "would-be-kings"', 'ruleset = "would-be-king"')
    with pytest.raises(tricorne.BadScenario) as wrong:
        tricorne.battle(text)
    assert wrong.value.line and wrong.value.place == "ruleset"
    with pytest.raises(tricorne.BadRequest, match="there is no option"):
        tricorne.battle(VELD, options={"leadership_sauce": "fixed"})
    with pytest.raises(tricorne.BadRequest, match="there is no player"):
        tricorne.battle(VELD).think("marshal")


def test_a_scenario_of_ones_own_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(tricorne.scenario_text(VELD))
    mine, shipped = tricorne.battle(path, seed=2), tricorne.battle(VELD, seed=2)
    assert mine.hash == shipped.hash
    assert tricorne.battle(VELD, seed=2, options={"leadership_source": "fixed"}).hash != shipped.hash


def test_odds_add_up_and_previews_cost() -> None:
    battle = tricorne.battle(VELD, seed=7)
    while not battle.over:
        for action in battle.legal()["listed"]:
            odds = battle.odds(action)
            assert abs(sum(way["chance"] for way in odds["ways"]) - 1) < 1e-9
            assert set(battle.preview(action)) >= {"cost", "allowance", "overlays", "notes"}
        if battle.actions == 12:
            break
        battle.apply(battle.think("subaltern")["action"])
    assert battle.actions == 12


def test_thoughts_are_told() -> None:
    battle = tricorne.battle(VELD, seed=7)
    thought = battle.think("general:20it")
    assert thought["tries"] >= 20 and thought["candidates"][0]["action"] == thought["action"]
    battle.check(thought["action"])


def test_a_clone_goes_its_own_way() -> None:
    battle = tricorne.battle(VELD, seed=9)
    battle.play(["subaltern"], most=20)
    before, journal = battle.hash, battle.journal()
    for twin in (battle.clone(), copy.copy(battle), copy.deepcopy(battle)):
        assert twin.journal() == journal
        twin.play(["subaltern"], most=5)
        assert twin.actions == 25 and twin.hash != before
        assert battle.hash == before and battle.actions == 20
    # The dice to come are the same in both.
    one, two = battle.clone(), battle.clone()
    one.play(["random"], seed=3)
    two.play(["random"], seed=3)
    assert one.hash == two.hash
    battle.undo(0)
    assert battle.actions == 0


def test_a_journal_comes_back_and_the_command_line_verifies_it(tmp_path: Path, command_line: str) -> None:
    battle = tricorne.battle(VELD, seed=11)
    battle.play(["subaltern", "random"])
    path = tmp_path / "a.jsonl"
    path.write_text(battle.journal())
    assert tricorne.load(path).hash == battle.hash
    assert tricorne.load(battle.journal(), at=10).actions == 10
    subprocess.run([command_line, "replay", str(path)], check=True, capture_output=True)
    with pytest.raises(tricorne.BadJournal):
        tricorne.load(battle.journal()[:-200])
    with pytest.raises(tricorne.BadJournal):
        tricorne.load(battle.journal().replace("activate", "activat", 1))


def test_a_battle_without_names_of_its_seat_is_refused() -> None:
    battle = tricorne.battle(VELD)
    with pytest.raises(tricorne.BadRequest, match="seats are 0 to 1"):
        battle.view(7)
    with pytest.raises(tricorne.BadRequest, match="pixels wide"):
        battle.picture(width=3)


def test_a_replay_can_be_scrubbed() -> None:
    battle = tricorne.battle(VELD, seed=11)
    battle.play(["subaltern", "random"], most=30)
    replay = tricorne.Replay(battle, most=6)
    page = replay._repr_html_()
    assert len(replay) == 6 and page.count("<figure") == 6 and page.count(" hidden") == 5
    assert [n for n, _, _ in replay.frames] == [0, 6, 12, 18, 24, 30]
    assert 'type="range"' in page and 'max="5"' in page
    assert len(tricorne.Replay(tricorne.battle(VELD))) == 1
