"""Writes ordinary sentence pairs of our own, made of frames and WordNet: what the judge learns from besides Breaking-NLI.

Broader and narrower words in upward and downward places, all, some and none, negation, opposites, other kinds of the same
thing, numbers, and an adjective more or less. A fixed random source: the same lists give the same file.

    python training/sentence_pairs.py --out build/sentences.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from judge_pairs import frequent_lemmas
from sources import CONTRADICTION, ENTAILMENT, LABELS, NEUTRAL
from wordnet import DEFAULT_DICT, WordNet

SEED = 7
PAIRS = 6_000
SOURCE = "own_sentences"

PEOPLE = ("a man", "a woman", "the teacher", "the old man", "a girl", "the boy", "my neighbor", "the tourist")
UPWARD = (
    "{} is holding {}.",
    "{} bought {} yesterday.",
    "{} is standing next to {}.",
    "{} saw {} in the street.",
    "{} is drawing {}.",
)
DOWNWARD = ("{} never owned {}.", "{} does not want {}.", "{} left without {}.", "{} has not seen {}.")
OTHERS = ("{} is holding {}.", "{} is looking only at {}.", "The only thing that {} carries is {}.")
ADJECTIVES = ("red", "small", "old", "new", "broken", "wooden", "heavy", "blue", "strange", "cheap")
STATES = ("were sold", "are on the table", "have disappeared", "were found in the garden", "are ready")
NUMBERS = ("Two", "Three", "Four", "Five", "Seven", "Ten")
THINGS = frozenset({"artifact", "animal", "food", "plant"})

Pair = tuple[str, str, int]


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _many(noun: str) -> str:
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


class SentencePairs:
    """Draws pairs about things that WordNet's frequent nouns name."""

    def __init__(self, wordnet: WordNet, dict_folder: Path, rng: random.Random) -> None:
        self._wordnet = wordnet
        self._rng = rng
        lemmas = frequent_lemmas(dict_folder)
        self._common = {word for word, pos in lemmas if pos == "n"}
        self._things = [word for word in sorted(self._common) if wordnet.is_a(word, THINGS)]
        self._adjectives = [word for word, pos in lemmas if pos == "a" and self._opposites(word)]

    def draw(self) -> Iterator[Pair]:
        """Pairs without end; some of them come twice."""
        kinds: tuple[Callable[[], Iterator[Pair]], ...] = (
            self._broader,
            self._sisters,
            self._quantified,
            self._negated,
            self._opposed,
            self._modified,
        )
        while True:
            yield from self._rng.choice(kinds)()

    def _opposites(self, word: str) -> list[str]:
        return [found for found in self._wordnet.antonyms(word, "a") if " " not in found]

    def _filled(self, frame: str, *nouns: str) -> list[str]:
        person = self._rng.choice(PEOPLE)
        return [_sentence(frame.format(person, _a(noun))) for noun in nouns]

    def _broader(self) -> Iterator[Pair]:
        noun = self._rng.choice(self._things)
        broader = [word for word in self._wordnet.related(noun, "@")[:1] if word in self._common]
        for word in broader:
            narrow, wide = self._filled(self._rng.choice(UPWARD), noun, word)
            yield narrow, wide, ENTAILMENT
            yield wide, narrow, NEUTRAL
            narrow, wide = self._filled(self._rng.choice(DOWNWARD), noun, word)
            yield wide, narrow, ENTAILMENT
            yield narrow, wide, NEUTRAL

    def _sisters(self) -> Iterator[Pair]:
        noun = self._rng.choice(self._things)
        sisters = [word for word in self._wordnet.sisters(noun) if word in self._common]
        if sisters:
            one, other = self._filled(self._rng.choice(OTHERS), noun, self._rng.choice(sisters))
            yield one, other, CONTRADICTION

    def _quantified(self) -> Iterator[Pair]:
        nouns, state = _many(self._rng.choice(self._things)), self._rng.choice(STATES)
        every, some, none = (f"{word} of the {nouns} {state}." for word in ("All", "Some", "None"))
        low, high = self._rng.sample(NUMBERS, 2)
        yield self._rng.choice(((every, some, ENTAILMENT), (some, every, NEUTRAL)))
        yield self._rng.choice(((every, none, CONTRADICTION), (none, some, CONTRADICTION), (some, none, CONTRADICTION)))
        yield f"Exactly {low.lower()} {nouns} {state}.", f"Exactly {high.lower()} {nouns} {state}.", CONTRADICTION

    def _negated(self) -> Iterator[Pair]:
        noun, adjective = self._rng.choice(self._things), self._rng.choice(ADJECTIVES)
        yes, no = f"The {noun} is {adjective}.", f"The {noun} is not {adjective}."
        yield self._rng.choice(((yes, no, CONTRADICTION), (no, yes, CONTRADICTION)))
        yield f"The {noun} is {adjective} and clean.", yes, ENTAILMENT
        yield yes, f"The {noun} is {adjective} and clean.", NEUTRAL

    def _opposed(self) -> Iterator[Pair]:
        adjective = self._rng.choice(self._adjectives)
        person, other = self._rng.choice(PEOPLE), self._rng.choice(self._opposites(adjective))
        for a, b in ((adjective, other), (other, adjective)):
            yield _sentence(f"{person} is {a}."), _sentence(f"{person} is {b}."), CONTRADICTION

    def _modified(self) -> Iterator[Pair]:
        noun, frame = self._rng.choice(self._things), self._rng.choice(UPWARD)
        more, plain = self._filled(frame, f"{self._rng.choice(ADJECTIVES)} {noun}", noun)
        yield more, plain, ENTAILMENT
        yield plain, more, NEUTRAL


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes sentence pairs of our own (JSONL).")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--dict", type=Path, default=DEFAULT_DICT, help="folder of the WordNet database files")
    args = parser.parse_args()
    found: dict[tuple[str, str], int] = {}
    for premise, hypothesis, label in SentencePairs(WordNet(args.dict), args.dict, random.Random(SEED)).draw():
        found.setdefault((premise, hypothesis), label)
        if len(found) == PAIRS:
            break
    args.out.parent.mkdir(parents=True, exist_ok=True)
    with args.out.open("w", encoding="utf-8") as file:
        for (premise, hypothesis), label in found.items():
            record = {"premise": premise, "hypothesis": hypothesis, "label": LABELS[label], "source": SOURCE}
            file.write(json.dumps(record) + "\n")
    print(f"{len(found)} pairs in {args.out}")


if __name__ == "__main__":
    main()
