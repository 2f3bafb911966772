"""The packaged examples, and a run of candidates that needs no model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import perturbql
from perturbql.runtime import program

EXAMPLES = program().parents[2] / "examples"


@pytest.fixture(scope="session")
def inputs() -> dict[str, Any]:
    return {"tables": EXAMPLES / "tables.json", "examples": EXAMPLES / "dev.json", "databases": EXAMPLES / "database"}


@pytest.fixture(scope="session")
def drawn(inputs: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> perturbql.Run[perturbql.Candidate]:
    return perturbql.candidates(out=tmp_path_factory.mktemp("runs") / "RUN", recipe="random", **inputs)


@pytest.fixture(scope="session")
def examples() -> Path:
    return EXAMPLES
