"""Writes pairs of column names with entailment labels: the first and the second step of the judge v0.1.

Step 1 makes equivalents and near-misses from schemas, WordNet, Spider-Syn's train split and rewrite rules. Step 2 adds
what the first judge was weak at (abbreviations, question words, agent phrases, inversions, redundant heads, sibling
modifiers and heads, pairs mined from tables) and keeps a part of the first step's near-misses.

    python training/column_pairs.py --step 1 --out build/pairs-1.jsonl
    python training/column_pairs.py --step 2 --first build/pairs-1.jsonl --mined build/mined.json \\
        --out build/pairs-2.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from name_rewrites import LISTS_FILE, NameRewriter, Neighbors, held_out_pairs, is_held_out, is_plain
from near_names import NearNames
from sources import CONTRADICTION, DEFAULT_DATA, ENTAILMENT, NEUTRAL, Table, all_tables, read_json, read_jsonl
from wordnet import DEFAULT_DICT, WordNet

SEEDS = {1: 7, 2: 11}
"""Seeds of the first recipes."""

KEPT_KINDS = frozenset({"near", "rand", "sister", "hyper", "hypo", "mod", "suf"})
NEW_PAIRS, KEPT_PAIRS = 46_000, 16_000
"""Size of the second step's mix."""

MINED_EQUIVALENTS = 160
"""Only the strongest of the mined equivalents are used: they are unchecked."""


@dataclass(frozen=True)
class Pair:
    """One training example; `kind` names the rule that made it."""

    premise: str
    hypothesis: str
    label: int
    kind: str


@dataclass(frozen=True)
class Context:
    """What stands around a name in the premise and hypothesis, as in ADVETA §4.4: `{table} {name} ({type}).`"""

    title: str
    type: str


class PairWriter:
    """Collects pairs, and holds back those of the paper's Table 9."""

    def __init__(self, rng: random.Random) -> None:
        self.pairs: list[Pair] = []
        self._rng = rng
        self._held_out = held_out_pairs()

    def _sentence(self, context: Context, name: str) -> str:
        # Bare, with its type, or with its table too: the judge must not lean on one template.
        draw = self._rng.random()
        if draw < 0.2:
            return f"{name}."
        kind = context.type if context.type in ("number", "time", "boolean") else "text"
        return f"{context.title} {name} ({kind}).".strip() if draw < 0.8 else f"{name} ({kind})."

    def add(self, a: str, b: str, label: int, kind: str, context: Context, other: Context | None = None) -> None:
        """Adds a pair; `other` is the context of the second name where it differs."""
        if not is_held_out(a, b, self._held_out):
            premise, hypothesis = self._sentence(context, a), self._sentence(other or context, b)
            self.pairs.append(Pair(premise, hypothesis, label, kind))

    def add_both(self, a: str, b: str, label: int, kind: str, context: Context) -> None:
        """Adds a pair in both directions."""
        self.add(a, b, label, kind, context)
        self.add(b, a, label, kind, context)


class Recipe:
    """What both steps share: the tables, the rewriter, and the walk over columns."""

    def __init__(self, tables: list[Table], rewriter: NameRewriter, rng: random.Random) -> None:
        self._tables = tables
        self._rewriter = rewriter
        self._rng = rng
        self._writer = PairWriter(rng)

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability

    def _walk(
        self,
        visit: Callable[[Table, int, Context], None],
        longest: int,
        title_share: float,
        limits: tuple[float, float],
    ) -> None:
        """Visits each column; a name counts at most `limits` times (curated, web): web tables repeat a few names."""
        visits: Counter[str] = Counter()
        for table in self._tables:
            for index, name in enumerate(table.columns):
                if not 1 < len(name) < longest or not name.split() or visits[name] >= limits[0 if table.curated else 1]:
                    continue
                visits[name] += 1
                title = table.title if self._chance(title_share) else ""
                visit(table, index, Context(title, table.types[index]))

    def _add_other_column(self, table: Table, index: int, context: Context) -> None:
        other = self._rng.randrange(len(table.columns))
        if table.columns[other] != table.columns[index]:
            there = Context(context.title, table.types[other])
            self._writer.add(table.columns[index], table.columns[other], NEUTRAL, "table", context, there)


