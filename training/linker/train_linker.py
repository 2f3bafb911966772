"""Trains a schema linker on one training set and scores it on test sets: which columns does a question's gold use?

all-MiniLM-L6-v2 reads the question and the schema in one sequence, `question [SEP] table : column , column [SEP] …`; a
column's logit comes from the mean vector of its words and the vector of the whole. The threshold is the one that gives
the best F1 on databases that no training question asks of: those of `--held-out`, else one in ten of the training
file's. Input files are those of `perturbql augment --export linker`. The same command again goes on from the last
checkpoint and scores what is not in `outcomes.json` yet.

    python training/linker/train_linker.py --train RUN/linker/data.json --out build/linker
    python training/linker/train_linker.py --train build/cta.json --held-out build/held-out.json \
        --test build/dev.json build/rpl.json --seed 1 --out build/linker-cta-1
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch
from transformers import AutoModel, AutoTokenizer

sys.path.insert(0, str(Path(__file__).parent.parent))
from encoder import bundled_model  # noqa: E402
from fine_tuning import FineTuning, Schedule, Trainer, fingerprint, set_up, train  # noqa: E402

QUESTION_TOKENS = 60
SEQUENCE_TOKENS = 512
TRAINED_SCHEMA_TOKENS = 110
"""In training, tables and columns that the gold does not use are dropped at random until the schema fits."""
BATCHES_OF_CHUNK = 64
RATE = 1.5e-4
WARMUP_STEPS, LOWEST_RATE_SHARE, AVERAGED_SHARE = 60, 0.02, 0.98
SCORED_TOGETHER = 24
HELD_OUT_SHARE = 10

Place = tuple[int, int]
"""Positions of a table and of a column in it."""
Tables = list[tuple[list[int], list[tuple[Place, list[int]]]]]
"""Tokens of each table's name, and of its columns."""


@dataclass(frozen=True)
class Question:
    """A question with the schema that it is asked of and the columns that its gold uses."""

    text: str
    database: str
    schema: list[tuple[str, list[str]]]
    gold: frozenset[Place]


@dataclass(frozen=True)
class Sequence:
    """What the network reads: tokens, and where each column stands among them."""

    tokens: list[int]
    places: list[Place]
    spans: list[tuple[int, int]]


def read_questions(path: Path) -> list[Question]:
    """The questions of a labeled file, in its order."""
    file = json.loads(path.read_text(encoding="utf-8"))
    schemas = [[(name, columns) for name, columns in schema] for schema in file["schemas"]]
    return [
        Question(
            record["question"],
            record["database"],
            schemas[record["schema"]],
            frozenset((t, c) for t, c in record["gold"]),
        )
        for record in file["records"]
    ]


