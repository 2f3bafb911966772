"""Writes what the judge learns from and what it is chosen on: pairs of column statements with entailment labels.

Each part of the mix makes pairs of bare names; they are rendered as the product does it (`{row} {name} ({type}).`,
src/nli/statement.ts), a part of them bare. Pairs of the validation files and of the paper's Table 9 are never written
to the training file, whichever part makes them.

Round 1 reads the first of our lists; round 2 reads the second besides, and takes other pairs of the rest; round 3 draws
again; rounds 4 to 7 read the third to the sixth list, and what an earlier judge got wrong.

    python training/judge_pairs.py --mined build/mined.json --out build/pairs-1
    python training/judge_pairs.py --round 2 --mined build/mined.json --out build/pairs-2
    python training/judge_pairs.py --round 4 --mined build/mined.json --errors build/errors-3.jsonl \\
        --keep-out build/pairs-2/groups-2-validation.jsonl --out build/pairs-4
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from column_groups import Domain, Group, Reserved, Synonyms, groups_of, read_composites, read_domains, read_words
from encoder import embed
from name_rewrites import NameRewriter, Neighbors, is_plain
from sources import (
    CONTRADICTION,
    DEFAULT_DATA,
    ENTAILMENT,
    NEUTRAL,
    Table,
    all_tables,
    question_synonyms,
    read_json,
    read_jsonl,
)
from wordnet import DEFAULT_DICT, WordNet

SEED = 21
BARE_SHARE = 0.3
"""Of the statements: name only. The rest follow the product's template."""

LIMITS = {
    "group": 24_000,
    "group-row": 1_200,
    "near": 10_500,
    "column": 8_000,
    "other": 4_000,
    "word": 7_000,
    "word-near": 6_000,
    "turned": 3_000,
    "short": 2_500,
    "agent": 1_200,
    "question": 1_000,
    "entity": 600,
    "sibling": 3_000,
    "table": 2_500,
    "part": 2_000,
    "stranger": 1_200,
    "same": 300,
    "lexicon": 5_000,
    "lexicon-not": 4_500,
    "question-word": 4_000,
    "mined": 700,
    "composite": 6_000,
    "composite-near": 6_000,
}
"""Most pairs of each part, so that none drowns the others."""

LIMITS_OF_LATER_ROUNDS = LIMITS | {
    "group": 56_000,
    "group-row": 2_000,
    "near": 26_000,
    "column": 20_000,
    "other": 7_000,
    "word": 5_000,
    "word-near": 5_000,
    "composite": 4_500,
    "composite-near": 4_500,
    "lexicon": 9_000,
    "lexicon-not": 8_000,
    "joined": 10_000,
    "missed": 10_000,
    "opaque": 4_000,
}
"""What the first round learned least of, and what an earlier judge got wrong."""


@dataclass(frozen=True)
class Draws:
    """How much is drawn of one of our columns."""

    same: int
    """Pairs of its names."""
    names_with_near: int
    """Names besides the first that each near-miss is set against."""
    columns: int
    """Other columns of the same kind of table: what ADVETA calls ADD."""


FIRST_DRAWS = Draws(14, 3, 3)
LATER_DRAWS = Draws(18, 3, 5)
"""Of the lists that a later round adds."""
REPEATED_DRAWS = Draws(7, 1, 3)
"""Of the lists that an earlier round has learned from."""
SELDOM_DRAWS = Draws(3, 1, 2)
"""Of the same from `FULLEST_ROUND` on, by which there are so many that a new list would be lost among them."""
FULLEST_ROUND = 7

OPAQUE_NEIGHBORS = 3
"""Columns next to one with an opaque name that it is set against."""

HARD_SHARE = 0.6
NEAREST = 40
LOWEST_COSINE, HIGHEST_COSINE = 0.35, 0.75
LEAST_TAGGED = 2
"""A WordNet sense counts as frequent if it was tagged so often in its corpus."""

