"""Trains the acceptability model: trees over the features of names, combined with the judge's own reading.

The trees learn from readers' verdicts on the databases that the judge learned from; how much they count next to what the
judge says is fitted on the databases that were kept apart from both (reading_pairs.py), and scored there by leaving out a
sixth of these at a time.

    node training/acceptability_features.mjs && python training/train_acceptability.py
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score as auc

from reading_pairs import SURELY_TAKEN, is_held_out

ROOT = Path(__file__).parent.parent
OUTPUTS = {"replacement": ("RPL", 0), "addition": ("ADD", 0), "topic": ("ADD", 1)}
THRESHOLDS = {"replacement": 0.45, "addition": 0.5, "topic": 0.5}
"""Least probabilities, from the databases kept apart: half of the replacements and two of three additions are taken."""
LOST = 0.01
"""Share of the names that reach the threshold which the trees alone may turn down, so that the judge is asked about fewer."""
PROPOSED = {"replacement": 0.3, "addition": 0.2, "topic": 0.5}
"""The same by the judge alone, of names that a language model wrote for the table: of those in the tables of their own list,
three of four replacements and nine of ten additions that readers took reach it on the databases kept apart."""
PARTS = 6
LARGEST_LOGIT = 8.0
IN_PLACE = ("bank-in-place", "bad-in-place")
"""Names that readers saw in the tables of their own list, which no user has."""

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


def part_of(database: str) -> int:
    """Which part of the databases kept apart one belongs to."""
    return int(hashlib.sha256(f"part {database}".encode()).hexdigest(), 16) % PARTS


def logits(probabilities: Floats) -> Floats:
    """Logits, bounded as the product bounds them."""
    inner = np.clip(probabilities, 1e-9, 1 - 1e-9)
    return np.clip(np.log(inner / (1 - inner)), -LARGEST_LOGIT, LARGEST_LOGIT)


def trees_of(model: HistGradientBoostingClassifier) -> list[dict[str, list[float]]]:
    """Each tree as parallel lists; a leaf has no children and its value in `at`."""
    trees = []
    for (predictor,) in model._predictors:  # noqa: SLF001: scikit-learn has no other way to a tree
        nodes = predictor.nodes
        leaf = nodes["is_leaf"].astype(bool)
        trees.append(
            {
                "feature": [0 if end else int(one) for end, one in zip(leaf, nodes["feature_idx"], strict=True)],
                "at": [
                    round(float(value), 6) if end else float(split)
                    for end, value, split in zip(leaf, nodes["value"], nodes["num_threshold"], strict=True)
                ],
                "left": [-1 if end else int(one) for end, one in zip(leaf, nodes["left"], strict=True)],
                "right": [-1 if end else int(one) for end, one in zip(leaf, nodes["right"], strict=True)],
            }
        )
    return trees


def report(name: str, scores: Floats, taken: Flags, away: Flags) -> None:
    """AUC on the databases kept apart, and what thresholds keep of names in tables that no list has."""
    print(f"{name}: AUC {auc(taken[away], scores[away]):.3f} of {away.sum()}, with names in place {auc(taken, scores):.3f}")
    chances = 1 / (1 + np.exp(-scores))
    for least in (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8):
        kept = away & (chances >= least)
        if kept.any():
            found = taken[kept].sum() / taken[away].sum()
            print(f"  from {least}: {kept.sum()} names, precision {taken[kept].mean():.2f}, recall {found:.2f}")


def fit(rows: list[dict[str, Any]], output: str) -> dict[str, Any]:
    """The trees of an output, and their weights next to the judge."""
    bucket, position = OUTPUTS[output]
    asked = [row for row in rows if row["bucket"] == bucket]
    features = np.array([row["features"] for row in asked], dtype=np.float64)
    yes = "t" if output == "topic" else "y"
    shares = np.array([np.mean([said[position] == yes for said in row["verdicts"]]) for row in asked])
    taken = shares >= (0.5 if output == "topic" else SURELY_TAKEN)
    kept_apart = np.array([is_held_out(row["database"]) for row in asked])
    away = np.array([row["pool"] not in IN_PLACE for row in asked])[kept_apart]
    model = HistGradientBoostingClassifier(
        max_iter=200, learning_rate=0.06, max_leaf_nodes=15, min_samples_leaf=40, l2_regularization=3, random_state=0
    )
    model.fit(features[~kept_apart], taken[~kept_apart])
    prior = model.decision_function(features[kept_apart])
    judged = logits(np.array([row["judged"][output] for row in asked]))[kept_apart]
    signs, held = np.column_stack([prior, judged]), taken[kept_apart]
    parts = np.array([part_of(row["database"]) for row in asked])[kept_apart]
    left_out = np.zeros(len(held))
    for part in range(PARTS):
        others = LogisticRegression(C=1).fit(signs[parts != part], held[parts != part])
        if (parts == part).any():
            left_out[parts == part] = others.decision_function(signs[parts == part])
    report(f"{output}, trees", prior, held, away)
    report(f"{output}, with the judge", left_out, held, away)
    print(f"{output}, judge alone: AUC {auc(held[away], judged[away]):.3f}, with names in place {auc(held, judged):.3f}")
    whole = LogisticRegression(C=1).fit(signs, held)
    (of_trees, of_judge), constant = whole.coef_[0], whole.intercept_[0]
    chances = 1 / (1 + np.exp(-whole.decision_function(signs)))
    return {
        "floor": float(np.quantile(prior[chances >= THRESHOLDS[output]], LOST)),
        "base": float(model._baseline_prediction.ravel()[0]),  # noqa: SLF001
        "trees": trees_of(model),
        "combined": {"trees": float(of_trees), "judge": float(of_judge), "constant": float(constant)},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains models/acceptability.")
    parser.add_argument("--features", type=Path, default=ROOT / "build/acceptability.jsonl")
    parser.add_argument("--out", type=Path, default=ROOT / "models/acceptability")
    args = parser.parse_args()
    head, *lines = args.features.read_text(encoding="utf-8").splitlines()
    known = json.loads(head)
    rows = [json.loads(line) for line in lines]
    outputs = {output: fit(rows, output) for output in OUTPUTS}
    args.out.mkdir(parents=True, exist_ok=True)
    trees = json.dumps({"features": known["features"], "outputs": outputs}, separators=(",", ":")).encode()
    (args.out / "trees.json").write_bytes(trees)
    manifest = {
        "task": "acceptability",
        "name": "perturbql-acceptability",
        "revision": "v1",
        "license": "CC-BY-SA-4.0, see models/LICENSE",
        "made": "Gradient-boosted trees over features of names (src/nli/acceptability), and a logistic regression of them "
        "with the judge's readings, trained on training/readings. See training/README.md.",
        "judge": known["judge"],
        "thresholds": THRESHOLDS,
        "proposed": PROPOSED,
        "files": {"trees.json": {"sha256": hashlib.sha256(trees).hexdigest(), "bytes": len(trees)}},
    }
    (args.out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
