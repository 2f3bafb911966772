"""Fine-tunes all-MiniLM-L6-v2 as a table encoder: queries and tables of one pair near each other, others apart.

Contrastive both ways over the batch. Tables of one page, domain or database are no counter-examples of each other. The order of the data depends on the seed alone, and a checkpoint is written every
ten minutes: run the same command again after a stop, and it goes on at the same batch.

    python training/train_encoder.py --pairs build/table-pairs.jsonl --out build/encoder-trained
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModel, AutoTokenizer

from encoder import bundled_model, mean_pool
from fine_tuning import FineTuning, Schedule, Trainer, fingerprint, set_up, train
from sources import read_jsonl

MAX_TOKENS = 96
"""Of 256 that the product reads: most texts are shorter, and the longest cost the most."""

TEMPERATURE = 0.05
BATCHES_OF_CHUNK = 10
WARMUP_STEPS = 20
LOWEST_RATE_SHARE = 0.05
AVERAGED_SHARE = 0.95

TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt")

FAMILIES = {"question": "asked", "questions": "asked", "questions-columns": "asked"}
"""Rules whose pairs share batches; others keep to themselves, since another data set's tables are too easy to tell."""


@dataclass(frozen=True)
class Pair:
    """A query and a table that answers it; tables that share a group with it are not pushed away."""

    query: str
    table: str
    groups: frozenset[str]
    kind: str

    def __len__(self) -> int:
        return len(self.table)


Batch = list[Pair]


def read_pairs(path: Path) -> list[Pair]:
    """What table_pairs.py wrote."""
    return [Pair(r["query"], r["table"], frozenset(r["groups"]), r["kind"]) for r in read_jsonl(path)]


def batches_of(pairs: list[Pair], size: int, rng: random.Random) -> list[Batch]:
    """All batches in their final order; each of one family, its tables of about equal length."""
    families: dict[str, Batch] = defaultdict(list)
    for pair in pairs:
        families[FAMILIES.get(pair.kind, pair.kind)].append(pair)
    batches: list[Batch] = []
    for family in sorted(families):
        shuffled = rng.sample(families[family], len(families[family]))
        for start in range(0, len(shuffled), BATCHES_OF_CHUNK * size):
            chunk = sorted(shuffled[start : start + BATCHES_OF_CHUNK * size], key=len)
            batches += [chunk[i : i + size] for i in range(0, len(chunk), size)]
    rng.shuffle(batches)
    return batches


def shared_groups(groups: list[frozenset[str]]) -> torch.Tensor:
    """Where two pairs of a batch share a group, `[pairs, pairs]`."""
    return torch.tensor([[not one.isdisjoint(other) for other in groups] for one in groups])


class EncoderTrainer(Trainer):
    """The encoder and how far its run has come."""

    def __init__(self, base: Path, out: Path, rate: float, run_id: str, *, bfloat16: bool) -> None:
        self._tokenizer = AutoTokenizer.from_pretrained(base)  # type: ignore[no-untyped-call]
        # Without dropout, which costs a third of the time here; eager attention is the fastest for short texts.
        options = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        self._model = AutoModel.from_pretrained(base, attn_implementation="eager", **options).train()
        # Words that no pair holds keep their place among those that do.
        self._model.embeddings.word_embeddings.weight.requires_grad_(False)
        self.tuning = FineTuning(
            self._model, Schedule(rate, WARMUP_STEPS, LOWEST_RATE_SHARE, AVERAGED_SHARE), out, run_id
        )
        self._bfloat16 = bfloat16
        self._base = base
        self._out = out

    def _embed(self, texts: list[str]) -> torch.Tensor:
        inputs = self._tokenizer(texts, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt")
        with torch.autocast("cpu", torch.bfloat16, enabled=self._bfloat16):
            hidden = self._model(**inputs).last_hidden_state
        return mean_pool(hidden.float(), inputs["attention_mask"])

    def loss(self, batch: Batch) -> torch.Tensor:
        """Cross-entropy of finding the table of a query among the batch's, and the query of a table."""
        queries, tables = self._embed([pair.query for pair in batch]), self._embed([pair.table for pair in batch])
        groups = [pair.groups for pair in batch]
        own = torch.arange(len(batch))
        masked = shared_groups(groups)
        masked[own, own] = False
        to_tables = (queries @ tables.T / TEMPERATURE).masked_fill(masked, -torch.inf)
        to_queries = (tables @ queries.T / TEMPERATURE).masked_fill(masked, -torch.inf)
        cross_entropy = torch.nn.functional.cross_entropy
        loss: torch.Tensor = (cross_entropy(to_tables, own) + cross_entropy(to_queries, own)) / 2
        return loss

    def finish(self, provenance: dict[str, Any]) -> None:
        """Writes the averaged weights, the tokenizer and the provenance."""
        self.tuning.take_average()
        self._model.save_pretrained(self._out)
        # As they are: a tokenizer saved after use would hold the limit of 96 tokens.
        for name in TOKENIZER_FILES:
            shutil.copyfile(self._base / name, self._out / name)
        (self._out / "provenance.json").write_text(json.dumps(provenance, indent=2) + "\n", encoding="utf-8")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fine-tunes the table encoder.")
    parser.add_argument("--pairs", type=Path, required=True, help="what table_pairs.py wrote")
    parser.add_argument("--base", type=Path, help="folder to start from; without it, all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--learning-rate", type=float, default=3e-5)
    parser.add_argument("--batch-size", type=int, default=96)
    parser.add_argument("--bfloat16", action="store_true", help="mixed precision: faster on CPUs that have it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--checkpoint-minutes", type=float, default=10)
    parser.add_argument("--finish", action="store_true", help="learn no more: write the weights of the last checkpoint")
    return parser.parse_args()


def main() -> None:
    args = parse_arguments()
    set_up(args.threads, args.seed)
    batches = batches_of(read_pairs(args.pairs), args.batch_size, random.Random(args.seed))
    settings = {
        "base": str(args.base or "all-MiniLM-L6-v2"),
        "rate": args.learning_rate,
        "seed": args.seed,
        "bfloat16": args.bfloat16,
        "temperature": TEMPERATURE,
        "maxTokens": MAX_TOKENS,
    }
    seen_texts = (f"{p.query}\0{p.table}\0{sorted(p.groups)}" for batch in batches for p in batch)
    run_id = fingerprint(seen_texts, settings)
    base, rate = args.base or bundled_model(), args.learning_rate
    trainer = EncoderTrainer(base, args.out, rate, run_id, bfloat16=args.bfloat16)
    print(f"{sum(map(len, batches))} pairs in {len(batches)} batches, run {run_id[:12]}", flush=True)
    steps = trainer.tuning.resume() if args.finish else train(trainer, batches, args.checkpoint_minutes)
    if steps == 0:
        raise SystemExit(f"{args.out} has no checkpoint to finish")
    seen = Counter(pair.kind for batch in batches[:steps] for pair in batch)
    trainer.finish({"run": run_id, **settings, "steps": steps, "pairs": dict(sorted(seen.items()))})


if __name__ == "__main__":
    main()
