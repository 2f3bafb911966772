from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import perturbql
from perturbql.command import option_words
from perturbql.errors import error_of
from perturbql.runtime import find_node, program


def test_options_become_flags() -> None:
    words = option_words({"float_tolerance": 0.5, "out": Path("RUN"), "json": True, "strict": False, "train": None})
    assert words == ["--float-tolerance", "0.5", "--out", "RUN", "--json"]
    assert option_words({"set": ["a.b=1", "c.d=2"]}) == ["--set", "a.b=1", "--set", "c.d=2"]


def test_error_has_cause_and_fix() -> None:
    error = error_of(2, ["error: gold.sql, line 3: no tab", "  cause: odd", "  fix: Put one there."])
    assert isinstance(error, perturbql.PerturbqlError)
    assert (error.message, error.cause, error.fix) == ("gold.sql, line 3: no tab", "odd", "Put one there.")
    assert isinstance(error_of(3, []), perturbql.ChecksFailedError)
    assert isinstance(error_of(1, ["fault"]), perturbql.PerturbqlFault)


def test_missing_file_names_the_fix(tmp_path: Path) -> None:
    with pytest.raises(perturbql.PerturbqlError) as caught:
        perturbql.evaluate(gold=tmp_path / "none.sql", predictions=tmp_path / "none.sql", tables=tmp_path / "t.json")
    assert "none.sql" in str(caught.value) or "t.json" in str(caught.value)
    assert caught.value.fix


def test_old_node_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v16.0.0\n")
    old.chmod(0o755)
    monkeypatch.setenv("PERTURBQL_NODE", str(old))
    find_node.cache_clear()
    with pytest.raises(perturbql.PerturbqlError, match="16"):
        find_node()
    find_node.cache_clear()


def test_same_report_as_the_command_line(inputs: dict[str, Any], examples: Path) -> None:
    gold, predictions = examples / "gold.sql", examples / "pred.sql"
    words = ["--gold", gold, "--predictions", predictions, "--tables", examples / "tables.json", "--json"]
    said = subprocess.run(
        [find_node(), str(program()), "evaluate", *map(str, words)], capture_output=True, check=True, encoding="utf-8"
    )
    result = perturbql.evaluate(gold=gold, predictions=predictions, tables=examples / "tables.json")
    assert result.report == json.loads(said.stdout)
