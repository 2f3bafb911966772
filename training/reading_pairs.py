"""Writes what the judge learns from readers: their verdicts on names, our lists of specialist fields, earlier pairs.

Readers' verdicts (training/readings) become probabilities of READINGS: yes 1, close 0.2, no 0, the mean of both readers
where there were two. They are written in one direction, the column first, as the product asks for them; what they say of
entailment (a replacement taken, an addition) in both. Databases that are kept for validation go to another file.

    python training/reading_pairs.py --replay build/pairs-7/pairs.jsonl --out build/pairs-8
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from judge_pairs import guess_type, statement, write_lines
from sources import ENTAILMENT, NEUTRAL, read_jsonl

ROOT = Path(__file__).parent.parent
READINGS_FOLDER = ROOT / "training/readings"
LISTS = ROOT / "data/columns/lists"
STRUCK = ROOT / "data/columns/struck.txt"

SEED = 8
SHARES = {"y": 1.0, "c": 0.2, "n": 0.0}
HELD_OUT_SHARE = 8
"""One database in so many is kept for validation."""
SURELY_TAKEN, SURELY_NOT = 0.9, 0.05
BARE_SHARE = 0.2
KEPT, LEFT = 0.5, 0.05
"""How likely readers take a name of our older lists that a second reader kept, or struck: those lists are in the style
of no source, so that their level says little, and only the difference is learned from."""

Record = dict[str, Any]
_UNIT = re.compile(r"\s*\([^)]*\)")


def is_held_out(database: str) -> bool:
    """Whether a database is kept for validation."""
    return int(hashlib.sha256(database.encode()).hexdigest(), 16) % HELD_OUT_SHARE == 0


def read_verdicts() -> dict[str, list[list[str]]]:
    """All readers' verdicts by item."""
    verdicts: dict[str, list[list[str]]] = defaultdict(list)
    for path in sorted(READINGS_FOLDER.glob("answers-*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            item, *said = line.split("\t")
            verdicts[item].append(said)
    return verdicts


def pair(premise: str, hypothesis: str, label: int | None, kind: str, reading: list[float | None]) -> Record:
    """A record as train_judge.py reads it."""
    return {"premise": premise, "hypothesis": hypothesis, "label": label, "kind": kind, "reading": reading}


def reading_records() -> Iterator[tuple[bool, Record, Record | None]]:
    """Each item: whether it is held out, the record in the product's direction, and the other way for its label."""
    verdicts = read_verdicts()
    with (READINGS_FOLDER / "items.tsv").open(encoding="utf-8") as file:
        for item in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            said = verdicts[item["id"]]
            share = sum(SHARES[one[0]] for one in said) / len(said)
            premise = statement(item["entity"], item["column"], item["type"])
            hypothesis = statement(item["entity"], item["name"], item["type"])
            if item["bucket"] == "RPL":
                reading: list[float | None] = [share, None, None]
                label = ENTAILMENT if share >= SURELY_TAKEN else NEUTRAL if share <= SURELY_NOT else None
            else:
                topic = sum(one[1] == "t" for one in said) / len(said)
                reading = [None, share, topic]
                # A replacement that was drawn as an addition may mean the same; what nobody takes may be anything.
                label = None if item["pool"] == "bad-rpl-as-add" or share < 0.1 else NEUTRAL
            forward = pair(premise, hypothesis, label, "reading", reading)
            forward |= {"bucket": item["bucket"], "pool": item["pool"]}
            back = None if label is None else pair(hypothesis, premise, label, "reading-back", [None] * 3)
            yield is_held_out(item["database"]), forward, back


def plain(name: str) -> str:
    """A name without its unit in brackets, as the bank has it."""
    return _UNIT.sub("", name).strip()


def columns_of(path: Path) -> Iterator[tuple[int, str, list[str], list[str]]]:
    """Line, row word, names and additions of each column of a list."""
    entity = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("@"):
            entity = line[1:].split("|")[0].strip()
        elif line.strip() and not line.startswith("#"):
            names, _, additions = line.partition("~")
            yield (
                number,
                entity,
                [plain(name) for name in names.split("|")],
                [plain(name) for name in additions.split(",") if name.strip()],
            )


def list_records(rng: random.Random) -> Iterator[Record]:
    """Of each column of the specialist fields two replacements, and an addition against one of its names, both ways."""
    for path in sorted(LISTS.glob("*.txt")):
        if is_held_out(path.stem.replace("-", "_")):
            continue
        for _, entity, names, additions in columns_of(path):
            row = "" if rng.random() < BARE_SHARE else entity
            kind = guess_type(names[0])
            chosen = [(names[0], name, ENTAILMENT) for name in rng.sample(names[1:], min(2, len(names) - 1))]
            chosen += [(rng.choice(names), name, NEUTRAL) for name in rng.sample(additions, min(1, len(additions)))]
            for a, b, label in chosen:
                if a != b:
                    yield pair(statement(row, a, kind), statement(row, b, kind), label, "list", [None] * 3)
                    yield pair(statement(row, b, kind), statement(row, a, kind), label, "list", [None] * 3)


def read_struck() -> dict[str, dict[int, set[str]]]:
    """Names that the second reader of the older lists struck, by list and line."""
    struck: dict[str, dict[int, set[str]]] = defaultdict(dict)
    name = ""
    for line in STRUCK.read_text(encoding="utf-8").splitlines():
        if line.startswith("### "):
            name = line[4:].strip()
        elif "|" in line:
            number, names = line.split("|", 1)
            struck[name][int(number)] = {one.strip() for one in names.split(";")}
    return struck


def struck_records() -> Iterator[Record]:
    """Replacements of our older lists: what was kept reads better than what was struck."""
    for name, lines in read_struck().items():
        for number, entity, names, _ in columns_of(ROOT / "training" / name):
            out = lines.get(number, set())
            if not out & {"*", names[0]}:
                kind = guess_type(names[0])
                for other in names[1:]:
                    share, label = (LEFT, None) if other in out else (KEPT, ENTAILMENT)
                    statements = (statement(entity, names[0], kind), statement(entity, other, kind))
                    yield pair(*statements, label, "struck", [share, None, None])


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes training pairs from readers' verdicts and our lists (JSONL).")
    parser.add_argument("--replay", type=Path, required=True, help="pairs of an earlier round, by judge_pairs.py")
    parser.add_argument("--out", type=Path, required=True, help="folder for pairs.jsonl and validation.jsonl")
    parser.add_argument("--repeats", type=int, default=3, help="how often each verdict is learned from")
    parser.add_argument(
        "--unlabeled", action="store_true", help="leave to soft_labels.py what readers' and struck names entail"
    )
    parser.add_argument("--lists", type=int, default=30_000, help="most pairs of the specialist fields")
    parser.add_argument("--struck", type=int, default=15_000, help="most names of the older lists")
    parser.add_argument("--replayed", type=int, default=8_000, help="most pairs of the earlier round")
    args = parser.parse_args()
    rng = random.Random(SEED)
    read = list(reading_records())
    lists, struck = list(list_records(rng)), list(struck_records())
    replayed = [record | {"reading": [None] * 3} for record in read_jsonl(args.replay)]
    for part in (lists, struck, replayed):
        rng.shuffle(part)
    chosen = [forward for held, forward, _ in read if not held] * args.repeats
    chosen += [back for held, _, back in read if back is not None and not held]
    chosen += lists[: args.lists] + struck[: args.struck] + replayed[: args.replayed]
    if args.unlabeled:
        chosen = [one if one["kind"] == "list" or "otherwise" in one else one | {"label": None} for one in chosen]
    rng.shuffle(chosen)
    write_lines(chosen, args.out / "pairs.jsonl")
    write_lines((forward for held, forward, _ in read if held), args.out / "validation.jsonl")
    print(f"{len(chosen)} pairs and {sum(held for held, _, _ in read)} to validate in {args.out}")
    print(json.dumps({"lists": len(lists), "struck": len(struck), "verdicts": len(read)}))


if __name__ == "__main__":
    main()
