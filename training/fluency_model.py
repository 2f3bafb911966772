"""Makes the language model behind the fluency score (MT-TEQL preprint §4.1): `models/fluency/fluency.bin`.

Two trigram models with interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998), one over the questions of
Spider's train split and one over WordNet's definitions and examples, mixed with one weight; a word outside the
vocabulary is spelled by a model of letters. Each is a proper distribution, pruned n-grams included: the mass of what
was pruned goes to the shorter context. No dev or test question is read.

    python training/fluency_model.py --out models/fluency --check test/fluency/expected.json

src/fluency/ reads the folder; --check writes what this program says of a few sentences, for its tests.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import re
import struct
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from sources import DEFAULT_DATA, read_json
from wordnet import DEFAULT_DICT, FILE_OF_POS

MAGIC = b"PQLM"
VERSION = 1
ORDER = 3
UNKNOWN, START, END, VALUE, NUMBER = "<unk>", "<s>", "</s>", "<value>", "<number>"
SPECIAL = (UNKNOWN, START, END, VALUE, NUMBER)
LEAST_USES = 2
"""Uses, in both texts together, from which a word is in the vocabulary."""
LEAST_BIGRAM, LEAST_TRIGRAM = 2, 2
"""Uses from which an n-gram of WordNet's text is kept; those of the questions all are."""
TOKEN = re.compile(r'("[^"]*")|(\d+(?:[.,]\d+)*)|([^\W\d_]+(?:[\'’][^\W\d_]+)?)|\S')
OTHER_LETTER, WORD_END = 26, 27
"""Symbols of the letter model besides a to z."""
CHECKED = (
    "What is the average age of all singers?",
    "Singers all of age average the is what?",
    'Tell me the names of the students who live in "New York" and are older than 20.',
    "How many zyxgard flurbs do we have?",
    "",
)

FACTS = {
    "task": "fluency",
    "name": "perturbql-fluency",
    "revision": "v1",
    "license": "CC-BY-SA-4.0, see models/LICENSE",
    "nonCommercial": False,
    "made": "Two trigram models with interpolated modified Kneser-Ney smoothing, over questions of Spider's train split (eight "
    "tenths of its databases; CC BY-SA 4.0) and over WordNet 3.1's definitions and examples (WordNet license). No dev or test "
    "question was read. See training/README.md.",
}
FILE = "fluency.bin"

Sentence = list[str]
NGram = tuple[int, ...]


def tokenize(text: str) -> Sentence:
    """Words in small letters and single signs; quoted values and numbers are one token each, whatever they say."""
    tokens = []
    for match in TOKEN.finditer(text.lower()):
        quoted, number, _ = match.groups()
        tokens.append(VALUE if quoted else NUMBER if number else match.group().replace("’", "'"))
    return tokens


def fold_of(database: str) -> int:
    """One of ten parts that databases fall into, by their names: 0 measures, 1 chooses the weight, the others train."""
    return hashlib.sha256(database.encode()).digest()[0] % 10


def spider_questions(data: Path) -> dict[int, list[str]]:
    """Questions of Spider's train split by the fold of their database."""
    folds = defaultdict(list)
    for example in read_json(data / "spider/train.json"):
        folds[fold_of(example["db_id"])].append(example["question"])
    return folds


def wordnet_texts(folder: Path) -> Iterator[str]:
    """WordNet's definitions and, each for itself, its examples."""
    for name in FILE_OF_POS.values():
        for line in (folder / f"data.{name}").read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue
            gloss = line.split("|", 1)[1].strip()
            yield from (example for example in re.findall(r'"([^"]+)"', gloss))
            definition = re.sub(r'[;,:]?\s*"[^"]*"', "", gloss).strip(" ;")
            if definition:
                yield definition


@dataclass(frozen=True)
class Vocabulary:
    """Words by number, the special ones first, then the most frequent first."""

    words: tuple[str, ...]
    ids: dict[str, int]

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> Vocabulary:
        uses = Counter(word for sentence in sentences for word in sentence)
        kept = sorted((w for w, n in uses.items() if n >= LEAST_USES and w not in SPECIAL), key=lambda w: (-uses[w], w))
        words = (*SPECIAL, *kept)
        return cls(words, {word: index for index, word in enumerate(words)})

    def encode(self, sentence: Sentence) -> list[int]:
        start, end = self.ids[START], self.ids[END]
        return [start, start, *(self.ids.get(word, 0) for word in sentence), end]


