"""Horse-and-musket battles: the table and the umpire, for Python.

    >>> import tricorne
    >>> battle = tricorne.battle("crossing-the-veld", seed=7)
    >>> battle.pending["decision"]["kind"]
    'pick_unit'

`tricorne.envs` has the environments for learning, `tricorne.lab` the studies of many battles.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import errors
from ._tricorne import Battle, rules, rulesets, scenario_text, schema
from .errors import (
    BadJournal,
    BadRequest,
    BadScenario,
    Illegal,
    Malformed,
    NotYours,
    Over,
    Refused,
    StudyFailed,
    TricorneError,
)
from .replay import Replay

__all__ = [
    "BadJournal",
    "BadRequest",
    "BadScenario",
    "Battle",
    "Illegal",
    "Malformed",
    "NotYours",
    "Over",
    "Refused",
    "Replay",
    "StudyFailed",
    "TricorneError",
    "battle",
    "errors",
    "load",
    "rules",
    "rulesets",
    "scenario_text",
    "schema",
]


def battle(
    scenario: str | os.PathLike[str],
    seed: int | str = 1,
    options: Mapping[str, Any] | None = None,
    data: Mapping[str, str] | None = None,
) -> Battle:
    """Begins a battle.

    `scenario` is the id of a shipped scenario (`crossing-the-veld`, or `would-be-kings/crossing-the-veld`), the path of
    a scenario file, or the text of one. The same scenario, seed and options bring the same dice. `options` are house
    rules by name, `data` replaces data files of the rulebook by name.
    """
    name, text = named(scenario)
    return Battle.begin(name, text, str(seed), chosen(options), dict(data or {}))


def load(journal: str | bytes | os.PathLike[str], at: int | None = None) -> Battle:
    """The battle of a journal, a file's path or its text, after its first `at` actions or after all of them.

    Every hash on the way is verified.
    """
    if isinstance(journal, os.PathLike) or (isinstance(journal, str) and not journal.lstrip().startswith("{")):
        journal = Path(journal).read_bytes()
    return Battle.load(journal.encode() if isinstance(journal, str) else journal, at)


def named(scenario: str | os.PathLike[str]) -> tuple[str, str | None]:
    """A scenario's name, and its text unless it is a shipped one."""
    if isinstance(scenario, str) and "\n" in scenario:
        return "scenario", scenario
    name = os.fspath(scenario)
    if isinstance(scenario, os.PathLike) or os.path.isfile(name):
        return name, Path(name).read_text(encoding="utf-8")
    return name, None


def chosen(options: Mapping[str, Any] | None) -> dict[str, str]:
    """Options as text; what `True` and `False` mean, each option of the rulebook knows."""
    return {name: str(value) for name, value in (options or {}).items()}
