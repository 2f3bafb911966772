"""Finds where a judge errs on names whose answer we know, so that a later round can learn from it.

- joined: columns of one table, which never mean the same, that it takes for the same. The tables are those that the
  judge learns from (Spider without its dev databases, TabFact, WikiTableQuestions) and our own lists.
- missed: names of one of our own columns that it tells apart.

    python training/judge_errors.py build/nli-3 --round 3 --out build/errors-3.jsonl
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from column_groups import Domain, Synonyms, groups_of, read_domains, read_words
from encoder import embed
from evaluate_judge import Judge
from judge_pairs import guess_type, row_of, statement, write_lines
from name_rewrites import NameRewriter
from sources import DEFAULT_DATA, Table, all_tables
from wordnet import DEFAULT_DICT, WordNet

SEED = 21
LEAST_COSINE = 0.6
"""Columns that the encoder sets farther apart are not looked at: they are too many."""

JOINED_FROM, MISSED_BELOW = 0.25, 0.5
"""Of min(e1, e2). Joined counts well below the threshold for the same; missed, where the judge leans to another thing."""

NAMES_OF_COLUMN = 2
PAIRS_OF_COLUMN = 6
_NAME = re.compile(r"[a-z][a-z0-9 /'.]{2,34}")


@dataclass(frozen=True)
class KnownPair:
    """Two names in a table of certain rows, and whether they mean the same."""

    row: str
    a: str
    b: str
    type: str
    same: bool


def _letters(name: str) -> str:
    return "".join(re.findall(r"[a-z]+", name)).rstrip("s")


def _apart(row: str, a: str, b: str) -> KnownPair:
    return KnownPair(row, a, b, guess_type(a), same=False)


def columns_of_tables(tables: Iterable[Table]) -> Iterator[KnownPair]:
    """Columns that stand side by side, each pair once, in the first table that holds it."""
    seen: set[tuple[str, str]] = set()
    for table in tables:
        names = sorted({name for name in table.columns if _NAME.fullmatch(name)})
        for pair in combinations(names, 2):
            if pair not in seen and _letters(pair[0]) != _letters(pair[1]):
                seen.add(pair)
                yield _apart(row_of(table), *pair)


def columns_of_domains(domains: Iterable[Domain], rng: random.Random) -> Iterator[KnownPair]:
    """Some names of any two columns of a kind of table."""
    for domain in domains:
        for one, other in combinations(domain.groups, 2):
            for _ in range(NAMES_OF_COLUMN):
                yield _apart(domain.titles[0], rng.choice(one.names), rng.choice(other.names))


def names_of_domains(domains: Iterable[Domain], rng: random.Random) -> Iterator[KnownPair]:
    """Some pairs of names of one column."""
    for domain in domains:
        for group in domain.groups:
            pairs = list(combinations(group.names, 2))
            for a, b in rng.sample(pairs, min(PAIRS_OF_COLUMN, len(pairs))):
                yield KnownPair(domain.titles[0], a, b, guess_type(a), same=True)


def near_by_cosine(pairs: list[KnownPair], threads: int) -> list[KnownPair]:
    """Those pairs that may be mistaken for each other."""
    names = list(dict.fromkeys(name for pair in pairs for name in (pair.a, pair.b)))
    index = {name: i for i, name in enumerate(names)}
    vectors = embed(names, threads)
    first, second = ([index[name] for name in column] for column in zip(*((p.a, p.b) for p in pairs), strict=True))
    cosines = np.einsum("ij,ij->i", vectors[first], vectors[second])
    return [pair for pair, cosine in zip(pairs, cosines, strict=True) if cosine >= LEAST_COSINE]


def errs(judge: Judge, pair: KnownPair) -> bool:
    """Whether the judge is wrong, or nearly so."""
    score = min(judge.both(*(statement(pair.row, name, pair.type) for name in (pair.a, pair.b))))
    return score < MISSED_BELOW if pair.same else score >= JOINED_FROM


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes the pairs of known names on which a judge errs (JSONL).")
    parser.add_argument("judge", type=Path, help="folder of an exported judge")
    parser.add_argument("--round", type=int, required=True, help="the lists of this round and of those before are read")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help="folder of the source data sets")
    parser.add_argument("--dict", type=Path, default=DEFAULT_DICT, help="folder of the WordNet database files")
    parser.add_argument("--tables", type=int, help="read only so many tables of each source, for a quick trial")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    rng = random.Random(SEED)
    domains = [domain for round_ in range(1, args.round + 1) for domain in read_domains(round_)]
    synonyms = Synonyms([*groups_of(domains), *read_words()])
    rewriter = NameRewriter(WordNet(args.dict), args.data, rng)
    apart = [*columns_of_tables(all_tables(args.data, args.tables)), *columns_of_domains(domains, rng)]
    unlike = [p for p in apart if (p.a, p.b) not in synonyms and not rewriter.are_synonyms(p.a, p.b)]
    judge = Judge(args.judge, args.threads)
    known = [*near_by_cosine(unlike, args.threads), *names_of_domains(domains, rng)]
    found = [pair for pair in known if errs(judge, pair)]
    write_lines((asdict(pair) for pair in found), args.out)
    counts, errors = Counter(pair.same for pair in known), Counter(pair.same for pair in found)
    print(f"joined: {errors[False]} of {counts[False]} pairs; missed: {errors[True]} of {counts[True]}")


if __name__ == "__main__":
    main()