DRAWS_OF_ENTITY = 40
ALONE_SHARE, TURNED_SHARE = 0.3, 0.35
"""Of composite names: those compared with the bare attribute in the entity's own table, and `attribute of entity`."""

VALIDATION_DATABASES = 6
"""One database in so many of Spider-Syn's train split is held out."""

_NUMBER = re.compile(
    r"number|count|\bnum\b|#|total|amount|age\b|price|cost|score|points|rank|height|weight|salary|population|area|year|"
    r"percent|%|rate|average|quantity|capacity|attendance|votes|wins|losses|goals|laps|length|speed|distance|how many"
)
_TIME = re.compile(r"\bdate|\btime\b|\bday\b|when|birthday|aired|timestamp")


@dataclass(frozen=True)
class Named:
    """Two names, whether the first entails the second, the part of the mix, and the word for the table's rows."""

    a: str
    b: str
    label: int
    kind: str
    row: str = ""
    type: str = ""


@dataclass(frozen=True)
class Pair:
    """One training example, as train_judge.py reads it."""

    premise: str
    hypothesis: str
    label: int
    kind: str
    otherwise: tuple[str, str]
    """The same two names written the other way, bare or in the template: for soft_labels.py."""


def guess_type(name: str) -> str:
    """The type that a column of this name most likely has."""
    if _TIME.search(name):
        return "time"
    return "number" if _NUMBER.search(name) else "text"


def statement(row: str, name: str, kind: str) -> str:
    """As `renderStatement` of src/nli/statement.ts."""
    return f"{row} {name} ({kind}).".strip()


def render(named: Named, bare: bool) -> Pair:
    """Both names in the same context: a candidate has no type of its own."""
    kind = named.type or guess_type(named.a)
    written = (statement(named.row, named.a, kind), statement(named.row, named.b, kind))
    alone = (f"{named.a}.", f"{named.b}.")
    shown, otherwise = (alone, written) if bare else (written, alone)
    return Pair(*shown, named.label, named.kind, otherwise)


def both_ways(a: str, b: str, label: int, kind: str, row: str = "", type_: str = "") -> list[Named]:
    """A pair in both directions, of the same type."""
    kind_of_type = type_ or guess_type(a)
    return [Named(a, b, label, kind, row, kind_of_type), Named(b, a, label, kind, row, kind_of_type)]


