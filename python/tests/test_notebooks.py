"""The notebooks of the documentation, run from beginning to end."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT

nbclient = pytest.importorskip("nbclient", reason="scripts/python-tests installs it")
nbformat = pytest.importorskip("nbformat")

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert {path.stem for path in NOTEBOOKS} >= {"first-battle", "odds", "a-study", "a-bot"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        assert not cell.get("outputs"), f"{path.name} is kept without what it prints"
    nbclient.NotebookClient(
        notebook, timeout=None, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    if path.stem == "first-battle":
        shown = [out.get("data", {}) for cell in notebook.cells for out in cell.get("outputs", [])]
        assert any("image/svg+xml" in data for data in shown) and any("text/html" in data for data in shown)
