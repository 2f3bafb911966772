"""Fine-tunes all-MiniLM-L6-v2 (or an earlier judge) as the judge of `src/nli/`: a three-way pair classifier that also
tells how readers would take the second name, as a replacement and as an addition, and whether it is close in topic.

The order of the data depends on the seed alone, and a checkpoint is written every ten minutes: run the same command
again after a stop, and it goes on at the same batch with the same random state. ADVETA is never scored here: choosing
a step by its labels would be tuning on them. The held-out accuracies only tell whether training works.

    python training/train_judge.py --pairs build/pairs-1/pairs.jsonl --nli ../shared/data/nli/nli.jsonl.gz \\
        --nli-sources breaking_nli --count 80000 --out build/judge-1
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from encoder import bundled_model
from fine_tuning import FineTuning, Schedule, Trainer, fingerprint, set_up, train
from sources import CONTRADICTION, LABELS, read_jsonl

BATCHES_OF_CHUNK = 50
"""Pairs are sorted by length within a chunk only: little padding, and still a mixed order."""

SCORED_TOGETHER = 128

MAX_TOKENS = 96
LONGEST_PREMISE = 220
MOST_REPEATS = 3
HELD_OUT_NLI, HELD_OUT_COLUMNS = 1500, 1000
HELD_OUT_FILE = "held-out-nli.jsonl"
WARMUP_STEPS = 150
LOWEST_RATE_SHARE = 0.02
LABEL_SMOOTHING = 0.1
AVERAGED_SHARE = 0.995


READINGS = ("replacement", "addition", "topic")
"""What follows the LABELS in the network's output: whether readers take the second name in place of the first, next to
it, and for close to it in topic."""
NO_READING: tuple[float | None, ...] = (None,) * len(READINGS)


@dataclass(frozen=True)
class Example:
    """A pair, its label, and the rule or data set that it comes from."""

    premise: str
    hypothesis: str
    label: int | None
    source: str
    soft: tuple[float, ...] | None = None
    """An ensemble's probabilities of LABELS, where soft_labels.py gave some."""
    reading: tuple[float | None, ...] = NO_READING
    """Of READINGS, how likely readers say so; None where they were not asked."""

    def __len__(self) -> int:
        return len(self.premise) + len(self.hypothesis)


@dataclass(frozen=True)
class Split:
    """What is learned from, in order, and what is held out of it."""

    training: list[Example]
    held_out: dict[str, list[Example]]


def read_column_pairs(path: Path) -> list[Example]:
    """Pairs that judge_pairs.py or soft_labels.py wrote."""
    return [
        Example(
            r["premise"],
            r["hypothesis"],
            r["label"],
            f"columns/{r['kind']}",
            tuple(r["soft"]) if "soft" in r else None,
            tuple(r["reading"]) if "reading" in r else NO_READING,
        )
        for r in read_jsonl(path)
    ]


def read_nli(path: Path, sources: list[str], rng: random.Random) -> list[Example]:
    """Sentence pairs of the sets of one file whose names start with one of `sources`, shuffled."""
    found: list[Example] = []
    for record in read_jsonl(path):
        source, label = record["source"], LABELS.index(record["label"])
        if not source.startswith(tuple(sources)):
            continue
        # Breaking-NLI is nearly all contradiction, and would teach that as the answer to any one-word change.
        if source == "breaking_nli" and label == CONTRADICTION and rng.random() < 0.5:
            continue
        found.append(Example(record["premise"], record["hypothesis"], label, source))
    rng.shuffle(found)
    return found


