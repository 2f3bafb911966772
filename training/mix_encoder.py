"""Mixes the trained encoder with the one it started from, weight by weight (Wortsman et al. 2022, WiSE-FT).

The share is chosen on the validation part with evaluate_encoder.py, never on the test part.

    python training/mix_encoder.py build/encoder-trained --share 0.7 --out build/encoder-mixed
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
    parser = argparse.ArgumentParser(description="Mixes a trained encoder with all-MiniLM-L6-v2.")
    parser.add_argument("trained", type=Path)
    parser.add_argument("--share", type=float, required=True, help="of the trained weights, 0 to 1")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    shutil.copytree(args.trained, args.out, ignore=shutil.ignore_patterns("checkpoint.*", WEIGHTS), dirs_exist_ok=True)
    mixed = mix(load_file(bundled_model() / WEIGHTS), load_file(args.trained / WEIGHTS), args.share)
    save_file(mixed, args.out / WEIGHTS, metadata={"format": "pt"})
    provenance = args.out / "provenance.json"
    facts = json.loads(provenance.read_text(encoding="utf-8")) | {"shareOfTrained": args.share}
    provenance.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