class FirstStep(Recipe):
    """Equivalents by paraphrase, and near-misses from the lexicon, the same table, other tables and the encoder."""

    def __init__(self, tables: list[Table], rewriter: NameRewriter, rng: random.Random, near: NearNames | None) -> None:
        super().__init__(tables, rewriter, rng)
        self._near = near
        self._all = [(name, kind) for table in tables for name, kind in zip(table.columns, table.types, strict=True)]

    def run(self) -> list[Pair]:
        """All pairs of the step, shuffled."""
        self._walk(self._visit, longest=40, title_share=0.8, limits=(float("inf"), 6))
        self._rng.shuffle(self._writer.pairs)
        return self._writer.pairs

    def _visit(self, table: Table, index: int, context: Context) -> None:
        name = table.columns[index]
        for _ in range(2 if table.curated else 1):
            self._add_paraphrase(name, context)
        self._add_other_column(table, index, context)
        self._add_stranger(name, context)
        self._add_near(name, context)
        self._add_lexical(name, context)
        self._add_parts(name, context)
        if self._chance(0.05):
            self._writer.add(name, name, ENTAILMENT, "same", context)

    def _add_paraphrase(self, name: str, context: Context) -> None:
        found = self._rewriter.paraphrase(name)
        if found and self._chance(0.5):
            self._writer.add(name, found, ENTAILMENT, "syn", context)
        if found and self._chance(0.7):
            self._writer.add(found, name, ENTAILMENT, "syn", context)

    def _add_stranger(self, name: str, context: Context) -> None:
        if self._chance(0.5):
            other, kind = self._rng.choice(self._all)
            if other != name:
                self._writer.add(name, other, NEUTRAL, "rand", context, Context(context.title, kind))

    def _add_near(self, name: str, context: Context) -> None:
        found = self._near.draw(name, self._rng) if self._near else None
        if found and found != name:
            a, b = (name, found) if self._chance(0.5) else (found, name)
            self._writer.add(a, b, NEUTRAL, "near", context)

    def _add_lexical(self, name: str, context: Context) -> None:
        """A narrower name entails a broader one, not the other way round; sisters exclude each other or not."""
        broader = self._rewriter.broader(name) if self._chance(0.5) else None
        if broader:
            self._writer.add(name, broader, ENTAILMENT, "hyper", context)
            self._writer.add(broader, name, NEUTRAL, "hyper", context)
        narrower = self._rewriter.narrower(name) if self._chance(0.3) else None
        if narrower:
            self._writer.add(narrower, name, ENTAILMENT, "hypo", context)
            self._writer.add(name, narrower, NEUTRAL, "hypo", context)
        sister = self._rewriter.sister(name) if self._chance(0.5) else None
        if sister and sister != name:
            self._writer.add(name, sister, CONTRADICTION if self._chance(0.5) else NEUTRAL, "sister", context)

    def _add_parts(self, name: str, context: Context) -> None:
        words = name.split()
        if len(words) >= 2 and self._chance(0.4):
            self._writer.add(name, words[-1], ENTAILMENT, "mod", context)
            self._writer.add(words[-1], name, NEUTRAL, "mod", context)
            self._writer.add(words[0], name, NEUTRAL, "mod", context)
        if len(words) == 1 and self._chance(0.3):
            suffix = self._rng.choice(self._rewriter.attribute_suffixes)
            self._writer.add(name, f"{name} {suffix}", NEUTRAL, "suf", context)