class KneserNey:
    """Interpolated modified Kneser-Ney over trigrams, with the totals of the unpruned counts."""

    def __init__(self, sentences: Iterable[list[int]], size: int, cutoffs: tuple[int, int]) -> None:
        trigrams: Counter[NGram] = Counter()
        starts: Counter[NGram] = Counter()
        for ids in sentences:
            trigrams.update(zip(ids, ids[1:], ids[2:], strict=False))
            starts[(ids[1], ids[2])] += 1
        # A bigram counts as often as words go before it; the one at a sentence's start, before which nothing varies, by its uses.
        bigrams = Counter((b, c) for _, b, c in trigrams) | starts
        unigrams = Counter(c for _, c in bigrams)
        self.size = size
        self.levels = [{(word,): n for word, n in unigrams.items()}, dict(bigrams), dict(trigrams)]
        self.discounts = [self._discounts(level.values()) for level in self.levels]
        self.totals = [self._totals(level) for level in self.levels]
        self._prune(trigrams, cutoffs)
        self.left = [self._left(level) for level in range(ORDER)]

    @staticmethod
    def _discounts(counts: Iterable[int]) -> tuple[float, float, float]:
        of = Counter(counts)
        y = of[1] / (of[1] + 2 * of[2])
        return tuple(k - (k + 1) * y * of[k + 1] / of[k] for k in (1, 2, 3))

    @staticmethod
    def _totals(level: dict[NGram, int]) -> dict[NGram, int]:
        totals: Counter[NGram] = Counter()
        for ngram, n in level.items():
            totals[ngram[:-1]] += n
        return dict(totals)

    def _prune(self, trigrams: Counter[NGram], cutoffs: tuple[int, int]) -> None:
        uses: Counter[NGram] = Counter()
        for (_, b, c), n in trigrams.items():
            uses[(b, c)] += n
        least_bigram, least_trigram = cutoffs
        self.levels[1] = {ngram: n for ngram, n in self.levels[1].items() if uses[ngram] >= least_bigram}
        # The file nests trigrams below their bigrams: one without its bigram goes with it.
        self.levels[2] = {g: n for g, n in trigrams.items() if n >= least_trigram and g[:-1] in self.levels[1]}

    def _left(self, level: int) -> dict[NGram, float]:
        """What each context leaves to the shorter one: all that its kept n-grams do not take."""
        taken: dict[NGram, float] = defaultdict(float)
        for ngram, n in self.levels[level].items():
            taken[ngram[:-1]] += n - self.discount(level, n)
        return {context: 1 - mass / self.totals[level][context] for context, mass in taken.items()}

    def discount(self, level: int, n: int) -> float:
        return self.discounts[level][min(n, 3) - 1] if n else 0

    def probability(self, context: NGram, word: int) -> float:
        level = len(context)
        shorter = self.probability(context[1:], word) if level else 1 / (self.size - 1)
        if context not in self.left[level]:
            return shorter
        n = self.levels[level].get((*context, word), 0)
        return (n - self.discount(level, n)) / self.totals[level][context] + self.left[level][context] * shorter


class Letters:
    """Spells words outside the vocabulary: pairs of letters, each symbol once more than it was seen."""

    def __init__(self, words: Iterable[str]) -> None:
        self.counts = [[1] * (WORD_END + 1) for _ in range(WORD_END + 1)]
        for word in words:
            for before, symbol in self.pairs(word):
                self.counts[before][symbol] += 1

    @staticmethod
    def pairs(word: str) -> Iterator[tuple[int, int]]:
        """Symbols with the one before; a word starts behind the end of another."""
        symbols = [ord(c) - ord("a") if "a" <= c <= "z" else OTHER_LETTER for c in word]
        return pairwise([WORD_END, *symbols, WORD_END])

    def log_probability(self, word: str) -> float:
        return sum(math.log(self.counts[a][b] / sum(self.counts[a])) for a, b in self.pairs(word))


@dataclass
class FluencyModel:
    """Two language models and the weight of the first."""

    vocabulary: Vocabulary
    models: tuple[KneserNey, KneserNey]
    letters: Letters
    weight: float

    def log_probabilities(self, text: str) -> list[float]:
        words = tokenize(text)
        ids = self.vocabulary.encode(words)
        logs = []
        for i, word in enumerate(words):
            context, own = tuple(ids[i : i + 2]), ids[i + 2]
            first, second = (model.probability(context, own) for model in self.models)
            spelled = self.letters.log_probability(word) if own == 0 else 0
            logs.append(math.log(self.weight * first + (1 - self.weight) * second) + spelled)
        return logs

    def fluency(self, text: str) -> float:
        """f = 1 / (1 + H), H the mean surprise of a token in nats; 0 for an empty text."""
        logs = self.log_probabilities(text)
        return 1 / (1 - sum(logs) / len(logs)) if logs else 0.0


def best_weight(models: tuple[KneserNey, KneserNey], sentences: list[list[int]]) -> float:
    """The weight under which held-out sentences are likeliest, by expectation maximization."""
    pairs = [
        tuple(model.probability(tuple(ids[i : i + 2]), ids[i + 2]) for model in models)
        for ids in sentences
        for i in range(len(ids) - 2)
    ]
    weight = 0.5
    for _ in range(30):
        weight = sum(weight * a / (weight * a + (1 - weight) * b) for a, b in pairs) / len(pairs)
    # Written with three digits, so that both programs read the same number.
    return round(weight, 3)