class GroupPairs:
    """Pairs of our own list: names of one group, its near-misses, other columns of its table, and of other tables."""

    def __init__(
        self,
        domains: list[Domain],
        synonyms: Synonyms,
        rng: random.Random,
        learned: list[Group] | None = None,
        repeated: Draws = REPEATED_DRAWS,
    ) -> None:
        """`learned`: in a later round, the groups that an earlier one read; `repeated`: what is drawn of those."""
        self._domains = domains
        self._synonyms = synonyms
        self._rng = rng
        self._learned = None if learned is None else frozenset(learned)
        self._repeated = repeated
        names = dict.fromkeys(n for d in domains for g in d.groups for n in (*g.names, *g.near))
        self._names = list(names)
        self._index = {name: i for i, name in enumerate(self._names)}
        self._vectors = embed(self._names)

    def training(self) -> Iterator[Named]:
        """Of groups that are not held out; their near-misses and neighbours may be."""
        for domain in self._domains:
            for group in domain.groups:
                row, draws = self._rng.choice(domain.titles), self._draws(group)
                if not group.is_held_out:
                    yield from self._same(group, row, draws.same)
                    yield from self._near(group, row, min(draws.names_with_near, len(group.names)))
                yield from self._columns(domain, group, row, draws.columns)
                yield from self._others(group, row)

    def _draws(self, group: Group) -> Draws:
        if self._learned is None:
            return FIRST_DRAWS
        return self._repeated if group in self._learned else LATER_DRAWS

    def validation(self) -> Iterator[tuple[Named, bool]]:
        """Unordered pairs of held-out groups, and whether they mean the same."""
        for domain in self._domains:
            for group in (g for g in domain.groups if g.is_held_out):
                row = domain.titles[0]
                pairs = list(combinations(group.names, 2))
                for a, b in self._rng.sample(pairs, min(6, len(pairs))):
                    yield Named(a, b, ENTAILMENT, "group", row, guess_type(a)), True
                for other in group.near:
                    yield Named(self._rng.choice(group.names), other, NEUTRAL, "near", row), False
                for named in self._columns(domain, group, row, 4):
                    if named.a in group.names:
                        yield named, False

    def _same(self, group: Group, row: str, most: int) -> Iterator[Named]:
        pairs = list(combinations(group.names, 2))
        # The first name is the surest, so its pairs come first.
        pairs.sort(key=lambda pair: (pair[0] != group.names[0], self._rng.random()))
        for a, b in pairs[:most]:
            yield from both_ways(a, b, ENTAILMENT, "group", row)
        for a, b in self._rng.sample(pairs, min(1, len(pairs))):
            if row.split()[-1] not in f"{a} {b}" and " " not in row:
                yield from both_ways(a, f"{row} {b}", ENTAILMENT, "group-row", row)

    def _near(self, group: Group, row: str, most: int) -> Iterator[Named]:
        for other in group.near:
            for name in dict.fromkeys([group.names[0], *self._rng.sample(group.names, most)]):
                if (name, other) not in self._synonyms:
                    yield from both_ways(name, other, NEUTRAL, "near", row)

    def _columns(self, domain: Domain, group: Group, row: str, count: int) -> Iterator[Named]:
        others = [n for g in domain.groups if g != group for n in g.names]
        name = self._rng.choice(group.names)
        hard = self._by_cosine(name, others)[: 2 * count]
        for _ in range(count):
            other = self._rng.choice(hard if hard and self._rng.random() < HARD_SHARE else others)
            if (name, other) not in self._synonyms and not any(
                (first, other) in self._synonyms for first in group.names
            ):
                yield from both_ways(name, other, NEUTRAL, "column", row)

    def _by_cosine(self, name: str, others: list[str]) -> list[str]:
        rows = [self._index[other] for other in others]
        cosines = self._vectors[rows] @ self._vectors[self._index[name]]
        return [others[i] for i in np.argsort(-cosines, kind="stable")]

    def _others(self, group: Group, row: str) -> Iterator[Named]:
        """Names of other tables that the encoder takes for related."""
        for name in self._rng.sample(group.names, min(3, len(group.names))):
            cosines = self._vectors @ self._vectors[self._index[name]]
            # A list is tens of thousands of names long: only those that can be among the nearest are sorted.
            least = np.partition(cosines, -NEAREST)[-NEAREST]
            close = np.flatnonzero(cosines >= least)
            nearest = close[np.argsort(-cosines[close], kind="stable")][:NEAREST]
            found = [self._names[i] for i in nearest if LOWEST_COSINE < cosines[i] < HIGHEST_COSINE]
            apart = [n for n in found if not any((first, n) in self._synonyms for first in group.names)]
            # Those that share no word may well mean the same: too few are sure to be near-misses.
            apart = [n for n in apart if set(n.split()) & set(name.split())]
            if apart:
                yield from both_ways(name, self._rng.choice(apart), NEUTRAL, "other", row)


