"""Measures exported judges on our own validation pairs, SimLex-999 and held-out sentence pairs; never on ADVETA.

Each pair is scored singly and in both directions, as the product does: under dynamic int8 a score depends on its batch.

    python training/evaluate_judge.py models/nli build/nli --simlex ../shared/data/words/simlex999.txt \\
        --pairs build/judge/groups-validation.jsonl build/judge/schemas-validation.jsonl \\
        --nli build/judge-1/held-out-nli.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Tokenizer

from judge_pairs import statement
from sources import read_jsonl

NETWORK_FILE = "onnx/model_quantized.onnx"
RPL_MIN, ADD_MAX = 0.65, 0.45
"""ADVETA §4.4."""

Floats = npt.NDArray[np.float64]


class Judge:
    """An exported network; its label order is read from its config. What readers would say, behind the labels, is left."""

    def __init__(self, folder: Path, threads: int, network: str = NETWORK_FILE) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(str(folder / network), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.labels = [config["id2label"][str(index)] for index in range(3)]
        self._known: dict[tuple[str, str], Floats] = {}

    @cached_property
    def entailment(self) -> int:
        """Which output is entailment."""
        return self.labels.index("entailment")

    def logits(self, premise: str, hypothesis: str) -> Floats:
        """The network's output for one pair."""
        key = (premise, hypothesis)
        if key not in self._known:
            encoding = self._tokenizer.encode(premise, hypothesis)
            inputs = {
                "input_ids": np.array([encoding.ids]),
                "attention_mask": np.array([encoding.attention_mask]),
                "token_type_ids": np.array([encoding.type_ids]),
            }
            self._known[key] = np.asarray(self._session.run(None, inputs)[0][0], dtype=np.float64)
        return self._known[key]

    def both(self, a: str, b: str) -> tuple[float, float]:
        """Entailment in both directions: e1, e2."""
        return self._score(a, b), self._score(b, a)

    def _score(self, premise: str, hypothesis: str) -> float:
        logits = self.logits(premise, hypothesis)[: len(self.labels)]
        powers = np.exp(logits - logits.max())
        return float(powers[self.entailment] / powers.sum())


@dataclass(frozen=True)
class Scores:
    """e1 and e2 of pairs, and which of them mean the same."""

    e: Floats
    same: npt.NDArray[np.bool_]

    def figures(self) -> dict[str, float]:
        """The figures of the model card; precision as if there were as many of both kinds."""
        low, high = self.e.min(axis=1), self.e.max(axis=1)
        recall, wrong = float((low[self.same] >= RPL_MIN).mean()), float((low[~self.same] >= RPL_MIN).mean())
        return {
            "auc": roc_auc(low[self.same], low[~self.same]),
            "precision": recall / (recall + wrong) if recall + wrong else 1.0,
            "recall": recall,
            "addKept": float((high[~self.same] <= ADD_MAX).mean()),
            "rplPassingAdd": float((high[self.same] <= ADD_MAX).mean()),
            "asymmetry": float(np.abs(self.e[:, 0] - self.e[:, 1])[self.same].mean()),
        }


def roc_auc(positive: Floats, negative: Floats) -> float:
    """Share of pairs of one of each that are in the right order; ties count half."""
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, "left") + np.searchsorted(ordered, positive, "right")
    return float(below.sum() / (2 * len(positive) * len(negative)))


def with_template(record: dict[str, Any], name: str) -> str:
    """As the product writes a statement."""
    return statement(record["row"], name, record["type"] or "text")


def bare(_record: dict[str, Any], name: str) -> str:
    """The name alone."""
    return f"{name}."


RENDERERS: dict[str, Callable[[dict[str, Any], str], str]] = {"template": with_template, "bare": bare}


def score(judge: Judge, records: list[dict[str, Any]], renderer: str) -> Scores:
    """Scores each pair of a validation file."""
    write = RENDERERS[renderer]
    e = [judge.both(write(r, r["a"]), write(r, r["b"])) for r in records]
    return Scores(np.array(e), np.array([bool(r["same"]) for r in records]))


def simlex(judge: Judge, path: Path) -> float:
    """Pearson correlation of the mean of e1 and e2 of `word.` with the human score."""
    rows = [line.lower().split("\t") for line in path.read_text(encoding="utf-8").strip().splitlines()]
    rows = [row for row in rows if _is_number(row[2])]
    means = [sum(judge.both(f"{a}.", f"{b}.")) / 2 for a, b, *_ in rows]
    return float(np.corrcoef(means, [float(row[2]) for row in rows])[0, 1])


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def accuracy(judge: Judge, path: Path, most: int) -> dict[str, float]:
    """Share of sentence pairs whose likeliest label is right, in all and by source."""
    right: dict[str, list[bool]] = {}
    for record in list(read_jsonl(path))[:most]:
        guess = judge.labels[int(judge.logits(record["premise"], record["hypothesis"]).argmax())]
        for key in ("all", record["source"]):
            right.setdefault(key, []).append(guess == record["label"])
    return {key: float(np.mean(values)) for key, values in right.items()}


def report(folder: Path, args: argparse.Namespace) -> dict[str, Any]:
    """All figures of one judge."""
    judge = Judge(folder, args.threads, args.network)
    found: dict[str, Any] = {"judge": str(folder)}
    for path in args.pairs:
        records = list(read_jsonl(path))
        for renderer in RENDERERS:
            scores = score(judge, records, renderer)
            found[f"{path.stem}/{renderer}"] = {k: round(v, 3) for k, v in scores.figures().items()}
    if args.simlex:
        found["simlex"] = round(simlex(judge, args.simlex), 3)
    if args.nli:
        found["nli"] = {k: round(v, 3) for k, v in accuracy(judge, args.nli, args.most_nli).items()}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures exported judges on validation pairs (JSON to stdout).")
    parser.add_argument("judges", nargs="+", type=Path, help="folders of exported judges")
    parser.add_argument("--pairs", nargs="+", type=Path, default=[], help="validation files of judge_pairs.py")
    parser.add_argument("--simlex", type=Path, help="SimLex-999: word, word and score by tabs")
    parser.add_argument("--nli", type=Path, help="JSONL of {premise, hypothesis, label, source}")
    parser.add_argument("--most-nli", type=int, default=1500)
    parser.add_argument(
        "--network", default=NETWORK_FILE, help="network within the folders, e.g. onnx/model.onnx for fp32"
    )
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    for folder in args.judges:
        print(json.dumps(report(folder, args), indent=2), flush=True)


if __name__ == "__main__":
    main()
