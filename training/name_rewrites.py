"""Rules that turn a column name into one that means the same, or into one that only looks like it.

The word lists lie in column_rewrites.json. Its `heldOut` names are the hard cases of the paper's Table 9: no pair of
them is ever written, so that the table stays a test.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from pathlib import Path

from sources import Table, question_synonyms, read_json
from wordnet import WordNet

LISTS_FILE = Path(__file__).with_name("column_rewrites.json")
LONGEST_WORD = 20
"""Longer WordNet entries are phrases of a dictionary, hardly ever a column's name."""


def held_out_pairs() -> frozenset[frozenset[str]]:
    """Names of the paper's Table 9, in pairs."""
    return frozenset(frozenset(pair) for pair in read_json(LISTS_FILE)["heldOut"])


def _without_common_start(a: str, b: str) -> frozenset[str]:
    left, right = a.split(), b.split()
    while len(left) > 1 and len(right) > 1 and left[0] == right[0]:
        left, right = left[1:], right[1:]
    return frozenset((" ".join(left), " ".join(right)))


def is_held_out(a: str, b: str, held_out: frozenset[frozenset[str]]) -> bool:
    """Whether two names are a pair of Table 9, be it behind a shared first word (`book author`, `book written by`)."""
    return frozenset((a, b)) in held_out or _without_common_start(a, b) in held_out


def is_plain(words: list[str]) -> bool:
    """Whether a name holds only letters."""
    return all(word.isalpha() for word in words)


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 and not word.endswith("ss") else word


def _short(words: list[str]) -> list[str]:
    return [word for word in words if len(word) < LONGEST_WORD]


class NameRewriter:
    """Draws rewritten names; the same random source gives the same names."""

    def __init__(self, wordnet: WordNet, data: Path, rng: random.Random) -> None:
        lists = read_json(LISTS_FILE)
        self._wordnet = wordnet
        self._rng = rng
        self._question_synonyms = question_synonyms(data)
        self._synonyms: dict[str, list[str]] = lists["synonyms"]
        self._abbreviations: dict[str, list[str]] = lists["abbreviations"]
        self._frames: dict[str, list[str]] = {
            "count": lists["countFrames"],
            "name": lists["nameFrames"],
            "id": lists["identifierFrames"],
            "date": lists["dateFrames"],
        }
        self._invertible = frozenset(lists["invertibleHeads"])
        self._fixed = frozenset(lists["fixedWords"])
        self._entity_roots = frozenset(lists["entityRoots"])
        self._entities: dict[str, bool] = {}
        self.agent_phrases: dict[str, str] = lists["agentPhrases"]
        self.question_words: dict[str, str] = lists["questionWords"]

    def is_entity(self, word: str) -> bool:
        """Whether a noun names a thing of its own, so that `driver` and `driver name` mean the same column."""
        if word not in self._entities:
            self._entities[word] = self._wordnet.is_a(word, self._entity_roots)
        return self._entities[word]

    def are_synonyms(self, a: str, b: str) -> bool:
        """Whether WordNet holds two words for synonyms: such near-misses would be wrongly labelled."""
        wordnet = self._wordnet
        return b in wordnet.synonyms(a, "n", 4) or a in wordnet.synonyms(b, "n", 4) or a.rstrip("s") == b.rstrip("s")

    def _wordnet_synonyms(self, word: str) -> list[str]:
        base = _singular(word)
        found = self._wordnet.synonyms(base, "n", 1)[:4]
        if not self._wordnet.senses(base, "n", 1):
            found = found + self._wordnet.synonyms(base, "v", 1)[:2] + self._wordnet.synonyms(base, "a", 1)[:3]
        found = _short(found)
        return found if base == word else [w if w.endswith("s") else w + "s" for w in found]

    def word_synonyms(self, word: str) -> list[str]:
        """Replacements of one word, the likeliest first; our own list counts twice."""
        listed = self._synonyms.get(word, []) * 2
        written = list(dict.fromkeys(self._question_synonyms.get(word, [])))[:3]
        return [w for w in listed + written + self._wordnet_synonyms(word) if w != word]

    def _fill(self, frame: str, thing: str) -> str:
        return self._rng.choice(self._frames[frame]).format(thing)

    def _turned(self, name: str, words: list[str]) -> str | None:
        """The same words in another frame: `number of games` as `game count`, `date of birth` as `birth date`."""
        counted = re.fullmatch(r"(?:number|count|no\.?|num|#) of (.+)|(.+) count", name)
        if counted:
            return self._fill("count", counted[1] or counted[2])
        if words[-1] == "name" and len(words) == 2:
            return self._fill("name", words[0])
        if words[-1] in ("id", "date"):
            return self._fill(words[-1], " ".join(words[:-1]))
        if len(words) == 3 and words[1] == "of":
            return f"{words[2]} {words[0]}"
        if len(words) == 2 and words[1] in self._invertible:
            return f"{words[1]} of {words[0]}"
        return None

    def _with_listed_phrase(self, name: str) -> str | None:
        for phrase, others in self._synonyms.items():
            if " " in phrase and phrase in name:
                return name.replace(phrase, self._rng.choice(others))
        if name in self._question_synonyms and self._rng.random() < 0.5:
            return self._rng.choice(self._question_synonyms[name])
        return None

    def _with_other_words(self, words: list[str]) -> str | None:
        places = [i for i, word in enumerate(words) if word not in self._fixed and self.word_synonyms(word)]
        if not places:
            return None
        changed = list(words)
        for place in self._rng.sample(places, 1 if self._rng.random() < 0.65 else min(len(places), 2)):
            choices = self.word_synonyms(words[place])
            changed[place] = choices[min(int(self._rng.expovariate(0.6)), len(choices) - 1)]
        return " ".join(changed)

    def paraphrase(self, name: str) -> str | None:
        """A name that means the same, or None."""
        words = name.split()
        turned = self._turned(name, words) if len(words) >= 2 and self._rng.random() < 0.35 else None
        found = turned or self._with_listed_phrase(name) or self._with_other_words(words)
        return found if found != name else None

    def abbreviation(self, word: str) -> str | None:
        """A listed abbreviation, else the first letters or the consonants of a long word."""
        if word in self._abbreviations and self._rng.random() < 0.8:
            return self._rng.choice(self._abbreviations[word])
        if len(word) < 5 or not word.isalpha():
            return None
        draw = self._rng.random()
        if draw < 0.4:
            return word[: self._rng.choice([3, 4])] + self._rng.choice([".", ""])
        return word[0] + re.sub("[aeiou]", "", word[1:])[:4] if draw < 0.7 else None


class Neighbors:
    """Two-word names that share a head or a first word: `home team` and `away team`, `term start` and `term end`."""

    def __init__(self, tables: list[Table]) -> None:
        self._first_words: dict[str, Counter[str]] = defaultdict(Counter)
        self._heads: dict[str, Counter[str]] = defaultdict(Counter)
        for table in tables:
            for name in dict.fromkeys(table.columns):
                words = name.split()
                if len(words) == 2 and is_plain(words):
                    self._first_words[words[1]][words[0]] += 1
                    self._heads[words[0]][words[1]] += 1

    def first_words(self, head: str) -> list[str]:
        """First words seen before a head."""
        return list(self._first_words.get(head, ()))

    def heads(self, first_word: str) -> list[str]:
        """Heads seen after a first word."""
        return list(self._heads.get(first_word, ()))
