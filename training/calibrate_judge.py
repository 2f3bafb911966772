"""Chooses a temperature and a bias of the entailment logit, so that the thresholds 0.65 and 0.45 do what they should.

Chosen on our own held-out pairs, written as the product does, each file weighing the same: of the calibrations that
reach the wanted precision of replacements and keep the wanted share of additions, the one that finds most replacements
and lets fewest pass for additions. ADVETA is not read.

    python training/calibrate_judge.py build/nli-raw \\
        --pairs build/judge/groups-validation.jsonl build/judge/schemas-validation.jsonl
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evaluate_judge import ADD_MAX, RPL_MIN, Judge, with_template
from sources import read_jsonl

Floats = npt.NDArray[np.float64]

TEMPERATURES = np.round(np.arange(0.4, 2.01, 0.1), 2)
BIASES = np.round(np.arange(-2.0, 2.01, 0.05), 2)


@dataclass(frozen=True)
class Scored:
    """Logits of one validation file, [pairs, 2 directions, 3], and which pairs mean the same."""

    logits: Floats
    same: npt.NDArray[np.bool_]
    entailment: int

    def shares(self, temperature: float, bias: float) -> Floats:
        """Of replacements found, of near-misses taken for such; of near-misses kept, of replacements taken for such."""
        moved = self.logits / temperature
        moved[..., self.entailment] += bias
        powers = np.exp(moved - moved.max(axis=-1, keepdims=True))
        e = powers[..., self.entailment] / powers.sum(axis=-1)
        low, high = e.min(axis=1) >= RPL_MIN, e.max(axis=1) <= ADD_MAX
        return np.array(
            [low[self.same].mean(), low[~self.same].mean(), high[~self.same].mean(), high[self.same].mean()]
        )


@dataclass(frozen=True)
class Choice:
    """A calibration and what it reaches, on average over the files."""

    temperature: float
    bias: float
    precision: float
    recall: float
    kept: float
    passing: float

    def __str__(self) -> str:
        reached = (
            f"P {self.precision:.3f} R {self.recall:.3f}, ADD kept {self.kept:.3f}, RPL passing {self.passing:.3f}"
        )
        return f"temperature {self.temperature:.2f}, bias {self.bias:+.2f}: {reached}"


def choose_at(sets: list[Scored], temperature: float, bias: float) -> Choice:
    """What one calibration reaches."""
    right, wrong, kept, passing = np.mean([one.shares(temperature, bias) for one in sets], axis=0)
    return Choice(temperature, bias, right / max(right + wrong, 1e-9), right, kept, passing)


def candidates(sets: list[Scored], precision: float, kept: float) -> Iterator[Choice]:
    """Calibrations of the grid that reach both."""
    for temperature, bias in product(TEMPERATURES.tolist(), BIASES.tolist()):
        found = choose_at(sets, temperature, bias)
        if found.precision >= precision and found.kept >= kept:
            yield found


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints the calibration for export_onnx.py.")
    parser.add_argument("judge", type=Path, help="folder of an exported judge without calibration")
    parser.add_argument("--pairs", nargs="+", type=Path, required=True, help="validation files of judge_pairs.py")
    parser.add_argument("--precision", type=float, default=0.95)
    parser.add_argument("--kept", type=float, default=0.85)
    args = parser.parse_args()
    judge = Judge(args.judge, threads=1)
    sets = []
    for path in args.pairs:
        records = list(read_jsonl(path))
        texts = [(with_template(r, r["a"]), with_template(r, r["b"])) for r in records]
        logits = np.array([[judge.logits(a, b), judge.logits(b, a)] for a, b in texts])
        sets.append(Scored(logits, np.array([bool(r["same"]) for r in records]), judge.entailment))
    print("as it is:", choose_at(sets, 1.0, 0.0))
    best = max(
        candidates(sets, args.precision, args.kept),
        key=lambda c: (c.recall - c.passing, -abs(c.temperature - 1)),
        default=None,
    )
    if best is None:
        raise SystemExit("no calibration reaches both")
    print("chosen:  ", best)
    print(f"--calibration {best.temperature:g} {best.bias:g}")


if __name__ == "__main__":
    main()
