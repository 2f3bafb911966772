"""Mixes trained weights with those they started from, weight by weight (Wortsman et al. 2022, WiSE-FT).

The share is chosen on validation pairs of our own (evaluate_judge.py, evaluate_encoder.py), never on a test part.

    python training/mix_weights.py build/encoder-trained --share 0.6 --out build/encoder-mixed
    python training/mix_weights.py build/judge-3 --base build/judge-2 --share 0.5 --out build/judge-mixed
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from encoder import bundled_model

WEIGHTS = "model.safetensors"


def mix(original: dict[str, torch.Tensor], trained: dict[str, torch.Tensor], share: float) -> dict[str, torch.Tensor]:
    """`share` of the trained weights, the rest of the original ones; integers (positions) stay."""
    return {
        name: torch.lerp(original[name], weight, share) if weight.is_floating_point() else weight
        for name, weight in trained.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Mixes trained weights with those they started from.")
    parser.add_argument("trained", type=Path)
    parser.add_argument("--base", type=Path, help="what it started from; without it, all-MiniLM-L6-v2")
    parser.add_argument("--share", type=float, required=True, help="of the trained weights, 0 to 1")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    shutil.copytree(args.trained, args.out, ignore=shutil.ignore_patterns("checkpoint.*", WEIGHTS), dirs_exist_ok=True)
    mixed = mix(load_file((args.base or bundled_model()) / WEIGHTS), load_file(args.trained / WEIGHTS), args.share)
    save_file(mixed, args.out / WEIGHTS, metadata={"format": "pt"})
    provenance = args.out / "provenance.json"
    facts = json.loads(provenance.read_text(encoding="utf-8")) | {
        "mixedWith": str(args.base or "all-MiniLM-L6-v2"),
        "shareOfTrained": args.share,
    }
    provenance.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
