"""Fine-tunes all-MiniLM-L6-v2 as a table encoder: queries and tables of one pair near each other, others apart.

Contrastive both ways over the batch; on wish also from queries against the tables of earlier batches (a queue, as in
He et al. 2020, without its second encoder). Tables of one page, domain or database are no counter-examples of each
other. The order of the data depends on the seed alone, and a checkpoint is written every
ten minutes: run the same command again after a stop, and it goes on at the same batch.

    python training/train_encoder.py --pairs build/table-pairs.jsonl --out build/encoder-trained
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModel, AutoTokenizer

from encoder import bundled_model, mean_pool
from sources import read_jsonl
from train_judge import progress

MAX_TOKENS = 96
"""Of 256 that the product reads: most texts are shorter, and the longest cost the most."""

TEMPERATURE = 0.05
BATCHES_OF_CHUNK = 10
WARMUP_STEPS = 20
LOWEST_RATE_SHARE = 0.05
AVERAGED_SHARE = 0.95
"""Of the running average of the weights that each step keeps: the average is what is written."""

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


def rate_at(step: int, steps: int, highest: float) -> float:
    """Linear warm-up, then linear decay to a twentieth."""
    return highest * min(1, (step + 1) / WARMUP_STEPS) * max(LOWEST_RATE_SHARE, 1 - step / steps)


def fingerprint(batches: list[Batch], settings: dict[str, Any]) -> str:
    """Names one run: a checkpoint of other data or settings must not be continued."""
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
    for batch in batches:
        for pair in batch:
            digest.update(f"{pair.query}\0{pair.table}\0{sorted(pair.groups)}\n".encode())
    return digest.hexdigest()


def shared_groups(rows: list[frozenset[str]], columns: list[frozenset[str]]) -> torch.Tensor:
    """Where a row's and a column's pair share a group, `[rows, columns]`."""
    return torch.tensor([[not row.isdisjoint(column) for column in columns] for row in rows])


class EncoderTrainer:
    """The encoder, its optimizer, the queue of earlier tables, and how far the run has come."""

    def __init__(self, base: Path, out: Path, rate: float, run_id: str, *, queued: int, bfloat16: bool) -> None:
        self._tokenizer = AutoTokenizer.from_pretrained(base)  # type: ignore[no-untyped-call]
        # Without dropout, which costs a third of the time here; eager attention is the fastest for short texts.
        options = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        self._model = AutoModel.from_pretrained(base, attn_implementation="eager", **options).train()
        # Words that no pair holds keep their place among those that do.
        self._model.embeddings.word_embeddings.weight.requires_grad_(False)
        self._trained = [parameter for parameter in self._model.parameters() if parameter.requires_grad]
        self._optimizer = torch.optim.AdamW(self._trained, lr=rate, weight_decay=0.01)
        self._average = [parameter.detach().clone() for parameter in self._trained]
        self._queue: list[tuple[torch.Tensor, list[frozenset[str]]]] = []
        self._queued = queued
        self._bfloat16 = bfloat16
        self._base = base
        self._out = out
        self._rate = rate
        self._run_id = run_id
        self._checkpoint = out / "checkpoint.pt"

    def resume(self) -> int:
        """Loads the checkpoint if there is one; returns the next step."""
        if not self._checkpoint.exists():
            return 0
        state = torch.load(self._checkpoint, weights_only=True)
        if state["run"] != self._run_id:
            raise SystemExit(f"{self._checkpoint} is of other data or settings: remove it or change --out")
        self._model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._average = state["average"]
        self._queue = [(vectors, [frozenset(names) for names in groups]) for vectors, groups in state["queue"]]
        return int(state["step"])

    def save_checkpoint(self, step: int) -> None:
        """Writes beside the checkpoint and renames, so that a stop while writing leaves the older one whole."""
        self._out.mkdir(parents=True, exist_ok=True)
        unfinished = self._checkpoint.with_suffix(".tmp")
        state = {
            "run": self._run_id,
            "step": step,
            "model": self._model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "average": self._average,
            "queue": [(vectors, [sorted(names) for names in groups]) for vectors, groups in self._queue],
        }
        torch.save(state, unfinished)
        os.replace(unfinished, self._checkpoint)

    def _embed(self, texts: list[str]) -> torch.Tensor:
        inputs = self._tokenizer(texts, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt")
        with torch.autocast("cpu", torch.bfloat16, enabled=self._bfloat16):
            hidden = self._model(**inputs).last_hidden_state
        return mean_pool(hidden.float(), inputs["attention_mask"])

    def _loss(self, batch: Batch) -> torch.Tensor:
        queries, tables = self._embed([pair.query for pair in batch]), self._embed([pair.table for pair in batch])
        groups = [pair.groups for pair in batch]
        all_tables = torch.cat([tables, *(vectors for vectors, _ in self._queue)])
        all_groups = groups + [names for _, queued in self._queue for names in queued]
        own = torch.arange(len(batch))
        masked = shared_groups(groups, all_groups)
        masked[own, own] = False
        to_tables = (queries @ all_tables.T / TEMPERATURE).masked_fill(masked, -torch.inf)
        to_queries = (tables @ queries.T / TEMPERATURE).masked_fill(masked[:, : len(batch)], -torch.inf)
        self._queue = [(tables.detach(), groups), *self._queue][: self._queued]
        cross_entropy = torch.nn.functional.cross_entropy
        loss: torch.Tensor = (cross_entropy(to_tables, own) + cross_entropy(to_queries, own)) / 2
        return loss

    def learn(self, batch: Batch, step: int, steps: int) -> float:
        """One optimizer step; returns the batch's loss."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate_at(step, steps, self._rate)
        loss = self._loss(batch)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self._trained, 1.0)
        self._optimizer.step()
        self._optimizer.zero_grad()
        # Early weights are far off: the average forgets them sooner.
        kept = min(AVERAGED_SHARE, (1 + step) / (10 + step))
        with torch.no_grad():
            torch._foreach_lerp_(self._average, self._trained, 1 - kept)
        return float(loss.item())

    def finish(self, provenance: dict[str, Any]) -> None:
        """Writes the averaged weights, the tokenizer and the provenance."""
        with torch.no_grad():
            for parameter, average in zip(self._trained, self._average, strict=True):
                parameter.copy_(average)
        self._model.save_pretrained(self._out)
        # As they are: a tokenizer saved after use would hold the limit of 96 tokens.
        for name in TOKENIZER_FILES:
            shutil.copyfile(self._base / name, self._out / name)
        (self._out / "provenance.json").write_text(json.dumps(provenance, indent=2) + "\n", encoding="utf-8")