class CompositePairs:
    """Names of an entity and its attribute, both replaced, turned round, or one of them changed for another."""

    def __init__(self, rng: random.Random) -> None:
        self._entities, self._attributes = read_composites()
        self._synonyms = Synonyms([*self._entities, *self._attributes])
        self._rng = rng

    def training(self) -> Iterator[Named]:
        """As many of both kinds, from every entity."""
        for entity in self._entities:
            for _ in range(DRAWS_OF_ENTITY):
                attribute = self._rng.choice(self._attributes)
                row = self._rng.choice((entity.names[0], self._rng.choice(entity.near), ""))
                name = self._name(entity.names, attribute)
                alone = row == entity.names[0] and self._rng.random() < ALONE_SHARE
                same = self._rng.choice(attribute.names) if alone else self._name(entity.names, attribute)
                yield from both_ways(name, same, ENTAILMENT, "composite", row)
                other = self._other(entity, attribute)
                if other:
                    yield from both_ways(name, other, NEUTRAL, "composite-near", row)

    def _name(self, entities: tuple[str, ...], attribute: Group) -> str:
        entity, word = self._rng.choice(entities), self._rng.choice(attribute.names)
        turned = self._rng.random() < TURNED_SHARE and not re.search(r"how|or|by$|on$|d$|in$|of", word)
        return f"{word} of {entity}" if turned else f"{entity} {word}"

    def _other(self, entity: Group, attribute: Group) -> str | None:
        if self._rng.random() < 0.4:
            return self._name((self._rng.choice(entity.near),), attribute)
        other = self._rng.choice(self._attributes)
        # An id may be called a code, and a code a number: not sure enough to be a near-miss.
        coded = {attribute.names[0], other.names[0]} == {"id", "code"}
        shared = set(attribute.names) & set(other.names)
        return None if shared or coded else self._name(entity.names, other)


