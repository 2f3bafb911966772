"""Column names that the encoder places close to a name, but not so close that they could mean the same."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np

from encoder import embed
from sources import Table

NEAREST = 60
LOWEST, HIGHEST = 0.35, 0.62
"""Between these cosines a name is taken for related but not equivalent; nobody has checked the labels by hand."""


class NearNames:
    """Draws near-misses among names that stand in at least two tables."""

    def __init__(self, tables: list[Table]) -> None:
        counts = Counter(name for table in tables for name in dict.fromkeys(table.columns) if 1 < len(name) < 40)
        self._index = {name: i for i, name in enumerate(counts)}
        self._vectors = embed(list(counts))
        self._common = [name for name, count in counts.items() if count >= 2]
        self._common_vectors = self._vectors[[self._index[name] for name in self._common]]

    def draw(self, name: str, rng: random.Random) -> str | None:
        """A near-miss of the name, or None where nothing is at that distance."""
        if name not in self._index or not self._common:
            return None
        cosines = self._common_vectors @ self._vectors[self._index[name]]
        # Stable, so that equal cosines fall in the same order everywhere.
        nearest = np.argsort(-cosines, kind="stable")[:NEAREST]
        between = [i for i in nearest if LOWEST < cosines[i] < HIGHEST]
        return self._common[rng.choice(between)] if between else None
