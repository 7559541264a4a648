"""What several tests need."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

MIRRORED = {
    "would-be-kings": "the-disputed-valley",
    "all-the-kings-men": "the-parade-ground",
    "von-futsch": "the-two-millers",
    "seven-years-war": "manoeuvres-at-spandau",
}
"""A scenario of each rule system."""


@pytest.fixture(scope="session")
def command_line() -> str:
    """The binary that rows are compared with: TRICORNE, or the one that the Rust tests have built."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    found = os.environ.get("TRICORNE") or shutil.which("tricorne") or str(target / "debug" / "tricorne")
    if not Path(found).is_file():
        pytest.fail(f"{found}: the command line is not built; `cargo build -p tricorne`, or name one by TRICORNE")
    return found


@pytest.fixture(params=sorted(MIRRORED))
def scenario(request: pytest.FixtureRequest) -> str:
    """A scenario of each rule system in turn."""
    return f"{request.param}/{MIRRORED[request.param]}"