class TablePairs:
    """Pairs made by rules from the names of real columns."""

    def __init__(
        self, tables: list[Table], rewriter: NameRewriter, words: list[Group], synonyms: Synonyms, rng: random.Random
    ) -> None:
        self._tables = tables
        self._rewriter = rewriter
        self._words = {group.names[0]: group for group in words}
        self._synonyms = synonyms
        self._neighbors = Neighbors(tables)
        self._rng = rng

    def training(self) -> Iterator[Named]:
        """Each name counts a few times: web tables repeat a few of them."""
        visits: Counter[str] = Counter()
        for table in self._tables:
            row = row_of(table)
            for index, name in enumerate(table.columns):
                if not re.fullmatch(r"[a-z#%][a-z0-9 #%'./-]{2,34}", name) or visits[name] >= (
                    4 if table.curated else 2
                ):
                    continue
                visits[name] += 1
                for found in self._of_column(table, index, name.split()):
                    yield replace(found, row=row, type=table.types[index] if table.curated else found.type)

    def _of_column(self, table: Table, index: int, words: list[str]) -> Iterator[Named]:
        name = table.columns[index]
        for make in (self._word, self._turned, self._short, self._phrases, self._question, self._siblings, self._parts):
            yield from make(name, words)
        other = self._rng.choice(table.columns)
        if (name, other) not in self._synonyms:
            yield Named(name, other, NEUTRAL, "table")
        stranger = self._rng.choice(self._rng.choice(self._tables).columns or (name,))
        if self._rng.random() < 0.2 and (name, stranger) not in self._synonyms:
            yield Named(name, stranger, NEUTRAL, "stranger")

    def _word(self, name: str, words: list[str]) -> Iterator[Named]:
        """One or two words replaced by what means the same there, or by what does not."""
        padded = f" {name} "
        present = [group for word, group in self._words.items() if f" {word} " in padded]
        if not present or len(words) < 2:
            return
        group = self._rng.choice(present)
        new = self._rng.choice(group.names[1:])
        changed = padded.replace(f" {group.names[0]} ", f" {new} ").strip()
        others = [g for g in present if g is not group and f" {g.names[0]} " in f" {changed} "]
        if others and self._rng.random() < 0.4:
            second = self._rng.choice(others)
            changed = f" {changed} ".replace(f" {second.names[0]} ", f" {self._rng.choice(second.names[1:])} ").strip()
        if _is_tidy(changed):
            yield from both_ways(name, changed, ENTAILMENT, "word")
        if group.near:
            other = padded.replace(f" {group.names[0]} ", f" {self._rng.choice(group.near)} ").strip()
            if _is_tidy(other):
                yield from both_ways(name, other, NEUTRAL, "word-near")

    def _turned(self, name: str, words: list[str]) -> Iterator[Named]:
        found = self._rewriter.paraphrase(name) if len(words) >= 2 else None
        if found and _is_tidy(found) and set(found.split()) & set(words):
            yield from both_ways(name, found, ENTAILMENT, "turned")

    def _short(self, name: str, words: list[str]) -> Iterator[Named]:
        place = self._rng.randrange(len(words))
        short = self._rewriter.abbreviation(words[place]) if self._rng.random() < 0.6 else None
        if short and short != words[place]:
            changed = " ".join([*words[:place], short, *words[place + 1 :]])
            yield from both_ways(name, changed, ENTAILMENT, "short", type_=guess_type(name))

    def _phrases(self, name: str, words: list[str]) -> Iterator[Named]:
        for phrase, agent in self._rewriter.agent_phrases.items():
            if name == phrase:
                yield from both_ways(name, agent, ENTAILMENT, "agent")
                yield from both_ways(name, f"{agent} name", ENTAILMENT, "agent")
            elif name == agent:
                yield from both_ways(name, phrase, ENTAILMENT, "agent")

    def _question(self, name: str, words: list[str]) -> Iterator[Named]:
        for place, word in enumerate(words):
            question = self._rewriter.question_words.get(word)
            if question and len(words) > 1:
                changed = " ".join([question, *words[:place], *words[place + 1 :]])
                yield from both_ways(name, changed, ENTAILMENT, "question")

    def _siblings(self, name: str, words: list[str]) -> Iterator[Named]:
        if len(words) == 1 and name.isalpha() and self._rewriter.is_entity(name.rstrip("s")):
            yield from both_ways(name, f"{name} name", ENTAILMENT, "entity")
        if len(words) != 2 or not is_plain(words):
            return
        first, head = words
        if head == "name" and self._rewriter.is_entity(first):
            yield from both_ways(name, first, ENTAILMENT, "entity")
        siblings = [f"{w} {head}" for w in self._neighbors.first_words(head) if self._are_apart(first, w)]
        siblings += [f"{first} {w}" for w in self._neighbors.heads(first) if self._are_apart(head, w)]
        if siblings:
            yield from both_ways(name, self._rng.choice(siblings), NEUTRAL, "sibling")

    def _are_apart(self, a: str, b: str) -> bool:
        return (a, b) not in self._synonyms and not self._rewriter.are_synonyms(a, b)

    def _parts(self, name: str, words: list[str]) -> Iterator[Named]:
        """A modified name entails its head, not the other way round."""
        if len(words) == 2 and words[1] != "name" and (name, words[1]) not in self._synonyms:
            yield Named(name, words[1], ENTAILMENT, "part")
            yield Named(words[1], name, NEUTRAL, "part")
            if (words[0], name) not in self._synonyms:
                yield from both_ways(name, words[0], NEUTRAL, "part")
        if self._rng.random() < 0.05:
            yield Named(name, name, ENTAILMENT, "same")


class LexiconPairs:
    """Words of WordNet's frequent senses: what means the same, what is broader, what is next to it or opposite."""

    def __init__(self, wordnet: WordNet, dict_folder: Path, rng: random.Random) -> None:
        self._wordnet = wordnet
        self._rng = rng
        self._lemmas = frequent_lemmas(dict_folder)

    def training(self) -> Iterator[Named]:
        """In a fixed order of lemmas."""
        for lemma, pos in self._lemmas:
            for found in self._wordnet.synonyms(lemma, pos, 1)[:2]:
                if (found, pos) in self._frequent and _is_word(found):
                    yield from both_ways(lemma, found, ENTAILMENT, "lexicon", type_="text")
            yield from self._opposites(lemma, pos)
            if pos == "n":
                yield from self._relatives(lemma)

    @property
    def _frequent(self) -> dict[tuple[str, str], int]:
        return self._lemmas

    def _opposites(self, lemma: str, pos: str) -> Iterator[Named]:
        for found in self._wordnet.antonyms(lemma, pos)[:1]:
            yield from both_ways(lemma, found, CONTRADICTION, "lexicon-not", type_="text")

    def _relatives(self, lemma: str) -> Iterator[Named]:
        broader = [w for w in self._wordnet.related(lemma, "@")[:1] if (w, "n") in self._frequent]
        for found in broader:
            yield Named(lemma, found, ENTAILMENT, "lexicon", type="text")
            yield Named(found, lemma, NEUTRAL, "lexicon-not", type="text")
        sisters = [w for w in self._wordnet.sisters(lemma) if (w, "n") in self._frequent and _is_word(w)]
        if sisters:
            label = CONTRADICTION if self._rng.random() < 0.5 else NEUTRAL
            yield from both_ways(lemma, self._rng.choice(sisters), label, "lexicon-not", type_="text")


