from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import perturbql


def test_evaluate_gives_scores_and_verdicts(inputs: dict[str, Any], examples: Path) -> None:
    steps: list[perturbql.Progress] = []
    options = {name: value for name, value in inputs.items() if name != "examples"}
    result = perturbql.evaluate(
        gold=examples / "gold.sql", predictions=examples / "pred.sql", on_progress=steps.append, **options
    )
    assert len(result.verdicts) == 30
    correct = sum(verdict.outcomes["exact"] == "correct" for verdict in result.verdicts)
    assert result.accuracy("exact") == pytest.approx(correct / 30)
    assert steps[-1].done == steps[-1].total == 30


def test_candidates_are_those_of_the_file(drawn: perturbql.Run[perturbql.Candidate]) -> None:
    lines = (drawn.folder / "candidates.jsonl").read_text("utf-8").splitlines()
    assert len(drawn) == len(lines) > 0
    assert {candidate.bucket for candidate in drawn} <= {"RPL", "ADD", "rejected"}


def test_compose_and_mutate(inputs: dict[str, Any], tmp_path: Path) -> None:
    composed = perturbql.compose(out=tmp_path / "composed", budget=2, **inputs)
    assert 0 < len(composed) <= 2
    assert all(each.query.upper().startswith("SELECT") for each in composed)
    mutants = perturbql.mutate(out=tmp_path / "mutants", relations="TS,CS", limit=1, guard=None, **inputs)
    assert {relation for mutant in mutants for relation in mutant.relations} <= {"TS", "CS"}


def test_augment_loads_its_splits(
    inputs: dict[str, Any], drawn: perturbql.Run[perturbql.Candidate], tmp_path: Path
) -> None:
    pytest.importorskip("datasets")
    loaded = perturbql.augment(out=tmp_path / "RUN", candidates=drawn.folder, materialize="none", **inputs)
    assert {"original", "rpl", "add"} <= set(loaded)
    assert loaded["original"].num_rows == 30


def test_frames(drawn: perturbql.Run[perturbql.Candidate]) -> None:
    pytest.importorskip("pandas")
    assert len(drawn.to_pandas()) == len(drawn)
