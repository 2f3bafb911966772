"""Mines pairs of column names from tables, without any label, by the values that their columns share.

Two names that never stand in one table, but whose columns hold the same values, tend to mean the same (country,
nation). Two that share values and do stand side by side differ in role (home team, away team): a near-miss.

    python training/mined_pairs.py --out build/mined.json
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from sources import DEFAULT_DATA, web_table_rows

NamePair = tuple[str, str]

_NUMERIC = re.compile(r"[\d.,%$()+\-–/: ]*")
LONGEST_NAME, LONGEST_VALUE = 30, 40
FEWEST_TABLES, FEWEST_VALUES = 3, 6
MOST_NAMES_OF_VALUE = 60
"""A value that is under more names says nothing about any of them ("yes", "n/a")."""

LEAST_SHARED = 2.5
LEAST_EQUIVALENT_RATIO = 0.06
LEAST_TOGETHER = 2


@dataclass
class Census:
    """Distinct values of each name, the tables that hold it, and the tables that hold both of two names."""

    values: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    tables: Counter[str] = field(default_factory=Counter)
    together: Counter[NamePair] = field(default_factory=Counter)

    def add(self, record: dict[str, Any]) -> None:
        """Counts one table."""
        names = [name.lower().strip() for name in record["columns"]]
        for index, name in enumerate(names):
            if 1 < len(name) < LONGEST_NAME:
                self.tables[name] += 1
                cells = (str(row[index]).lower().strip() for row in record["rows"] if index < len(row))
                self.values[name].update(cell for cell in cells if _tells(cell))
        self.together.update(combinations(sorted(set(names)), 2))

    def frequent_names(self) -> list[str]:
        """Names with enough tables and values to compare."""
        return [
            name
            for name, values in self.values.items()
            if self.tables[name] >= FEWEST_TABLES and len(values) >= FEWEST_VALUES
        ]


def _tells(cell: str) -> bool:
    return bool(cell) and not _NUMERIC.fullmatch(cell) and len(cell) < LONGEST_VALUE


def shared_values(census: Census) -> dict[NamePair, float]:
    """How much two names share: each common value counts less, the more names it is under."""
    names_of_value: dict[str, list[str]] = defaultdict(list)
    for name in sorted(census.frequent_names()):
        # Sorted, because the order of a set of strings differs from run to run, and so would the sums' last digits.
        for value in sorted(census.values[name]):
            names_of_value[value].append(name)
    shared: dict[NamePair, float] = defaultdict(float)
    for names in names_of_value.values():
        if len(names) <= MOST_NAMES_OF_VALUE:
            weight = 1 / math.log(2 + len(names))
            for pair in combinations(names, 2):
                shared[pair] += weight
    return shared


def mine(records: Iterable[dict[str, Any]]) -> dict[str, list[NamePair]]:
    """Equivalents and near-misses, those that share most first."""
    census = Census()
    for record in records:
        census.add(record)
    ranked = []
    for pair, shared in shared_values(census).items():
        if shared >= LEAST_SHARED:
            sizes = [len(census.values[name]) for name in pair]
            ranked.append((shared / math.sqrt(sizes[0] * sizes[1]), pair))
    ranked.sort(reverse=True)
    return {
        "equivalent": [p for ratio, p in ranked if ratio > LEAST_EQUIVALENT_RATIO and census.together[p] == 0],
        "nearMiss": [p for _, p in ranked if census.together[p] >= LEAST_TOGETHER],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Mines equivalents and near-misses among column names (JSON).")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help="folder of the source data sets")
    parser.add_argument("--tables", type=int, help="read only so many tables, for a quick trial")
    args = parser.parse_args()
    mined = mine(islice(web_table_rows(args.data), args.tables))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(mined, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    print(f"{len(mined['equivalent'])} equivalents and {len(mined['nearMiss'])} near-misses in {args.out}")


if __name__ == "__main__":
    main()