class SecondStep(Recipe):
    """Equivalents in both directions and near-misses that share a word, after what the first judge got wrong."""

    def __init__(self, tables: list[Table], rewriter: NameRewriter, rng: random.Random) -> None:
        super().__init__(tables, rewriter, rng)
        self._neighbors = Neighbors(tables)

    def run(self, mined: dict[str, list[list[str]]], first: list[Pair]) -> list[Pair]:
        """The step's pairs mixed with near-misses of the first step, shuffled."""
        self._walk(self._visit, longest=36, title_share=0.6, limits=(8, 3))
        self._add_mined(mined)
        self._rng.shuffle(self._writer.pairs)
        kept = [pair for pair in first if pair.kind in KEPT_KINDS]
        self._rng.shuffle(kept)
        mix = self._writer.pairs[:NEW_PAIRS] + kept[:KEPT_PAIRS]
        self._rng.shuffle(mix)
        return mix

    def _visit(self, table: Table, index: int, context: Context) -> None:
        name = table.columns[index]
        words = name.split()
        self._add_abbreviation(name, words, context)
        self._add_agent_phrase(name, context)
        self._add_question_word(name, words, context)
        if len(words) == 2 and is_plain(words):
            self._add_two_words(name, words[0], words[1], context)
        if len(words) == 1 and name.isalpha():
            self._add_redundant_head(name, context)
        for _ in range(2 if table.curated else 1):
            self._add_paraphrase(name, words, context)
        self._add_other_column(table, index, context)

    def _equivalent(self, a: str, b: str, kind: str, context: Context) -> None:
        self._writer.add_both(a, b, ENTAILMENT, kind, context)

    def _add_abbreviation(self, name: str, words: list[str], context: Context) -> None:
        if self._chance(0.5):
            place = self._rng.randrange(len(words))
            short = self._rewriter.abbreviation(words[place])
            if short and short != words[place]:
                self._equivalent(name, " ".join([*words[:place], short, *words[place + 1 :]]), "abbr", context)

    def _add_agent_phrase(self, name: str, context: Context) -> None:
        for phrase, agent in self._rewriter.agent_phrases.items():
            if name == phrase:
                self._equivalent(name, agent, "by", context)
                self._equivalent(name, f"{agent} name", "by", context)
            elif name == agent:
                self._equivalent(name, phrase, "by", context)

    def _add_question_word(self, name: str, words: list[str], context: Context) -> None:
        for place, word in enumerate(words):
            question = self._rewriter.question_words.get(word)
            if question and self._chance(0.7 if len(words) > 1 else 0.5):
                self._equivalent(name, " ".join([question, *words[:place], *words[place + 1 :]]), "q", context)

    def _add_two_words(self, name: str, first: str, head: str, context: Context) -> None:
        if self._chance(0.3):
            self._equivalent(name, f"{head} of {first}", "inv", context)
        others = self._neighbors.first_words(head)
        self._add_sibling(name, [(w, f"{w} {head}") for w in others], first, "sibmod", 0.5, context)
        others = self._neighbors.heads(first)
        self._add_sibling(name, [(w, f"{first} {w}") for w in others], head, "sibhead", 0.3, context)
        if head == "name" and self._rewriter.is_entity(first):
            self._equivalent(name, first, "ename", context)

    def _add_sibling(
        self, name: str, siblings: list[tuple[str, str]], word: str, kind: str, both: float, context: Context
    ) -> None:
        apart = [sibling for w, sibling in siblings if w != word and not self._rewriter.are_synonyms(word, w)]
        if apart:
            sibling = self._rng.choice(apart)
            self._writer.add(name, sibling, NEUTRAL, kind, context)
            if self._chance(both):
                self._writer.add(sibling, name, NEUTRAL, kind, context)

    def _add_redundant_head(self, name: str, context: Context) -> None:
        """`driver` is `driver name`, but `height` is no `height name`."""
        if self._rewriter.is_entity(name.rstrip("s")):
            if self._chance(0.7):
                self._equivalent(name, f"{name} name", "ename", context)
        elif self._chance(0.1):
            self._writer.add(f"{name} name", name, NEUTRAL, "nname", context)

    def _add_paraphrase(self, name: str, words: list[str], context: Context) -> None:
        found = self._rewriter.paraphrase(name)
        if not found:
            return
        if len(words) >= 2 and self._chance(0.4):
            again = self._rewriter.paraphrase(found)
            found = again if again and again != name else found
        if self._chance(0.6):
            self._writer.add(name, found, ENTAILMENT, "syn", context)
        if self._chance(0.6):
            self._writer.add(found, name, ENTAILMENT, "syn", context)

    def _add_mined(self, mined: dict[str, list[list[str]]]) -> None:
        """Mined pairs are few and real: each equivalent counts three times, each near-miss twice."""
        bare = Context("", "text")
        bad = frozenset(read_json(LISTS_FILE)["badMinedNames"])
        for a, b in mined["equivalent"][:MINED_EQUIVALENTS]:
            if _is_name(a) and _is_name(b) and not bad & {a, b}:
                for _ in range(3):
                    self._equivalent(a, b, "ovpos", bare)
        for a, b in mined["nearMiss"]:
            if _is_name(a) and _is_name(b) and not self._rewriter.are_synonyms(a, b):
                for _ in range(2):
                    self._writer.add_both(a, b, NEUTRAL, "ovneg", bare)


def _is_name(text: str) -> bool:
    return not re.fullmatch(r"[\d\W ]+|\w{1,2}", text)


def write_pairs(pairs: list[Pair], out: Path) -> None:
    """One pair a line."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in pairs)


def run(args: argparse.Namespace) -> list[Pair]:
    """The pairs of the step that the arguments ask for."""
    rng = random.Random(SEEDS[args.step])
    tables = all_tables(args.data, args.tables)
    rewriter = NameRewriter(WordNet(args.dict), args.data, rng)
    if args.step == 1:
        near = None if args.without_encoder else NearNames(tables)
        return FirstStep(tables, rewriter, rng, near).run()
    first = [Pair(**record) for record in read_jsonl(args.first)]
    return SecondStep(tables, rewriter, rng).run(read_json(args.mined), first)


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes pairs of column names with entailment labels (JSONL).")
    parser.add_argument("--step", type=int, choices=sorted(SEEDS), required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help="folder of the source data sets")
    parser.add_argument("--dict", type=Path, default=DEFAULT_DICT, help="folder of the WordNet database files")
    parser.add_argument("--tables", type=int, help="read only so many tables of each source, for a quick trial")
    parser.add_argument("--without-encoder", action="store_true", help="step 1: make no near-misses by embedding")
    parser.add_argument("--first", type=Path, help="step 2: the pairs of step 1")
    parser.add_argument("--mined", type=Path, help="step 2: what mined_pairs.py wrote")
    args = parser.parse_args()
    if args.step == 2 and not (args.first and args.mined):
        parser.error("step 2 needs --first (pairs of step 1) and --mined (output of mined_pairs.py)")
    pairs = run(args)
    write_pairs(pairs, args.out)
    counts = Counter((pair.kind, pair.label) for pair in pairs)
    print(f"{len(pairs)} pairs in {args.out}")
    for (kind, label), count in sorted(counts.items()):
        print(f"  {kind:8} {label} {count}")


if __name__ == "__main__":
    main()