def frequent_lemmas(folder: Path) -> dict[tuple[str, str], int]:
    """Words whose first sense was tagged often enough, with the count, by word and part of speech."""
    letters = {"1": "n", "2": "v", "3": "a", "5": "a", "4": "r"}
    counts: Counter[tuple[str, str]] = Counter()
    with (folder / "index.sense").open(encoding="utf-8") as lines:
        for line in lines:
            key, _, _, count = line.split()
            lemma, sense = key.split("%")
            counts[lemma.replace("_", " "), letters[sense[0]]] += int(count)
    return {key: n for key, n in sorted(counts.items()) if n >= LEAST_TAGGED and key[1] != "r" and _is_word(key[0])}


def _is_word(text: str) -> bool:
    return bool(re.fullmatch(r"[a-z]{3,14}( [a-z]{3,12})?", text))


def _is_tidy(name: str) -> bool:
    words = name.split()
    return len(set(words)) == len(words) and len(words) <= 6


def row_of(table: Table) -> str:
    """The word for a table's rows: a schema's table name; of a web page's title what is short and no year."""
    title = re.sub(r"^list of |\(.*?\)|[\d–-]+|season$|\s+$", " ", table.title.lower()).split()
    title = title[-3:] if not table.curated else title
    if title and title[-1].endswith("s") and not title[-1].endswith("ss"):
        title[-1] = title[-1].removesuffix("s")
    return " ".join(title)


def question_word_pairs(data: Path, held_out: bool) -> Iterator[tuple[str, str]]:
    """Spider-Syn's substitutions in the train databases that are (not) held out, most frequent first."""
    names = sorted({e["db_id"] for e in read_json(data / "spider-syn/train_spider.json")})
    chosen = frozenset(n for i, n in enumerate(names) if (i % VALIDATION_DATABASES == 0) == held_out)
    for phrase, others in question_synonyms(data, chosen).items():
        for other in dict.fromkeys(others):
            if _is_phrase(phrase) and _is_phrase(other) and phrase != other and phrase.rstrip("s") != other.rstrip("s"):
                yield phrase, other


def _is_phrase(text: str) -> bool:
    return bool(re.fullmatch(r"[a-z][a-z ]{2,24}", text))


def schema_validation(data: Path, tables: list[Table], synonyms: Synonyms) -> Iterator[tuple[Named, bool]]:
    """Columns of Spider's train schemas: what Spider-Syn's people wrote for them, and other columns of their table.

    The near-misses are columns of one table that share a word where there are any.
    """
    written: dict[str, list[str]] = {}
    for phrase, other in question_word_pairs(data, held_out=True):
        written.setdefault(phrase, []).append(other)
    seen: set[tuple[str, str]] = set()
    for table in (t for t in tables if t.curated):
        for index, name in enumerate(table.columns):
            others = sorted(set(table.columns) - {name}, key=lambda o: (-len(set(o.split()) & set(name.split())), o))
            for found in written.get(name, written.get(name.rstrip("s"), []))[:4]:
                if (name, found) not in seen and not set(found.split()) >= set(name.split()):
                    seen.add((name, found))
                    yield Named(name, found, ENTAILMENT, "written", row_of(table), table.types[index]), True
                    for other in others[:2]:
                        if (name, other) not in synonyms and (name, other) not in seen:
                            seen.add((name, other))
                            yield Named(name, other, NEUTRAL, "table", row_of(table), table.types[index]), False


