"""Studies: the rows of the command line, byte for byte, and gone on with where they were stopped."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path

import pandas
import polars
import pyarrow.csv
import pytest
from conftest import MIRRORED
from tricorne import BadRequest, BadScenario, StudyFailed, lab

VELD = "crossing-the-veld"


@pytest.mark.parametrize("ruleset", sorted(MIRRORED))
def test_rows_are_the_command_lines_byte_for_byte(ruleset: str, tmp_path: Path, command_line: str) -> None:
    scenario = f"{ruleset}/{MIRRORED[ruleset]}"
    theirs, units = tmp_path / "theirs.csv", tmp_path / "units.csv"
    command = [command_line, "lab", "run", scenario, "--players", "subaltern,random", "--battles", "6", "--seed", "4"]
    subprocess.run([*command, "--rows", str(theirs), "--units", str(units)], check=True, capture_output=True)
    mine = tmp_path / "mine.csv"
    outcome = lab.run(scenario, ("subaltern", "random"), 6, 4, rows=mine, batch=4)
    assert mine.read_bytes() == theirs.read_bytes() == outcome.csv()
    assert outcome.rows.units_csv() == units.read_bytes()


def test_options_count_as_on_the_command_line(tmp_path: Path, command_line: str) -> None:
    theirs = tmp_path / "theirs.csv"
    subprocess.run(
        [command_line, "lab", "run", VELD, "--battles", "3", "--option", "leadership_source=fixed", "--rows", theirs],
        check=True,
        capture_output=True,
    )
    assert lab.run(VELD, battles=3, options={"leadership_source": "fixed"}).csv() == theirs.read_bytes()


def test_frames_have_the_rows() -> None:
    outcome = lab.run(VELD, battles=12)
    table, frame, other = outcome.arrow(), outcome.pandas(), outcome.polars()
    assert isinstance(frame, pandas.DataFrame) and isinstance(other, polars.DataFrame)
    assert table.num_rows == len(frame) == other.height == len(outcome) == 12
    # What a reader makes of the CSV is what the table has.
    read = pyarrow.csv.read_csv(pyarrow.py_buffer(outcome.csv())).drop_columns(["units"])
    assert read.column_names == table.column_names
    for name in ("battle", "turns", "decisions", "grade", "winner", "won_by"):
        assert read[name].to_pylist() == table[name].to_pylist(), name
    units = outcome.pandas_units()
    assert set(units["battle"]) == set(range(12)) and (units["lost"] <= units["strength"]).all()
    assert outcome.summary["battles"] == 12
    assert outcome.summary["won"][0] == (frame["won_by"] == 1).sum()


def test_a_stopped_study_is_gone_on_with(tmp_path: Path) -> None:
    path, whole = tmp_path / "a.csv", lab.run(VELD, battles=20)

    class Stopped(Exception):
        pass

    def stop(done: int, battles: int) -> None:
        if done >= 8:
            raise Stopped

    with pytest.raises(Stopped):
        lab.run(VELD, battles=20, rows=path, batch=4, progress=stop)
    kept = path.read_bytes()
    assert kept.count(b"\n") == 9 and whole.csv().startswith(kept)
    # Killed in the middle of a line.
    path.write_bytes(kept[:-30])
    with pytest.raises(StudyFailed, match="resume"):
        lab.run(VELD, battles=20, rows=path)
    assert len(lab.run(VELD, battles=20, rows=path, resume=True)) == 20
    assert path.read_bytes() == whole.csv()
    with pytest.raises(StudyFailed, match="another study"):
        lab.run(VELD, battles=20, seed=2, rows=path, resume=True)


def test_parts_are_streamed_and_gone_on_with(tmp_path: Path) -> None:
    whole, folder = lab.run(VELD, battles=22), tmp_path / "parts"
    seen: list[int] = []
    streamed = lab.run(VELD, battles=22, parts=folder, batch=5, progress=lambda done, _: seen.append(done))
    assert seen == [0, 5, 10, 15, 20, 22] and len(streamed.parts) == 5
    assert streamed.arrow().sort_by("battle").equals(whole.arrow())
    with pytest.raises(BadRequest, match="in Parquet parts"):
        streamed.csv()
    streamed.parts[1].unlink()
    (folder / ".battles-000000000010-5.parquet.draft").write_bytes(b"half a part")
    with pytest.raises(StudyFailed, match="resume=True"):
        lab.run(VELD, battles=22, parts=folder, batch=5)
    again = lab.run(VELD, battles=22, parts=folder, batch=5, resume=True)
    assert again.arrow().sort_by("battle").equals(whole.arrow())
    for wrong in ({"seed": 2, "batch": 5}, {"batch": 4}):
        with pytest.raises(StudyFailed, match="study"):
            lab.run(VELD, battles=22, parts=folder, resume=True, **wrong)  # type: ignore[arg-type]


def test_studies_and_rows_travel() -> None:
    study = lab.study(VELD, ("subaltern", "random"), 3, seed=9, options={"leadership_source": "fixed"})
    twin = pickle.loads(pickle.dumps(study))
    assert twin.digest == study.digest and twin.battles == 3
    rows = pickle.loads(pickle.dumps(study.fight(0, 2)))
    assert rows.csv() == twin.fight(0, 2, threads=2).csv()
    with pytest.raises(BadRequest, match="another study"):
        rows.extend(lab.study(VELD).no_rows())


def test_a_sweep_meets_the_same_seeds() -> None:
    swept = lab.sweep("kettle-brook", "army_break_percent=30,50", battles=6)
    frame = swept.pandas()
    assert list(frame["value"]) == ["30", "50"] and frame["change"][0] == 0
    one, two = (outcome.pandas() for outcome in swept.outcomes.values())
    assert list(one["seed"]) == list(two["seed"]) and one["study"][0] != two["study"][0]


def test_a_ladder_ranks() -> None:
    ladder = lab.ladder("the-disputed-valley", ["random", "subaltern"], battles=10)
    assert list(ladder.pandas()["player"]) == ["subaltern", "random"]
    assert abs(sum(elo["points"] for elo in ladder.elo) / 2 - 1000) < 1


def test_balance_says_whom_a_scenario_favours() -> None:
    report = lab.balance(["the-bordj", "the-disputed-valley"], battles=10, handicap=2)
    frame = report.pandas()
    assert list(frame["scenario"]) == ["the-bordj", "the-disputed-valley"]
    for name, favoured in zip(frame["scenario"], frame["favoured"], strict=True):
        assert (name in report.handicaps) == isinstance(favoured, str)


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(BadScenario):
        lab.run("crossing-the-weld")
    with pytest.raises(BadRequest, match="two players"):
        lab.run(VELD, players=("a", "b", "c"))
    with pytest.raises(BadRequest, match="it is None"):
        lab.run(VELD, battles=1, on="the moon")
    with pytest.raises(BadRequest, match="at least one"):
        lab.run(VELD, battles=0)
    with pytest.raises(BadRequest, match="not to both"):
        lab.run(VELD, battles=1, rows="a.csv", parts="b")