def train(trainer: EncoderTrainer, batches: list[Batch], minutes: float) -> int:
    """Learns every batch that the checkpoint has not seen; returns how many steps there are."""
    start = trainer.resume()
    losses = ((step, trainer.learn(batches[step], step, len(batches))) for step in range(start, len(batches)))
    saved = time.monotonic()
    for step in progress(losses, len(batches), len(batches[0])):
        if time.monotonic() - saved >= 60 * minutes:
            trainer.save_checkpoint(step + 1)
            saved = time.monotonic()
    return len(batches)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fine-tunes the table encoder.")
    parser.add_argument("--pairs", type=Path, required=True, help="what table_pairs.py wrote")
    parser.add_argument("--base", type=Path, help="folder to start from; without it, all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--learning-rate", type=float, default=3e-5)
    parser.add_argument("--batch-size", type=int, default=96)
    parser.add_argument(
        "--queued-batches", type=int, default=0, help="earlier batches whose tables are counter-examples"
    )
    parser.add_argument("--bfloat16", action="store_true", help="mixed precision: faster on CPUs that have it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--checkpoint-minutes", type=float, default=10)
    parser.add_argument("--finish", action="store_true", help="learn no more: write the weights of the last checkpoint")
    return parser.parse_args()


def main() -> None:
    args = parse_arguments()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    # Without it, going on from trained weights is several times slower: tiny numbers take the slow path of the CPU.
    torch.set_flush_denormal(True)
    batches = batches_of(read_pairs(args.pairs), args.batch_size, random.Random(args.seed))
    settings = {
        "base": str(args.base or "all-MiniLM-L6-v2"),
        "rate": args.learning_rate,
        "seed": args.seed,
        "bfloat16": args.bfloat16,
        "temperature": TEMPERATURE,
        "queuedBatches": args.queued_batches,
        "maxTokens": MAX_TOKENS,
    }
    run_id = fingerprint(batches, settings)
    base, rate = args.base or bundled_model(), args.learning_rate
    trainer = EncoderTrainer(base, args.out, rate, run_id, queued=args.queued_batches, bfloat16=args.bfloat16)
    print(f"{sum(map(len, batches))} pairs in {len(batches)} batches, run {run_id[:12]}", flush=True)
    steps = trainer.resume() if args.finish else train(trainer, batches, args.checkpoint_minutes)
    if steps == 0:
        raise SystemExit(f"{args.out} has no checkpoint to finish")
    seen = Counter(pair.kind for batch in batches[:steps] for pair in batch)
    trainer.finish({"run": run_id, **settings, "steps": steps, "pairs": dict(sorted(seen.items()))})


if __name__ == "__main__":
    main()