def mined_pairs(path: Path, synonyms: Synonyms, rewriter: NameRewriter) -> Iterator[Named]:
    """Columns of one table that share values: they differ in role."""
    for a, b in read_json(path)["nearMiss"]:
        apart = (a, b) not in synonyms and not rewriter.are_synonyms(a, b)
        if apart and all(re.fullmatch(r"[a-z][a-z /']{2,30}", n) for n in (a, b)):
            yield from both_ways(a, b, NEUTRAL, "mined", type_="text")


def opaque_pairs(tables: list[Table], dict_folder: Path, rng: random.Random) -> Iterator[Named]:
    """Short names that are no frequent words (`gnp`, `bbi`) next to other columns: what can't be read is not the same."""
    words = {lemma for lemma, _ in frequent_lemmas(dict_folder)}
    for table in tables:
        row = row_of(table)
        others = [name for name in table.columns if is_plain(name.split())]
        for index, name in enumerate(table.columns):
            if re.fullmatch(r"[a-z]{1,5}", name) and not {name, name.rstrip("s")} & words:
                for other in rng.sample(others, min(OPAQUE_NEIGHBORS, len(others))):
                    if other != name:
                        yield from both_ways(name, other, NEUTRAL, "opaque", row, table.types[index])


def error_pairs(path: Path, synonyms: Synonyms) -> Iterator[Named]:
    """What an earlier judge got wrong; lists that came since may know better."""
    for record in read_jsonl(path):
        a, b = record["a"], record["b"]
        if record["same"] or (a, b) not in synonyms:
            kind, label = ("missed", ENTAILMENT) if record["same"] else ("joined", NEUTRAL)
            yield from both_ways(a, b, label, kind, record["row"], record["type"])


def choose(pairs: Iterable[Named], reserved: Reserved, limits: dict[str, int], rng: random.Random) -> list[Named]:
    """Distinct pairs without the reserved ones, each part cut to its limit, shuffled."""
    distinct: dict[tuple[str, str, str], Named] = {}
    for pair in pairs:
        if (pair.a, pair.b) not in reserved and (pair.a != pair.b or pair.kind == "same"):
            distinct.setdefault((pair.a, pair.b, pair.row), pair)
    found = list(distinct.values())
    rng.shuffle(found)
    counts: Counter[str] = Counter()
    kept = []
    for pair in found:
        counts[pair.kind] += 1
        if counts[pair.kind] <= limits[pair.kind]:
            kept.append(pair)
    return kept


