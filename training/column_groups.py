"""Our own lists of column names that mean the same, by kind of table: `column_groups*/*.txt`.

The second folder is read from round 2 on, the third to sixth from rounds 4 to 7 on, so that earlier rounds stay as they
were. Written by hand (by a language model, from general knowledge; for files called web the frequent headers of the web
tables that we learn from were read, the fifth goes through the schemas of Spider's train split, the sixth through
tables of TabFact and WikiTableQuestions).
`@ a | b` begins a kind of table with the words for its rows; each following line is one column: names that may replace
each other, and behind `~` names that go with it but mean something else. Two columns of one kind of table never mean
the same.

    python training/column_groups.py
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

from name_rewrites import held_out_pairs, is_held_out

GROUPS_FOLDERS = {
    round_: Path(__file__).with_name(name)
    for round_, name in (
        (1, "column_groups"),
        (2, "column_groups_2"),
        (4, "column_groups_3"),
        (5, "column_groups_4"),
        (6, "column_groups_5"),
        (7, "column_groups_6"),
    )
}
"""The list that a round reads besides those of the rounds before it; round 3 has none of its own."""
WORDS_FILE = Path(__file__).with_name("column_words.txt")
COMPOSITES_FILE = Path(__file__).with_name("column_composites.txt")
HELD_OUT_SHARE = 10
"""One group in so many is held out, chosen by its first name, so that the same column of other tables goes with it."""


@dataclass(frozen=True)
class Group:
    """Names of one column, and its near-misses; `titles` are words for a row of its table."""

    titles: tuple[str, ...]
    names: tuple[str, ...]
    near: tuple[str, ...]

    @property
    def is_held_out(self) -> bool:
        """Whether the group is kept for validation."""
        return int(hashlib.sha256(self.names[0].encode()).hexdigest(), 16) % HELD_OUT_SHARE == 0


@dataclass(frozen=True)
class Domain:
    """The columns of one kind of table."""

    titles: tuple[str, ...]
    groups: tuple[Group, ...]


def _parts(text: str, separator: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(separator) if part.strip()))


def _lines(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


def _group(titles: tuple[str, ...], line: str) -> Group:
    names, _, near = line.partition("~")
    return Group(titles, _parts(names, "|"), _parts(near, ","))


def _sections(path: Path) -> list[Domain]:
    domains: list[Domain] = []
    for line in _lines(path):
        if line.startswith("@"):
            domains.append(Domain(_parts(line[1:], "|"), ()))
        else:
            last = domains.pop()
            domains.append(Domain(last.titles, (*last.groups, _group(last.titles, line))))
    return [domain for domain in domains if domain.groups]


def read_domains(round_: int = 1) -> list[Domain]:
    """The kinds of tables that a round adds, in the order of the files."""
    folder = GROUPS_FOLDERS.get(round_)
    return [] if folder is None else [d for path in sorted(folder.glob("*.txt")) for d in _sections(path)]


def groups_of(domains: list[Domain]) -> list[Group]:
    """All columns of some kinds of tables."""
    return [group for domain in domains for group in domain.groups]


def read_composites() -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """Entities and attributes that make names of two parts."""
    entities, attributes = _sections(COMPOSITES_FILE)
    return entities.groups, attributes.groups


def read_words() -> list[Group]:
    """Words within longer names that may replace each other, and those that may not."""
    return [_group((), line) for line in _lines(WORDS_FILE)]


def _core(a: str, b: str) -> frozenset[str]:
    """Two names without the words that they share at the start and at the end."""
    left, right = a.split(), b.split()
    while len(left) > 1 and len(right) > 1 and left[0] == right[0]:
        left, right = left[1:], right[1:]
    while len(left) > 1 and len(right) > 1 and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    return frozenset((" ".join(left), " ".join(right)))


class Synonyms:
    """Which names are in one group anywhere: they must never be written as near-misses."""

    def __init__(self, groups: list[Group]) -> None:
        self._groups_of: dict[str, set[int]] = {}
        for index, group in enumerate(groups):
            for name in group.names:
                self._groups_of.setdefault(name, set()).add(index)

    def __contains__(self, pair: tuple[str, str]) -> bool:
        a, b = pair
        empty: set[int] = set()
        return a == b or bool(self._groups_of.get(a, empty) & self._groups_of.get(b, empty))


class Reserved:
    """Pairs that no training example may hold: those of the paper's Table 9, and our own validation's.

    Of `groups` no two names may meet, be it in another list's column that shares them.
    """

    def __init__(self, validation: list[tuple[str, str]], groups: Iterable[Group] = ()) -> None:
        self._validation = {_core(a, b) for a, b in validation}
        self._within = {frozenset(pair) for group in groups for pair in combinations(group.names, 2)}

    @cached_property
    def _table9(self) -> frozenset[frozenset[str]]:
        return held_out_pairs()

    def __contains__(self, pair: tuple[str, str]) -> bool:
        a, b = pair
        return (
            is_held_out(a, b, self._table9)
            or frozenset((a, b)) in self._validation
            or _core(a, b) in self._validation
            or frozenset((a, b)) in self._within
        )


def main() -> None:
    for round_, folder in GROUPS_FOLDERS.items():
        domains = read_domains(round_)
        groups = groups_of(domains)
        held_out = sum(g.is_held_out for g in groups)
        print(f"{folder.name}: {len(domains)} kinds of tables, {len(groups)} columns, {held_out} held out,")
        print(f"  {sum(len(g.names) for g in groups)} names, {sum(len(g.near) for g in groups)} near-misses")


if __name__ == "__main__":
    main()
