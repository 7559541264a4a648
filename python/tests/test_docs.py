"""What the documentation shows is so: the examples in docstrings, and the Python in the book."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
import tricorne
from conftest import ROOT
from tricorne import lab

BLOCKS = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("module", [tricorne, lab], ids=lambda module: module.__name__)
def test_docstrings(module: object) -> None:
    found = doctest.testmod(module, verbose=False)  # type: ignore[arg-type]
    assert found.attempted > 0 and found.failed == 0


def test_the_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCKS.findall((ROOT / "docs" / "python.md").read_text(encoding="utf-8"))
    assert len(blocks) >= 3
    for block in blocks:
        # The same, with fewer battles.
        fewer = re.sub(r"battles=\d+", "battles=4", block).replace("handicap=100", "handicap=1")
        fewer = fewer.replace('"general:100it"', '"general:1it"').replace('"general:1it"])', '"general:1it"], battles=2)')
        exec(compile(fewer, "docs/python.md", "exec"), {})
