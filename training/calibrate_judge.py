"""Chooses the thresholds that ship with a judge on our own held-out pairs, written as the product does.

Each `--pairs` names one kind of evidence, and all kinds weigh the same, however many files and pairs they have;
replacements and additions weigh the same too. ADVETA is not read.

Each threshold is the one farthest inside the two bounds that it has to keep, in log-odds, so that either bound has
the same room when other pairs are judged than those it was chosen on:

- rplMin: the precision of replacements and the share of them that is found, both at least.
- addMax: the share of additions that is kept, at least, and of replacements that pass for additions, at most.

    python training/calibrate_judge.py build/nli \\
        --pairs build/pairs-2/groups-validation.jsonl build/pairs-2/groups-2-validation.jsonl \\
        --pairs build/pairs-2/schemas-validation.jsonl
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evaluate_judge import ADD_MAX, RPL_MIN, Judge, with_template
from sources import read_jsonl

Floats = npt.NDArray[np.float64]

THRESHOLDS = np.round(np.arange(0.2, 0.96, 0.01), 2)
LEAST_GAP = 0.05
"""Between the two thresholds: what is neither surely the same nor surely another thing is not used at all."""

PRECISION, RECALL, KEPT, PASSING = 0.95, 0.45, 0.85, 0.20
"""The bounds."""


@dataclass(frozen=True)
class Scored:
    """e1 and e2 of one validation file, [pairs, 2], and which pairs mean the same."""

    e: Floats
    same: npt.NDArray[np.bool_]

    def shares(self, rpl_min: float, add_max: float) -> Floats:
        """Of replacements found, of near-misses taken for such; of near-misses kept, of replacements taken for such."""
        low, high = self.e.min(axis=1) >= rpl_min, self.e.max(axis=1) <= add_max
        return np.array(
            [low[self.same].mean(), low[~self.same].mean(), high[~self.same].mean(), high[self.same].mean()]
        )


Evidence = list[list[Scored]]
"""Kinds of evidence, and the files of each."""


@dataclass(frozen=True)
class Reached:
    """What two thresholds reach, on average over the kinds of evidence."""

    rpl_min: float
    add_max: float
    precision: float
    recall: float
    kept: float
    passing: float

    def __str__(self) -> str:
        rpl = f"P {self.precision:.3f} R {self.recall:.3f}"
        add = f"ADD kept {self.kept:.3f}, RPL passing {self.passing:.3f}"
        return f"{self.rpl_min:.2f} / {self.add_max:.2f}: {rpl}, {add}"


def reached(evidence: Evidence, rpl_min: float, add_max: float) -> Reached:
    """What two thresholds reach."""
    shares = [np.mean([one.shares(rpl_min, add_max) for one in kind], axis=0) for kind in evidence]
    right, wrong, kept, passing = np.mean(shares, axis=0)
    return Reached(rpl_min, add_max, right / max(right + wrong, 1e-9), right, kept, passing)


def log_odds(share: float) -> float:
    """Of a share, 0 to 1; the ends, which a few pairs reach by chance, count as a thousandth from them."""
    inner = min(max(share, 0.001), 0.999)
    return math.log(inner / (1 - inner))


def room(*kept: tuple[float, float]) -> float:
    """How far shares are above their bounds, in log-odds: that of the nearest."""
    return min(log_odds(share) - log_odds(bound) for share, bound in kept)


def choose(evidence: Evidence) -> Reached:
    """The two thresholds with the most room."""
    by_add = (reached(evidence, RPL_MIN, value) for value in THRESHOLDS.tolist())
    add_max = max(by_add, key=lambda one: room((one.kept, KEPT), (1 - one.passing, 1 - PASSING))).add_max
    by_rpl = (reached(evidence, value, add_max) for value in THRESHOLDS.tolist() if value >= add_max + LEAST_GAP)
    return max(by_rpl, key=lambda one: room((one.precision, PRECISION), (one.recall, RECALL)))


def score(judge: Judge, path: Path) -> Scored:
    """Scores of a validation file."""
    records = list(read_jsonl(path))
    e = [judge.both(with_template(r, r["a"]), with_template(r, r["b"])) for r in records]
    return Scored(np.array(e), np.array([bool(r["same"]) for r in records]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints thresholds for write_manifest.py.")
    parser.add_argument("judge", type=Path, help="folder of an exported judge")
    parser.add_argument(
        "--pairs", nargs="+", type=Path, action="append", required=True, help="validation files of one kind of evidence"
    )
    args = parser.parse_args()
    judge = Judge(args.judge, threads=1)
    evidence = [[score(judge, path) for path in kind] for kind in args.pairs]
    chosen = choose(evidence)
    print("paper: ", reached(evidence, RPL_MIN, ADD_MAX))
    print("chosen:", chosen)
    for paths, kind in zip(args.pairs, evidence, strict=True):
        for path, one in zip(paths, kind, strict=True):
            print(f"  {path.stem}: {reached([[one]], chosen.rpl_min, chosen.add_max)}")
    print(f"--thresholds {chosen.rpl_min:g} {chosen.add_max:g}")


if __name__ == "__main__":
    main()
