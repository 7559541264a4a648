"""The way from battle to gradient, whole, at toy size."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from conftest import ROOT

torch = pytest.importorskip("torch", reason="TRICORNE_FULL=1 scripts/python-tests installs it")


def test_a_policy_learns_to_answer_as_a_subaltern(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("learn", ROOT / "examples" / "learn.py")
    assert spec and spec.loader
    learn = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(learn)
    words = "--scenario the-bordj --imitate 60 --reinforce 2 --battles 16 --trial 4 --points 1"
    plot, keep = tmp_path / "curve.svg", tmp_path / "weights.pt"
    curve = learn.main([*words.split(), "--plot", str(plot), "--keep", str(keep)])
    assert [point["steps"] for point in curve] == [0, 60, 62]
    # By chance it would be alike about once in as many times as there are answers, some five.
    assert curve[1]["as_a_subaltern"] > 0.5
    assert plot.read_text().lstrip().startswith("<?xml")
    weights = torch.load(keep)
    fresh = learn.Policy().state_dict()
    assert any(not torch.equal(weights[name], fresh[name]) for name in fresh)
