"""Studies of many battles, as tables: the same rows as `tricorne lab` on the command line, byte for byte.

    >>> from tricorne import lab
    >>> study = lab.run("crossing-the-veld", players=("subaltern", "random"), battles=40)
    >>> study.summary["first_player"]["share"] > 0.5
    True

`on="ray"` fights the same battles on Ray: on a laptop's cores or a cluster, by the same line. Nothing in a row depends on
where it was fought. (A general by the clock, `general:100ms`, thinks as far as its machine lets it; `general:400it` plays
the same everywhere.)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import chosen, named
from . import rulesets as _rulesets
from ._tricorne import Ledger, Rows, Study
from ._tricorne import elo as _elo
from .errors import BadRequest, StudyFailed
from .tuning import Tuned, tune

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

__all__ = [
    "Balance",
    "Ladder",
    "Outcome",
    "Rows",
    "Study",
    "Sweep",
    "Tuned",
    "balance",
    "ladder",
    "run",
    "study",
    "sweep",
    "tune",
]

Progress = Callable[[int, int], None]
"""Called with the battles fought and the battles to fight."""


def study(
    scenario: str | os.PathLike[str],
    players: Sequence[str] = ("subaltern", "random"),
    battles: int = 100,
    seed: int | str = 1,
    options: Mapping[str, Any] | None = None,
    data: Mapping[str, str] | None = None,
) -> Study:
    """A study that has not been fought yet."""
    both = [players, players] if isinstance(players, str) else list(players)
    if len(both) == 1:
        both *= 2
    if len(both) != 2:
        raise BadRequest(f"a study has two players, not {len(both)}")
    name, text = named(scenario)
    return Study(name, text, both, battles, str(seed), chosen(options), dict(data or {}))


@dataclass
class Outcome:
    """What a study came to."""

    study: Study
    rows: Rows
    parts: list[Path] = field(default_factory=list)
    """Parquet parts, where rows were streamed to them; `rows` is then empty."""

    @property
    def summary(self) -> dict[str, Any]:
        """Shares with their intervals, turns, what decided it, losses."""
        self._held()
        return self.rows.summary()

    def csv(self) -> bytes:
        """The rows as `tricorne lab run --rows` writes them."""
        self._held()
        return self.rows.csv()

    def arrow(self) -> pa.Table:
        """A row for each battle."""
        if self.parts:
            import pyarrow.dataset as dataset

            return dataset.dataset([str(part) for part in self.parts]).to_table()
        return _table(self.rows)

    def arrow_units(self) -> pa.Table:
        """A row for each unit of each battle."""
        self._held()
        return _unit_table(self.rows)

    def pandas(self) -> pd.DataFrame:
        """A row for each battle."""
        return self.arrow().to_pandas()

    def pandas_units(self) -> pd.DataFrame:
        """A row for each unit of each battle."""
        return self.arrow_units().to_pandas()

    def polars(self) -> pl.DataFrame:
        """A row for each battle."""
        import polars as pl

        return pl.DataFrame(self.arrow())

    def _held(self) -> None:
        if self.parts:
            raise BadRequest("the rows are in Parquet parts; read them by arrow(), pandas() or polars()")

    def __len__(self) -> int:
        return self.arrow().num_rows if self.parts else len(self.rows)

    def _repr_html_(self) -> str:
        return str(self.pandas()._repr_html_())


def run(
    scenario: str | os.PathLike[str] | Study,
    players: Sequence[str] = ("subaltern", "random"),
    battles: int = 100,
    seed: int | str = 1,
    options: Mapping[str, Any] | None = None,
    data: Mapping[str, str] | None = None,
    *,
    on: str | None = None,
    rows: str | os.PathLike[str] | None = None,
    parts: str | os.PathLike[str] | None = None,
    resume: bool = False,
    batch: int | None = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> Outcome:
    """Fights a study.

    `on`: none for this process's threads, `"ray"` for a Ray cluster (the one `ray.init` has joined, or a new one on this
    machine). `rows`: a CSV file written as the battles end, the command line's own. `parts`: a folder that Parquet parts
    of `batch` battles are streamed to, so that no memory ever holds the study; on Ray with more than one machine it must
    be a folder that all of them share. `resume` goes on with either where a stopped study left it.
    """
    whole = scenario if isinstance(scenario, Study) else study(scenario, players, battles, seed, options, data)
    if rows is not None and parts is not None:
        raise BadRequest("rows go to one CSV file or to Parquet parts, not to both")
    if resume and rows is None and parts is None:
        raise BadRequest("resume goes on with a file: name it by rows= or parts=")
    size = batch or (10_000 if parts is not None else 64 if on == "ray" else 256)
    if size < 1:
        raise BadRequest(f"batch = {size}: it is 1 or more")
    if parts is not None:
        return _to_parts(whole, Path(parts), resume, size, on, threads, _shown(progress))
    kept = whole.no_rows()
    ledger = None
    if rows is not None:
        ledger, kept = Ledger.open(os.fspath(rows), whole, resume)
    tell = _shown(progress)
    for more in _fought(whole, len(kept), size, on, threads):
        if ledger is not None:
            ledger.add(more)
        kept.extend(more)
        tell(len(kept), whole.battles)
    return Outcome(whole, kept)


@dataclass
class Sweep:
    """One thing varied: each value with what it came to. Every value met the same seeds."""

    vary: str
    outcomes: dict[str, Outcome]

    def pandas(self) -> pd.DataFrame:
        """A row for each value: the first player's and the first side's share with their intervals, turns."""
        import pandas as pd

        lines = []
        first: list[float] | None = None
        for value, outcome in self.outcomes.items():
            sums = outcome.summary
            scores = outcome.rows.scores()
            first = scores if first is None else first
            lines.append(
                {
                    "value": value,
                    "battles": sums["battles"],
                    **_share("first_player", sums["first_player"]),
                    **_share("first_side", sums["first_side"]),
                    "turns": sums["turns"]["mean"],
                    "change": sum(scores) / len(scores) - sum(first) / len(first),
                    "went_differently": sum(a != b for a, b in zip(scores, first, strict=False)),
                }
            )
        return pd.DataFrame(lines)

    def _repr_html_(self) -> str:
        return str(self.pandas()._repr_html_())


def sweep(
    scenario: str | os.PathLike[str],
    vary: str,
    players: Sequence[str] = ("subaltern", "random"),
    battles: int = 100,
    seed: int | str = 1,
    options: Mapping[str, Any] | None = None,
    data: Mapping[str, str] | None = None,
    *,
    on: str | None = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> Sweep:
    """Varies one thing, written as for `tricorne lab sweep --vary`: `army_break_percent=30,40,50`."""
    base = study(scenario, players, battles, seed, options, data)
    values = base.varied(vary)
    fought = _several([each for _, each in values], on, threads, _shown(progress))
    return Sweep(vary, {value: outcome for (value, _), outcome in zip(values, fought, strict=True)})


@dataclass
class Ladder:
    """All players against each other on one scenario."""

    scenario: str
    players: list[str]
    elo: list[dict[str, float]]
    matches: list[dict[str, Any]]

    def pandas(self) -> pd.DataFrame:
        """A row for each player, the strongest first."""
        import pandas as pd

        lines = [{"player": player, **elo} for player, elo in zip(self.players, self.elo, strict=True)]
        return pd.DataFrame(lines).sort_values("points", ascending=False, ignore_index=True)

    def _repr_html_(self) -> str:
        return str(self.pandas()._repr_html_())


def ladder(
    scenario: str | os.PathLike[str],
    players: Sequence[str] = ("random", "subaltern"),
    battles: int = 100,
    seed: int | str = 1,
    options: Mapping[str, Any] | None = None,
    *,
    on: str | None = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> Ladder:
    """All players against each other, sides swapped every other battle, as `tricorne lab ladder` does it."""
    names = list(players)
    if len(names) < 2 or len(set(names)) < len(names):
        raise BadRequest("a ladder needs two players or more, each named once")
    pairs = [(a, b) for a in range(len(names)) for b in range(a)]
    studies = [study(scenario, (names[a], names[b]), battles, seed, options) for a, b in pairs]
    fought = _several(studies, on, threads, _shown(progress))
    found = _elo(len(names), [(a, b, o.rows.scores()) for (a, b), o in zip(pairs, fought, strict=True)])
    return Ladder(os.fspath(scenario), names, found["elo"], found["matches"])


@dataclass
class Balance:
    """How even scenarios are between equal players."""

    outcomes: dict[str, Outcome]
    handicaps: dict[str, list[dict[str, Any]]]
    """What leaving a unit at home would do, the most even first, where a scenario is worse than 40:60."""

    def pandas(self) -> pd.DataFrame:
        """A row for each scenario: the share of the side listed first."""
        import pandas as pd

        lines = []
        for name, outcome in self.outcomes.items():
            sums = outcome.summary
            share = sums["first_side"]["share"]
            sides = outcome.study.sides
            favoured = sides[0] if share > 0.6 else sides[1] if share < 0.4 else None
            lines.append(
                {
                    "scenario": name,
                    "ruleset": outcome.study.ruleset,
                    "battles": sums["battles"],
                    "drawn": sums["drawn"],
                    **_share("first_side", sums["first_side"]),
                    "turns": sums["turns"]["mean"],
                    "favoured": favoured,
                }
            )
        return pd.DataFrame(lines)

    def _repr_html_(self) -> str:
        return str(self.pandas()._repr_html_())


def balance(
    scenarios: Sequence[str] | None = None,
    player: str = "subaltern",
    battles: int = 100,
    seed: int | str = 1,
    options: Mapping[str, Any] | None = None,
    handicap: int = 0,
    *,
    on: str | None = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> Balance:
    """How even the scenarios are (all shipped ones if none is named), as `tricorne lab balance` does it."""
    names = list(scenarios or [f"{r['id']}/{s}" for r in _rulesets() for s in r["scenarios"]])
    studies = [study(name, (player, player), battles, seed, options) for name in names]
    outcomes = dict(zip(names, _several(studies, on, threads, _shown(progress)), strict=True))
    effects: dict[str, list[dict[str, Any]]] = {}
    for name, outcome in outcomes.items():
        share = outcome.summary["first_side"]["share"]
        if not handicap or 0.4 <= share <= 0.6:
            continue
        lesser = outcome.study.handicaps(0 if share > 0.6 else 1)
        fought = _several([each.of(handicap) for _, _, each in lesser], on, threads, _shown(progress))
        effects[name] = sorted(
            (
                {"without": units, "names": called, "first_side": o.summary["first_side"]}
                for (units, called, _), o in zip(lesser, fought, strict=True)
            ),
            key=lambda effect: abs(effect["first_side"]["share"] - 0.5),
        )
    return Balance(outcomes, effects)


# ---------------------------------------------------------------------------------------------------------- batches


def _fought(whole: Study, first: int, size: int, on: str | None, threads: int | None) -> Iterator[Rows]:
    """Rows from battle `first` on, batch by batch, in order."""
    batches = [(at, min(size, whole.battles - at)) for at in range(first, whole.battles, size)]
    if on is None:
        cores = threads or os.cpu_count() or 1
        yield from (whole.fight(at, count, cores) for at, count in batches)
    elif on == "ray":
        from . import on_ray

        yield from on_ray.in_order([(whole, at, count) for at, count in batches])
    else:
        raise BadRequest(f'on = {on!r}: it is None or "ray"')


def _several(studies: Sequence[Study], on: str | None, threads: int | None, tell: Progress) -> list[Outcome]:
    """Studies one after another, or all at once where a cluster has room."""
    kept = [Outcome(each, each.no_rows()) for each in studies]
    battles, done = sum(each.battles for each in studies), 0
    if on == "ray":
        from . import on_ray

        lots = [(n, at) for n, each in enumerate(studies) for at in range(0, each.battles, 64)]
        jobs = [(studies[n], at, min(64, studies[n].battles - at)) for n, at in lots]
        fought: Iterator[tuple[int, Rows]] = zip((n for n, _ in lots), on_ray.in_order(jobs), strict=True)
    else:
        fought = ((n, rows) for n, each in enumerate(studies) for rows in _fought(each, 0, 256, on, threads))
    for n, rows in fought:
        kept[n].rows.extend(rows)
        done += len(rows)
        tell(done, battles)
    return kept


# ------------------------------------------------------------------------------------------------------------ parts


def part_name(first: int, count: int) -> str:
    """The name of a part: which battles are in it, so that none is fought twice or left out."""
    return f"battles-{first:012}-{count}.parquet"


def write_part(folder: Path, rows: Rows, first: int, count: int) -> str:
    """Writes a part whole or not at all: under another name first, for a machine may die while it writes."""
    import pyarrow.parquet as parquet

    path = folder / part_name(first, count)
    draft = folder / f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}"
    parquet.write_table(_table(rows), draft, compression="snappy")
    os.replace(draft, path)
    return path.name


def _to_parts(
    whole: Study, folder: Path, resume: bool, size: int, on: str | None, threads: int | None, tell: Progress
) -> Outcome:
    import pyarrow.parquet as parquet

    folder.mkdir(parents=True, exist_ok=True)
    there = sorted(folder.glob("battles-*.parquet"))
    if there and not resume:
        raise StudyFailed(f"{folder}: has parts already; go on with them by resume=True, or choose another folder")
    lots = [(at, min(size, whole.battles - at)) for at in range(0, whole.battles, size)]
    names = {part_name(*lot): lot for lot in lots}
    for path in there:
        lot = names.get(path.name)
        if lot is None:
            raise StudyFailed(f"{path}: is no part of this study in batches of {size}; resume with the same batch")
        file = parquet.ParquetFile(path)
        digest = (file.schema_arrow.metadata or {}).get(b"tricorne.study", b"").decode()
        if digest != whole.digest or file.metadata.num_rows != lot[1]:
            raise StudyFailed(f"{path}: belongs to another study ({digest} and not {whole.digest})")
    kept = {path.name for path in there}
    missing = [lot for lot in lots if part_name(*lot) not in kept]
    done = whole.battles - sum(count for _, count in missing)
    tell(done, whole.battles)
    if on is None:
        cores = threads or os.cpu_count() or 1
        for at, count in missing:
            write_part(folder, whole.fight(at, count, cores), at, count)
            done += count
            tell(done, whole.battles)
    elif on == "ray":
        from . import on_ray

        for count in on_ray.to_parts(whole, folder.resolve(), missing):
            done += count
            tell(done, whole.battles)
    else:
        raise BadRequest(f'on = {on!r}: it is None or "ray"')
    return Outcome(whole, whole.no_rows(), [folder / part_name(*lot) for lot in lots])


# ----------------------------------------------------------------------------------------------------------- tables


def _table(rows: Rows) -> pa.Table:
    import pyarrow as pa

    text, whole, real = pa.string(), pa.int64(), pa.float64()
    kinds = dict.fromkeys(("study", "seed", "player_1", "player_2", "grade", "clause", "reason"), text)
    kinds |= dict.fromkeys(("battle", "winner", "won_by", "turns", "decisions"), whole)
    kinds |= {"score_1": real, "score_2": real}
    return _of(rows, rows.columns(), kinds)


def _unit_table(rows: Rows) -> pa.Table:
    import pyarrow as pa

    kinds = {"study": pa.string(), "battle": pa.int64(), "unit": pa.string(), "side": pa.int64()}
    kinds |= {"strength": pa.int64(), "lost": pa.int64(), "on_table": pa.bool_(), "marched_off": pa.bool_()}
    return _of(rows, rows.unit_columns(), kinds)


def _of(rows: Rows, columns: dict[str, list[Any]], kinds: dict[str, Any]) -> pa.Table:
    import pyarrow as pa

    schema = pa.schema([(name, kinds[name]) for name in columns], metadata={"tricorne.study": rows.digest})
    return pa.table(columns, schema=schema)


def _share(name: str, share: Mapping[str, float]) -> dict[str, float]:
    return {name: share["share"], f"{name}_low": share["low"], f"{name}_high": share["high"]}


def _shown(progress: bool | Progress | None) -> Progress:
    if callable(progress):
        return progress
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return lambda done, battles: None

    def tell(done: int, battles: int) -> None:
        end = "\n" if done >= battles else ""
        print(f"\r{done:,} of {battles:,} battles", end=end, file=sys.stderr, flush=True)

    return tell