def split_data(
    columns: list[Example], nli_files: list[list[Example]], count: int, column_share: float, rng: random.Random
) -> Split:
    """Mixes `count` pairs of both kinds; a set too small for its share is repeated up to three times.

    Of each file of sentence pairs the same part is held out, whichever files are read after it.
    """
    # Of a small trial file no more than a tenth is held out.
    column_test = min(HELD_OUT_COLUMNS, len(columns) // 10)
    nli_tests = [min(HELD_OUT_NLI, len(nli) // 10) for nli in nli_files]
    held_out_nli = [example for nli, test in zip(nli_files, nli_tests, strict=True) for example in nli[:test]]
    labeled = [example for example in columns[:column_test] if example.label is not None]
    held_out = {"columns": labeled, "nli": held_out_nli}
    learned = [example for nli, test in zip(nli_files, nli_tests, strict=True) for example in nli[test:]]
    if len(nli_files) > 1:
        rng.shuffle(learned)
    short = [example for example in learned if len(example.premise) < LONGEST_PREMISE]
    mixed = (columns[column_test:] * MOST_REPEATS)[: int(count * column_share)]
    mixed += (short * MOST_REPEATS)[: count - len(mixed)]
    rng.shuffle(mixed)
    return Split(mixed, held_out)


def batches_of(examples: list[Example], size: int, rng: random.Random) -> list[list[Example]]:
    """All batches in their final order, so that a resumed run can skip to any of them."""
    batches: list[list[Example]] = []
    for start in range(0, len(examples), BATCHES_OF_CHUNK * size):
        chunk = sorted(examples[start : start + BATCHES_OF_CHUNK * size], key=len)
        group = [chunk[i : i + size] for i in range(0, len(chunk), size)]
        rng.shuffle(group)
        batches += group
    return batches


def target_of(example: Example, soft_share: float) -> list[float]:
    """Probabilities of LABELS to learn: the smoothed label, with `soft_share` of the ensemble's where it has any."""
    if example.label is None:
        return list(example.soft or [0.0] * len(LABELS))
    smoothed = [LABEL_SMOOTHING / len(LABELS)] * len(LABELS)
    smoothed[example.label] += 1 - LABEL_SMOOTHING
    if example.soft is None:
        return smoothed
    return [(1 - soft_share) * own + soft_share * theirs for own, theirs in zip(smoothed, example.soft, strict=True)]


def load_judge(base: Path) -> Any:
    """The network to go on from; of a classifier of LABELS alone, or of none, what is missing begins at random."""
    names = (*LABELS, *READINGS)
    model = AutoModelForSequenceClassification.from_pretrained(
        base,
        num_labels=len(names),
        id2label=dict(enumerate(names)),
        label2id={name: index for index, name in enumerate(names)},
        ignore_mismatched_sizes=True,
    )
    weights = base / "model.safetensors"
    with safe_open(weights, "pt") as stored, torch.no_grad():
        for part in ("classifier.weight", "classifier.bias", "classifier.out_proj.weight", "classifier.out_proj.bias"):
            if part in stored.keys() and len(stored.get_tensor(part)) == len(LABELS):  # noqa: SIM118
                model.get_parameter(part)[: len(LABELS)] = stored.get_tensor(part)
    return model


class JudgeTrainer(Trainer):
    """The classifier and how far its run has come."""

    def __init__(
        self, base: Path, out: Path, rate: float, run_id: str, *, soft_share: float, frozen: bool, bfloat16: bool, reading_weight: float
    ) -> None:
        self._tokenizer = AutoTokenizer.from_pretrained(base)  # type: ignore[no-untyped-call]
        self._model = load_judge(base)
        if frozen:
            # Words that no pair holds keep their place among those that do; and half of the optimizer's work is saved.
            self._model.base_model.embeddings.word_embeddings.weight.requires_grad_(False)
        self.tuning = FineTuning(
            self._model, Schedule(rate, WARMUP_STEPS, LOWEST_RATE_SHARE, AVERAGED_SHARE), out, run_id
        )
        self._bfloat16 = bfloat16
        self._soft_share = soft_share
        self._reading_weight = reading_weight
        self._out = out

    def _logits(self, batch: list[Example]) -> torch.Tensor:
        inputs = self._tokenizer(
            [example.premise for example in batch],
            [example.hypothesis for example in batch],
            padding=True,
            truncation=True,
            max_length=MAX_TOKENS,
            return_tensors="pt",
        )
        with torch.autocast("cpu", torch.bfloat16, enabled=self._bfloat16):
            logits: torch.Tensor = self._model(**inputs).logits
        return logits.float()

    def loss(self, batch: list[Example]) -> torch.Tensor:
        """Cross-entropy with smoothed and soft labels, and of what readers were asked."""
        self._model.train()
        logits = self._logits(batch)
        targets = torch.tensor([target_of(example, self._soft_share) for example in batch])
        # Per pair, so that those without a label weigh nothing.
        of_labels = torch.nn.functional.cross_entropy(logits[:, : len(LABELS)], targets, reduction="none").mean()
        asked = torch.tensor([[said is not None for said in example.reading] for example in batch])
        said = torch.tensor([[said or 0.0 for said in example.reading] for example in batch])
        of_readings = torch.nn.functional.binary_cross_entropy_with_logits(
            logits[:, len(LABELS) :], said, asked.float(), reduction="sum"
        )
        return of_labels + self._reading_weight * of_readings / len(batch)

    def accuracy(self, examples: list[Example]) -> float:
        """Share of examples whose likeliest label is theirs."""
        self._model.eval()
        right = 0
        with torch.inference_mode():
            for start in range(0, len(examples), SCORED_TOGETHER):
                batch = examples[start : start + SCORED_TOGETHER]
                guesses = self._logits(batch)[:, : len(LABELS)].argmax(-1).tolist()
                right += sum(guess == example.label for guess, example in zip(guesses, batch, strict=True))
        return right / len(examples)

    def finish(self, provenance: dict[str, Any]) -> None:
        """Writes weights, tokenizer and provenance."""
        self._model.save_pretrained(self._out)
        self._tokenizer.save_pretrained(self._out)
        (self._out / "provenance.json").write_text(json.dumps(provenance, indent=2) + "\n", encoding="utf-8")


def write_held_out(examples: list[Example], out: Path) -> None:
    """The sentence pairs that were not learned from, for evaluate_judge.py."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as file:
        for e in examples:
            record = {"premise": e.premise, "hypothesis": e.hypothesis, "label": LABELS[e.label], "source": e.source}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fine-tunes the encoder as a pair classifier.")
    parser.add_argument("--pairs", type=Path, required=True, help="what judge_pairs.py wrote")
    parser.add_argument(
        "--nli", nargs="+", type=Path, default=[], help="JSONL of {premise, hypothesis, label, source}, plain or .gz"
    )
    parser.add_argument("--nli-sources", nargs="+", default=[], help="start of the names of the sets to learn from")
    parser.add_argument("--count", type=int, required=True, help="pairs to learn from, of both kinds together")
    parser.add_argument("--column-share", type=float, default=0.8)
    parser.add_argument("--base", type=Path, help="folder to start from; without it, all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--learning-rate", type=float, default=1e-4)
    parser.add_argument("--soft-share", type=float, default=0.0, help="weight of soft labels against ours, 0 to 1")
    parser.add_argument("--reading-weight", type=float, default=1.0, help="weight of what readers said against labels")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--freeze-words", action="store_true", help="leave the word embeddings as they are")
    parser.add_argument("--bfloat16", action="store_true", help="mixed precision: faster on CPUs that have it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--checkpoint-minutes", type=float, default=10)
    parser.add_argument("--finish", action="store_true", help="learn no more: write the weights of the last checkpoint")
    args = parser.parse_args()
    if bool(args.nli) != bool(args.nli_sources):
        parser.error("--nli and --nli-sources go together: name each set whose licence lets you")
    return args


def main() -> None:
    args = parse_arguments()
    set_up(args.threads, args.seed)
    rng = random.Random(args.seed)
    nli = [read_nli(path, args.nli_sources, rng) for path in args.nli]
    split = split_data(read_column_pairs(args.pairs), nli, args.count, args.column_share, rng)
    batches = batches_of(split.training, args.batch_size, rng)
    settings = {
        "base": str(args.base or "all-MiniLM-L6-v2"),
        "rate": args.learning_rate,
        "seed": args.seed,
        "frozenWords": args.freeze_words,
        "bfloat16": args.bfloat16,
        "readingWeight": args.reading_weight,
    }
    if args.soft_share:
        settings["softShare"] = args.soft_share
    seen_texts = (
        f"{e.premise}\0{e.hypothesis}\0{e.label}\0{e.soft}\0{e.reading}"
        for batch in batches
        for e in batch
    )
    run_id = fingerprint(seen_texts, settings)
    base = args.base or bundled_model()
    trainer = JudgeTrainer(
        base,
        args.out,
        args.learning_rate,
        run_id,
        soft_share=args.soft_share,
        frozen=args.freeze_words,
        bfloat16=args.bfloat16,
        reading_weight=args.reading_weight,
    )
    print(f"{len(split.training)} pairs in {len(batches)} batches, run {run_id[:12]}")
    steps = trainer.tuning.resume() if args.finish else train(trainer, batches, args.checkpoint_minutes)
    if steps == 0:
        raise SystemExit(f"{args.out} has no checkpoint to finish")
    trainer.tuning.take_average()
    write_held_out(split.held_out["nli"], args.out / HELD_OUT_FILE)
    reached = {name: trainer.accuracy(examples) for name, examples in split.held_out.items() if examples}
    seen = Counter(example.source for batch in batches[:steps] for example in batch)
    trainer.finish({"run": run_id, **settings, "pairs": dict(sorted(seen.items())), "heldOutAccuracy": reached})
    print("held-out accuracy", {name: round(value, 3) for name, value in reached.items()})


if __name__ == "__main__":
    main()
