from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import perturbql
from perturbql.runtime import find_node
from perturbql.runtime import program as main_file


def test_the_module_is_the_command_line() -> None:
    words = ["list", "--json"]
    ours = subprocess.run([sys.executable, "-m", "perturbql", *words], capture_output=True)
    theirs = subprocess.run([find_node(), str(main_file()), *words], capture_output=True)
    assert (ours.returncode, ours.stdout) == (theirs.returncode, theirs.stdout)


def test_a_published_folder_is_what_datasets_loads(
    inputs: dict[str, Any],
    tmp_path: Path,
    drawn: perturbql.Run[perturbql.Candidate],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    datasets = pytest.importorskip("datasets")
    program = [sys.executable, "-m", "perturbql", "--quiet"]
    data = [word for name, path in inputs.items() for word in (f"--{name}", str(path))]
    run, folder = str(tmp_path / "RUN"), str(tmp_path / "DATASET")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    augment = ["augment", *data, "--candidates", str(drawn.folder), "--materialize", "none", "--out", run]
    subprocess.run([*program, *augment], check=True)
    subprocess.run([*program, "publish-dataset", run, "--license", "mit", "--to", folder], check=True)
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    everything = datasets.load_dataset(folder)
    assert set(everything) == {"validation"}
    parts = [datasets.load_dataset(folder, name)["validation"] for name in ("original", "rpl", "add")]
    assert everything["validation"].num_rows == sum(part.num_rows for part in parts)
    assert parts[0].num_rows == 30
    assert set(parts[1]["kind"]) == {"RPL"}
