"""Measures how an exported judge tells names that readers take from those that they don't, on databases kept apart.

AUC of *yes* against close and no, for replacements by min(e1, e2) and by the judge's own reading, for additions by its
reading; of close in topic, for additions. Then what thresholds keep: precision and recall of *yes*.

    python training/evaluate_readings.py build/nli --pairs build/pairs-8/validation.jsonl
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluate_judge import Judge
from reading_pairs import SURELY_TAKEN
from sources import read_jsonl
from train_judge import READINGS

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
SHOWN = (0.3, 0.4, 0.5, 0.6, 0.7)


def auc(scores: Floats, positive: Flags) -> float:
    """Chance that a positive scores above another one; ties count half."""
    order = scores.argsort(kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    for value in np.unique(scores):
        ranks[scores == value] = ranks[scores == value].mean()
    count = positive.sum()
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * (len(scores) - count)))


def scores_of(judge: Judge, records: list[dict[str, Any]]) -> tuple[Floats, Floats]:
    """min(e1, e2) of each pair, and its readings in the order of READINGS."""
    lower = np.array([min(judge.both(r["premise"], r["hypothesis"])) for r in records])
    behind = np.array([judge.logits(r["premise"], r["hypothesis"])[len(judge.labels) :] for r in records])
    return lower, 1 / (1 + np.exp(-behind))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures exported judges on readers' verdicts that were kept apart.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--pairs", type=Path, required=True, help="validation.jsonl of reading_pairs.py")
    args = parser.parse_args()
    records = list(read_jsonl(args.pairs))
    said = np.array([[np.nan if one is None else one for one in r["reading"]] for r in records], dtype=np.float64)
    for folder in args.folders:
        judge = Judge(folder, threads=1)
        lower, readings = scores_of(judge, records)
        print(folder)
        for column, name in enumerate(READINGS):
            asked = ~np.isnan(said[:, column])
            taken = said[asked, column] >= (0.5 if name == "topic" else SURELY_TAKEN)
            scores = readings[asked, column]
            by_entailment = f", by min(e1, e2) {auc(lower[asked], taken):.3f}" if name == "replacement" else ""
            print(f"  {name}: {asked.sum()} names, {taken.sum()} taken, AUC {auc(scores, taken):.3f}{by_entailment}")
            for least in SHOWN:
                kept = scores >= least
                precision = taken[kept].mean() if kept.any() else float("nan")
                print(f"    from {least}: precision {precision:.2f}, recall {taken[kept].sum() / taken.sum():.2f}")


if __name__ == "__main__":
    main()
