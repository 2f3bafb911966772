"""Adds to training pairs what several judges together think of them, for train_judge.py (knowledge distillation).

Each pair is scored as it is written and, where it says how, with the same names written the other way (bare, or in the template); the
judges' logits are averaged over both and over the judges. Such an ensemble is better than any of its judges, and a
single one learns from it what a label of ours doesn't say: how sure one can be (Hinton et al. 2015; Furlanello et al.
2018).

    python training/soft_labels.py build/nli-4 build/nli-5 --pairs build/pairs-6/pairs.jsonl \\
        --out build/pairs-6/soft.jsonl
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluate_judge import Judge
from judge_pairs import write_lines
from sources import LABELS, read_jsonl

DECIMALS = 4


def logits_of(folder: Path, records: list[dict[str, Any]]) -> npt.NDArray[np.float64]:
    """Mean logits of both ways of writing each pair, `[pairs, labels]` in the order of LABELS."""
    judge = Judge(folder, threads=1)
    order = [judge.labels.index(label) for label in LABELS]
    ways = ([(r["premise"], r["hypothesis"]), *([r["otherwise"]] if "otherwise" in r else [])] for r in records)
    return np.array([np.mean([judge.logits(*way) for way in each], axis=0)[order] for each in ways])


def softened(records: list[dict[str, Any]], logits: npt.NDArray[np.float64]) -> Iterator[dict[str, Any]]:
    """The pairs with `soft`: the ensemble's probabilities."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    for record, row in zip(records, powers / powers.sum(axis=1, keepdims=True), strict=True):
        yield record | {"soft": [round(float(value), DECIMALS) for value in row]}


def main() -> None:
    parser = argparse.ArgumentParser(description="Adds an ensemble's probabilities to training pairs (JSONL).")
    parser.add_argument("judges", nargs="+", type=Path, help="folders of exported judges")
    parser.add_argument("--pairs", type=Path, required=True, help="what judge_pairs.py wrote")
    parser.add_argument("--count", type=int, help="only the first so many pairs: as many as will be learned from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=2, help="judges scored at once, a core each")
    args = parser.parse_args()
    records = list(read_jsonl(args.pairs))[: args.count]
    with ProcessPoolExecutor(args.processes) as pool:
        found = list(pool.map(logits_of, args.judges, [records] * len(args.judges)))
    logits = np.mean(found, axis=0)
    write_lines(softened(records, logits), args.out)
    labeled = [index for index, record in enumerate(records) if record["label"] is not None]
    agreed = np.mean(logits.argmax(axis=1)[labeled] == [records[index]["label"] for index in labeled])
    print(f"{len(records)} pairs; the ensemble's likeliest label is ours in {agreed:.3f} of them")


if __name__ == "__main__":
    main()