def train(data: Path, wordnet: Path) -> FluencyModel:
    """The model of the given texts, without the questions of folds 0 and 1."""
    folds = spider_questions(data)
    questions = [tokenize(q) for fold in sorted(folds) if fold > 1 for q in folds[fold]]
    texts = [tokenize(text) for text in wordnet_texts(wordnet)]
    vocabulary = Vocabulary.of([*questions, *texts])
    size = len(vocabulary.words)
    models = (
        KneserNey(map(vocabulary.encode, questions), size, (1, 1)),
        KneserNey(map(vocabulary.encode, texts), size, (LEAST_BIGRAM, LEAST_TRIGRAM)),
    )
    unknown = sorted({word for text in [*questions, *texts] for word in text if word not in vocabulary.ids})
    chosen_on = [vocabulary.encode(tokenize(question)) for question in folds[1]]
    return FluencyModel(vocabulary, models, Letters(unknown), best_weight(models, chosen_on))


def varint(value: int) -> bytes:
    """A whole number, seven bits a byte, the lowest first."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def write_children(out: bytearray, children: dict[int, int], total: int, below: Callable[[int], None]) -> None:
    """Number of children, total of the context, then each child's distance from the last one, its count, what is below."""
    out += varint(len(children))
    if not children:
        return
    out += varint(total)
    last = 0
    for word, n in sorted(children.items()):
        out += varint(word - last) + varint(n)
        last = word
        below(word)


def write_model(out: bytearray, model: KneserNey) -> None:
    """The n-grams as a tree: every word of the vocabulary as a context, its bigrams, below each its trigrams."""
    trees: list[dict[NGram, dict[int, int]]] = []
    for level in model.levels:
        tree: dict[NGram, dict[int, int]] = defaultdict(dict)
        for ngram, n in level.items():
            tree[ngram[:-1]][ngram[-1]] = n
        trees.append(tree)
    write_children(out, trees[0][()], model.totals[0][()], lambda _: None)
    for first in range(model.size):
        write_children(
            out,
            trees[1].get((first,), {}),
            model.totals[1].get((first,), 0),
            lambda second, first=first: write_children(
                out,
                trees[2].get((first, second), {}),
                model.totals[2].get((first, second), 0),
                lambda _: None,
            ),
        )


def serialize(model: FluencyModel) -> bytes:
    """Magic, version, length of a JSON header, the header, the vocabulary by lines, then both trees of whole numbers."""
    header = {
        "weight": model.weight,
        "discounts": [[list(level) for level in part.discounts] for part in model.models],
        "letters": model.letters.counts,
    }
    vocabulary = "\n".join(model.vocabulary.words).encode()
    body = bytearray()
    for part in model.models:
        write_model(body, part)
    encoded = json.dumps(header, separators=(",", ":")).encode()
    lengths = struct.pack("<III", VERSION, len(encoded), len(vocabulary))
    return MAGIC + lengths + encoded + vocabulary + bytes(body)


def write_folder(folder: Path, content: bytes) -> None:
    """The model and its manifest, with the hash that is checked before use."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_bytes(content)
    files = {FILE: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}}
    text = json.dumps(FACTS | {"files": files}, indent=2, ensure_ascii=False) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")


def area_under_curve(better: list[float], worse: list[float]) -> float:
    """Share of pairs in which the better one's score is higher."""
    ranked = sorted([(score, 1) for score in better] + [(score, 0) for score in worse])
    ranks = sum(rank for rank, (_, is_better) in enumerate(ranked, 1) if is_better)
    return (ranks - len(better) * (len(better) + 1) / 2) / (len(better) * len(worse))


def measure(model: FluencyModel, questions: list[str]) -> None:
    """Prints how well questions are told from the same words in another order."""
    rng = random.Random(0)
    own = [model.fluency(question) for question in questions]
    shuffled, swapped = [], []
    for question in questions:
        *words, last = re.findall(r'"[^"]*"|[\w\'’-]+|\S', question)
        mixed = rng.sample(words, len(words))
        shuffled.append(model.fluency(" ".join([*mixed, last])))
        at = rng.randrange(max(1, len(words) - 1))
        swapped.append(model.fluency(" ".join([*words[:at], *reversed(words[at : at + 2]), *words[at + 2 :], last])))
    for name, worse in (("shuffled", shuffled), ("two neighbours swapped", swapped)):
        higher = sum(a > b for a, b in zip(own, worse, strict=True)) / len(own)
        print(f"{name}: AUC {area_under_curve(own, worse):.3f}, the question itself is higher in {higher:.3f}")
    print(f"mean fluency of {len(own)} held-out questions: {sum(own) / len(own):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the language model behind the fluency score.")
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA)
    parser.add_argument("--wordnet", type=Path, default=DEFAULT_DICT)
    parser.add_argument("--out", type=Path, required=True, help="folder of the model")
    parser.add_argument("--check", type=Path, help="write fluencies of a few sentences, for the tests of the reader")
    args = parser.parse_args()
    model = train(args.data, args.wordnet)
    content = serialize(model)
    write_folder(args.out, content)
    kept = [[len(level) for level in part.levels] for part in model.models]
    print(f"{len(content)} bytes, {len(model.vocabulary.words)} words, n-grams {kept}, weight {model.weight}")
    measure(model, spider_questions(args.data)[0])
    if args.check:
        expected = {text: model.fluency(text) for text in CHECKED}
        args.check.parent.mkdir(parents=True, exist_ok=True)
        args.check.write_text(json.dumps(expected, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