def divided(questions: list[Question], seed: int) -> tuple[list[Question], list[Question]]:
    """Those to learn from, and those of one database in ten, at least one, to choose the threshold on."""
    databases = sorted({question.database for question in questions})
    if len(databases) < 2:
        raise SystemExit("all questions are of one database: name others with --held-out")
    drawn = set(random.Random(seed).sample(databases, max(1, len(databases) // HELD_OUT_SHARE)))
    learned = [question for question in questions if question.database not in drawn]
    return learned, [question for question in questions if question.database in drawn]


class SequenceWriter:
    """Writes questions and schemas as tokens."""

    def __init__(self, base: Path) -> None:
        self._tokenizer = AutoTokenizer.from_pretrained(base)  # type: ignore[no-untyped-call]
        self._cls, self._sep, self._colon, self._comma = self._tokenizer.convert_tokens_to_ids(
            ["[CLS]", "[SEP]", ":", ","]
        )
        self._tokens = cache(lambda text: self._tokenizer.encode(text, add_special_tokens=False))

    def tables(self, question: Question) -> Tables:
        """Tokens of a schema's names."""
        return [
            (self._tokens(name), [((t, c), self._tokens(column)) for c, column in enumerate(columns)])
            for t, (name, columns) in enumerate(question.schema)
        ]

    def write(self, question: Question, tables: Tables) -> Sequence:
        """One sequence; tables must fit in."""
        tokens = [self._cls, *self._tokens(question.text)[:QUESTION_TOKENS], self._sep]
        places, spans = [], []
        for name, columns in tables:
            tokens += [*name, self._colon]
            for i, (place, column) in enumerate(columns):
                tokens += [self._comma] if i > 0 else []
                places.append(place)
                spans.append((len(tokens), len(tokens) + len(column)))
                tokens += column
            tokens.append(self._sep)
        return Sequence(tokens, places, spans)

    def room(self, question: Question) -> int:
        """Tokens that the longest sequence has for the schema."""
        return SEQUENCE_TOKENS - min(QUESTION_TOKENS, len(self._tokens(question.text))) - 3

    def parts(self, question: Question) -> list[Sequence]:
        """The whole schema, in as many sequences as it takes; a table stays in one unless it is longer than that."""
        room, parts, part = self.room(question), [], []
        for table in (piece for whole in self.tables(question) for piece in _pieces(whole, room)):
            if part and size_of([*part, table]) > room:
                parts.append(part)
                part = []
            part.append(table)
        return [self.write(question, tables) for tables in [*parts, part]]


def size_of(tables: Tables) -> int:
    """Tokens of a schema."""
    return sum(2 + len(name) + sum(1 + len(column) for _, column in columns) for name, columns in tables)


def _pieces(table: tuple[list[int], list[tuple[Place, list[int]]]], room: int) -> Tables:
    name, columns = table
    if size_of([table]) <= room or len(columns) < 2:
        return [table]
    half = len(columns) // 2
    return [*_pieces((name, columns[:half]), room), *_pieces((name, columns[half:]), room)]


def shortened(tables: Tables, gold: frozenset[Place], room: int, rng: random.Random) -> Tables:
    """Drops random tables, then random columns, that the gold does not use, until the schema fits."""
    total, dropped = size_of(tables), set()
    for i in rng.sample(range(len(tables)), len(tables)):
        if total <= room:
            break
        if all(place not in gold for place, _ in tables[i][1]):
            dropped.add(i)
            total -= size_of([tables[i]])
    kept = [table for i, table in enumerate(tables) if i not in dropped]
    lengths = {place: 1 + len(column) for _, columns in kept for place, column in columns if place not in gold}
    gone = set()
    for place in rng.sample(sorted(lengths), len(lengths)):
        if total <= room:
            break
        gone.add(place)
        total -= lengths[place]
    return [(name, [column for column in columns if column[0] not in gone]) for name, columns in kept]


class Linker(torch.nn.Module):
    """A logit for each column of each sequence."""

    def __init__(self, base: Path) -> None:
        super().__init__()
        options = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0, "attn_implementation": "sdpa"}
        self.encoder = AutoModel.from_pretrained(base, **options)
        width = self.encoder.config.hidden_size
        self.head = torch.nn.Sequential(
            torch.nn.Linear(2 * width, width), torch.nn.GELU(), torch.nn.Linear(width, 1)
        )
        torch.nn.init.constant_(self.head[2].bias, -2.0)
        # Names that no training question has keep their places.
        self.encoder.embeddings.word_embeddings.requires_grad_(False)

    def forward(self, sequences: list[Sequence]) -> torch.Tensor:
        """Logits `[columns of all sequences]`, in their order."""
        length = max(len(sequence.tokens) for sequence in sequences)
        tokens = torch.tensor([s.tokens + [0] * (length - len(s.tokens)) for s in sequences])
        mask = torch.tensor([[1] * len(s.tokens) + [0] * (length - len(s.tokens)) for s in sequences])
        # In float32, as the exported model: bfloat16 took twice as long on a Xeon without AMX.
        hidden = self.encoder(input_ids=tokens, attention_mask=mask).last_hidden_state
        rows = torch.tensor([row for row, s in enumerate(sequences) for _ in s.spans])
        starts, ends = torch.tensor([span for s in sequences for span in s.spans]).T
        sums = torch.nn.functional.pad(hidden.cumsum(1), (0, 0, 1, 0))
        means = (sums[rows, ends] - sums[rows, starts]) / (ends - starts).clamp(min=1).unsqueeze(1)
        logits: torch.Tensor = self.head(torch.cat([means, hidden[rows, 0]], 1)).squeeze(1)
        return logits


@dataclass(frozen=True)
class Example:
    """A sequence to learn from, with 1 for each column that the gold uses."""

    sequence: Sequence
    labels: list[float]

    def __len__(self) -> int:
        return len(self.sequence.tokens)


Batch = list[Example]


def batches_of(questions: list[Question], writer: SequenceWriter, steps: int, size: int, seed: int) -> list[Batch]:
    """As many batches as there are steps, whatever the number of questions; each of sequences of about equal length."""
    rng = random.Random(seed)
    questions = [question for question in questions if question.gold]
    batches: list[Batch] = []
    waiting: list[Question] = []
    while len(batches) < steps:
        chunk: list[Example] = []
        while len(chunk) < BATCHES_OF_CHUNK * size:
            waiting = waiting or rng.sample(questions, len(questions))
            question = waiting.pop()
            tables = shortened(writer.tables(question), question.gold, TRAINED_SCHEMA_TOKENS, rng)
            sequence = writer.write(question, tables)
            chunk.append(Example(sequence, [float(place in question.gold) for place in sequence.places]))
        chunk.sort(key=lambda example: len(example) + 10 * rng.random())
        drawn = [chunk[i : i + size] for i in range(0, len(chunk), size)]
        batches += rng.sample(drawn, len(drawn))
    return batches[:steps]


class LinkerTrainer(Trainer):
    """Learns which columns the gold uses."""

    def __init__(self, model: Linker, tuning: FineTuning) -> None:
        self._model, self.tuning = model, tuning

    def loss(self, batch: Batch) -> torch.Tensor:
        """Binary cross entropy over all columns of the batch."""
        logits = self._model([example.sequence for example in batch])
        labels = torch.tensor([label for example in batch for label in example.labels])
        return torch.nn.functional.binary_cross_entropy_with_logits(logits, labels)


class Scorer:
    """Scores questions; a sequence that several test sets share is read once."""

    def __init__(self, model: Linker, writer: SequenceWriter) -> None:
        self._model, self._writer = model.eval(), writer
        self._known: dict[tuple[int, ...], list[float]] = {}

    def score(self, questions: list[Question]) -> list[dict[Place, float]]:
        """The logit of each column, for each question."""
        parts = [[part for part in self._writer.parts(question) if part.spans] for question in questions]
        self._read({tuple(part.tokens): part for own in parts for part in own})
        return [
            {
                place: logit
                for part in own
                for place, logit in zip(part.places, self._known[tuple(part.tokens)], strict=True)
            }
            for own in parts
        ]

    def _read(self, sequences: dict[tuple[int, ...], Sequence]) -> None:
        new = sorted((key for key in sequences if key not in self._known), key=len)
        with torch.inference_mode():
            for start in range(0, len(new), SCORED_TOGETHER):
                some = new[start : start + SCORED_TOGETHER]
                logits = iter(self._model([sequences[key] for key in some]).tolist())
                for key in some:
                    self._known[key] = [next(logits) for _ in sequences[key].spans]


def best_threshold(scores: list[dict[Place, float]], questions: list[Question]) -> float:
    """The logit from which on columns are taken, so that F1 over all questions is highest."""
    ranked = sorted(
        ((logit, place in question.gold) for own, question in zip(scores, questions, strict=True)
         for place, logit in own.items()),
        reverse=True,
    )
    wanted = sum(len(question.gold) for question in questions)
    right, best, threshold = 0, 0.0, 0.0
    for taken, (logit, is_gold) in enumerate(ranked, 1):
        right += is_gold
        f1 = 2 * right / (taken + wanted)
        if f1 > best:
            best, threshold = f1, logit
    return threshold


def outcomes(scores: list[dict[Place, float]], questions: list[Question], threshold: float) -> list[list[int]]:
    """For each question: columns rightly taken, wrongly taken, and missed."""
    rows = []
    for own, question in zip(scores, questions, strict=True):
        taken = {place for place, logit in own.items() if logit >= threshold}
        rows.append([len(taken & question.gold), len(taken - question.gold), len(question.gold - taken)])
    return rows


def f1(rows: list[list[int]]) -> float:
    """F1 over all questions, 0 to 1."""
    right, wrong, missed = (sum(column) for column in zip(*rows, strict=True))
    return float(2 * right / max(1, 2 * right + wrong + missed))


def cpu_seconds() -> float:
    """CPU seconds of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def write_whole(path: Path, text: str) -> None:
    """Writes beside the file and renames, so that a stop while writing leaves the older one whole."""
    unfinished = path.with_suffix(".tmp")
    unfinished.write_text(text, encoding="utf-8")
    os.replace(unfinished, path)


def run_id_of(options: argparse.Namespace) -> str:
    """What is learned, and how."""
    settings = {"seed": options.seed, "steps": options.steps, "batch": options.batch_size, "rate": RATE}
    return fingerprint([options.train.read_text(encoding="utf-8")], settings)


def trained(
    model: Linker, writer: SequenceWriter, questions: list[Question], options: argparse.Namespace, run_id: str
) -> None:
    """Trains the model on questions, or loads the weights that an earlier call has written."""
    weights: Path = options.out / "weights.pt"
    if weights.exists():
        model.load_state_dict(torch.load(weights, weights_only=True))
        return
    batches = batches_of(questions, writer, options.steps, options.batch_size, options.seed)
    schedule = Schedule(RATE, WARMUP_STEPS, LOWEST_RATE_SHARE, AVERAGED_SHARE)
    tuning = FineTuning(model, schedule, options.out, run_id)
    tuning.save_checkpoint(train(LinkerTrainer(model, tuning), batches, minutes=1))
    tuning.take_average()
    torch.save(model.state_dict(), weights.with_suffix(".tmp"))
    os.replace(weights.with_suffix(".tmp"), weights)
    (options.out / "checkpoint.pt").unlink()


def run(options: argparse.Namespace) -> None:
    """Trains, chooses the threshold, and scores the sets that no earlier call has scored."""
    outcomes_file: Path = options.out / "outcomes.json"
    known = json.loads(outcomes_file.read_text(encoding="utf-8")) if outcomes_file.exists() else {"outcomes": {}}
    run_id = run_id_of(options)
    # Outcomes of earlier versions do not say what they are of.
    if known.setdefault("run", run_id) != run_id:
        raise SystemExit(f"{options.out} learned from other data or settings: remove it or change --out")
    waiting = [path for path in options.test if path.stem not in known["outcomes"]]
    if not waiting and "threshold" in known:
        return
    set_up(1, options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    # Before there are weights, so that none are taken for those of other data.
    write_whole(outcomes_file, json.dumps(known))
    base = options.base or bundled_model()
    writer, model = SequenceWriter(base), Linker(base)
    questions = read_questions(options.train)
    if options.held_out:
        held_out = read_questions(options.held_out)
    else:
        questions, held_out = divided(questions, options.seed)
    trained(model, writer, questions, options, run_id)
    scorer, spent = Scorer(model, writer), known.get("cpu_seconds", 0)
    if "threshold" not in known:
        scores = scorer.score(held_out)
        known["threshold"] = best_threshold(scores, held_out)
        known["cpu_seconds"] = spent + cpu_seconds()
        write_whole(outcomes_file, json.dumps(known))
        rows = outcomes(scores, held_out, known["threshold"])
        print(f"{options.out.name} held out: F1 {100 * f1(rows):.1f}", flush=True)
    for path in waiting:
        questions = read_questions(path)
        rows = outcomes(scorer.score(questions), questions, known["threshold"])
        known["outcomes"][path.stem] = rows
        known["cpu_seconds"] = spent + cpu_seconds()
        write_whole(outcomes_file, json.dumps(known))
        print(f"{options.out.name} {path.stem}: F1 {100 * f1(rows):.1f}", flush=True)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, required=True, help="labeled questions to learn from")
    parser.add_argument("--held-out", type=Path, help="labeled questions to choose the threshold on")
    parser.add_argument("--test", type=Path, nargs="*", default=[], help="labeled questions to be scored on")
    parser.add_argument("--base", type=Path, help="folder of a BERT encoder to begin with; without it, all-MiniLM-L6-v2")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--out", type=Path, required=True, help="folder of weights.pt and outcomes.json")
    run(parser.parse_args())


if __name__ == "__main__":
    main()