def write_lines(records: Iterable[dict[str, Any]], out: Path) -> None:
    """JSON lines."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def validation_records(pairs: Iterable[tuple[Named, bool]]) -> list[dict[str, Any]]:
    """What evaluate_judge.py reads."""
    return [{"row": n.row, "a": n.a, "b": n.b, "type": n.type, "kind": n.kind, "same": same} for n, same in pairs]


def unseen(pairs: Iterable[tuple[Named, bool]], learned: list[Group]) -> Iterator[tuple[Named, bool]]:
    """Without the pairs that an earlier round's lists hold too, and those of the paper's Table 9."""
    known = {frozenset(p) for g in learned for p in (*combinations(g.names, 2), *product(g.names, g.near))}
    table9 = Reserved([])
    for named, same in pairs:
        if frozenset((named.a, named.b)) not in known and (named.a, named.b) not in table9:
            yield named, same


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Writes the judge's training pairs and validation pairs (JSONL).")
    parser.add_argument("--mined", type=Path, required=True, help="what mined_pairs.py wrote")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for pairs, groups-validation, schemas-validation"
    )
    parser.add_argument("--round", type=int, default=1, help="a later round draws other pairs for further training")
    parser.add_argument("--validation-only", action="store_true", help="of a later round: write no pairs to learn from")
    parser.add_argument("--errors", type=Path, nargs="*", default=[], help="what judge_errors.py wrote")
    parser.add_argument("--keep-out", type=Path, nargs="*", default=[], help="validation pairs of earlier rounds")
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help="folder of the source data sets")
    parser.add_argument("--dict", type=Path, default=DEFAULT_DICT, help="folder of the WordNet database files")
    parser.add_argument("--tables", type=int, help="read only so many tables of each source, for a quick trial")
    return parser.parse_args()


def main() -> None:
    args = parse_arguments()
    rng = random.Random(SEED)
    domains, words, tables = read_domains(), read_words(), all_tables(args.data, args.tables)
    synonyms = Synonyms([*groups_of(domains), *words])
    wordnet = WordNet(args.dict)
    own = GroupPairs(domains, synonyms, rng)
    # Before the round is looked at: every round has the same validation pairs.
    of_groups = list(own.validation())
    of_schemas = list(schema_validation(args.data, tables, synonyms))
    write_lines(validation_records(of_groups), args.out / "groups-validation.jsonl")
    write_lines(validation_records(of_schemas), args.out / "schemas-validation.jsonl")
    reserved = Reserved([(named.a, named.b) for named, _ in (*of_groups, *of_schemas)])
    if args.round > 1:
        rng.seed(SEED + args.round)
        added = [domain for earlier in range(2, args.round + 1) for domain in read_domains(earlier)]
        # A round without a list of its own draws again from all that were added.
        newest = read_domains(args.round) or added
        learned = groups_of([*domains, *(domain for domain in added if domain not in newest)])
        groups = groups_of([*domains, *added])
        synonyms = Synonyms([*groups, *words])
        of_added = list(unseen(GroupPairs(newest, synonyms, rng).validation(), learned))
        write_lines(validation_records(of_added), args.out / f"groups-{args.round}-validation.jsonl")
        if args.validation_only:
            return
        reserved = Reserved(
            [
                *((named.a, named.b) for named, _ in (*of_groups, *of_schemas, *of_added)),
                *((record["a"], record["b"]) for path in args.keep_out for record in read_jsonl(path)),
            ],
            [group for group in groups if group.is_held_out],
        )
        repeated = REPEATED_DRAWS if args.round < FULLEST_ROUND else SELDOM_DRAWS
        own = GroupPairs([*domains, *added], synonyms, rng, learned, repeated)
    # Substitutions of the held-out databases are in the rewriter too; `reserved` keeps their pairs out.
    rewriter = NameRewriter(wordnet, args.data, rng)
    parts: list[Callable[[], Iterator[Named]]] = [
        own.training,
        CompositePairs(rng).training,
        TablePairs(tables, rewriter, words, synonyms, rng).training,
        LexiconPairs(wordnet, args.dict, rng).training,
        lambda: (
            n for a, b in question_word_pairs(args.data, False) for n in both_ways(a, b, ENTAILMENT, "question-word")
        ),
        lambda: mined_pairs(args.mined, synonyms, rewriter),
        lambda: (pair for path in args.errors for pair in error_pairs(path, synonyms)),
    ]
    if args.round >= FULLEST_ROUND:
        parts.append(lambda: opaque_pairs(tables, args.dict, rng))
    limits = LIMITS if args.round == 1 else LIMITS_OF_LATER_ROUNDS
    chosen = choose((pair for part in parts for pair in part()), reserved, limits, rng)
    write_lines((asdict(render(n, rng.random() < BARE_SHARE)) for n in chosen), args.out / "pairs.jsonl")
    print(f"{len(chosen)} pairs, {len(of_groups)} and {len(of_schemas)} to validate in {args.out}")
    for (kind, label), count in sorted(Counter((n.kind, n.label) for n in chosen).items()):
        print(f"  {kind:14} {label} {count}")


if __name__ == "__main__":
    main()
