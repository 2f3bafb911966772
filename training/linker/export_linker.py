"""Exports a schema linker that train_linker.py trained to a model folder: ONNX, tokenizer files and manifest.json.

The network reads the same sequence and finds the names in it by itself: they stand between separators (`:`, `,`, [SEP]).
It gives a logit for each stretch between two of them, counted from the end of the sequence, so that a question may hold
separators, too. Weights stay float32: a column's logit is compared with a threshold, which rounding would move.

    python training/linker/export_linker.py --run build/linker --out build/linker-model --name my-linker
    perturbql attack … --victim linker --linker build/linker-model
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import torch
from transformers import AutoModel, AutoTokenizer

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent))
from encoder import bundled_model  # noqa: E402
from train_linker import SEQUENCE_TOKENS, Linker  # noqa: E402

OPSET = 17
LARGEST_EXPORT_ERROR = 1e-3
"""Between torch and ONNX: more means that the export is wrong, not that it is rounded."""
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
NETWORK_FILE = "onnx/model.onnx"
PROBES = ("Which, say, singers? [SEP] singer : name , age [SEP] song : title [SEP]", "a [SEP] b : c [SEP]")


class SegmentLinker(torch.nn.Module):
    """Tokens to `[batch, stretches]` logits; stretch 0 is the last one before the end."""

    def __init__(self, encoder: Any, head: torch.nn.Module, separators: list[int]) -> None:
        super().__init__()
        self.encoder, self.head = encoder, head
        self.register_buffer("separators", torch.tensor(separators))

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        """Mean vector of each stretch, and that of the whole sequence, through the head."""
        hidden = self.encoder(input_ids=tokens, attention_mask=mask, token_type_ids=types).last_hidden_state
        is_end = (tokens.unsqueeze(2) == self.separators).any(2).to(torch.int64)
        behind = is_end.flip(1).cumsum(1).flip(1) - is_end
        stretch = torch.arange(0, is_end.sum(1).max(), device=tokens.device)
        # The last separator ends the last stretch: what stands behind exactly one is stretch 0.
        member = ((behind - 1).unsqueeze(1) == stretch.view(1, -1, 1)) & (is_end.unsqueeze(1) == 0)
        weights = member.to(hidden.dtype)
        means = weights @ hidden / weights.sum(2, keepdim=True).clamp(min=1)
        whole = hidden[:, :1].expand(-1, means.shape[1], -1)
        logits: torch.Tensor = self.head(torch.cat([means, whole], 2)).squeeze(2)
        return logits


def load(run: Path, base: Path) -> SegmentLinker:
    """The trained linker; eager attention, because the fused one does not export."""
    linker = Linker(base)
    linker.load_state_dict(torch.load(run / "weights.pt", weights_only=True))
    encoder = AutoModel.from_pretrained(base, attn_implementation="eager")
    encoder.load_state_dict(linker.encoder.state_dict())
    tokenizer = AutoTokenizer.from_pretrained(base)  # type: ignore[no-untyped-call]
    return SegmentLinker(encoder, linker.head, tokenizer.convert_tokens_to_ids(["[SEP]", ":", ","])).eval()


def threshold_of(run: Path) -> float:
    """The threshold that training chose at its end."""
    outcomes = run / "outcomes.json"
    known = json.loads(outcomes.read_text(encoding="utf-8")) if outcomes.exists() else {}
    if "threshold" not in known or not (run / "weights.pt").exists():
        raise SystemExit(
            f"{run}: holds no linker that was trained to its end\n"
            "  fix: Name what train_linker.py wrote with --out. If that was stopped, the same command goes on."
        )
    return float(known["threshold"])


def inputs_of(text: str, base: Path) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The tokens of one sequence, which ends with a [SEP] as the tokenizer adds one."""
    tokenizer = AutoTokenizer.from_pretrained(base)  # type: ignore[no-untyped-call]
    encoded = tokenizer(text.removesuffix(" [SEP]"), return_tensors="pt")
    tokens, mask = encoded["input_ids"], encoded["attention_mask"]
    return tokens, mask, torch.zeros_like(tokens)


def export_network(network: SegmentLinker, base: Path, path: Path) -> None:
    """Writes the network with free lengths, and compares it with torch."""
    names = ["input_ids", "attention_mask", "token_type_ids"]
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network,
        inputs_of(PROBES[0], base),
        str(path),
        input_names=names,
        output_names=["logits"],
        dynamic_axes={name: {0: "batch", 1: "sequence"} for name in names} | {"logits": {0: "batch", 1: "stretches"}},
        opset_version=OPSET,
        dynamo=False,
    )
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    for probe in PROBES:
        tensors = inputs_of(probe, base)
        with torch.inference_mode():
            expected = network(*tensors).numpy()
        got = np.asarray(session.run(None, dict(zip(names, (t.numpy() for t in tensors), strict=True)))[0])
        if got.shape != expected.shape or float(np.abs(got - expected).max()) > LARGEST_EXPORT_ERROR:
            raise SystemExit(f"{path}: the exported network differs from the trained one")


def file_entry(path: Path) -> dict[str, Any]:
    """Hash and size of one file."""
    content = path.read_bytes()
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}


def write_manifest(args: argparse.Namespace, threshold: float) -> None:
    """What src/inference/model-manifest.ts reads; the config holds the threshold, too, for `models pull`."""
    paths = sorted(["config.json", NETWORK_FILE, *TOKENIZER_FILES])
    files = {path: file_entry(args.out / path) for path in paths}
    manifest = {
        "task": "schema-linker",
        "name": args.name,
        "revision": f"sha256-{files[NETWORK_FILE]['sha256'][:12]}",
        "license": args.license,
        "nonCommercial": False,
        "made": f"trained by training/linker/train_linker.py, {args.run.name}",
        "maxTokens": SEQUENCE_TOKENS,
        "network": NETWORK_FILE,
        "threshold": threshold,
        "files": files,
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (args.out / "manifest.json").write_text(text, encoding="utf-8")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, required=True, help="what train_linker.py wrote with --out")
    parser.add_argument("--base", type=Path, help="as for train_linker.py")
    parser.add_argument("--out", type=Path, required=True, help="folder of the model")
    parser.add_argument("--name", default="linker")
    parser.add_argument("--license", default="not stated", help="terms of the weights, after the data they learned from")
    args = parser.parse_args()
    base = args.base or bundled_model()
    torch.set_num_threads(1)
    threshold = threshold_of(args.run)
    args.out.mkdir(parents=True, exist_ok=True)
    network = load(args.run, base)
    export_network(network, base, args.out / NETWORK_FILE)
    config = network.encoder.config.to_dict() | {"architectures": ["SchemaLinker"], "linker_threshold": threshold}
    (args.out / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    for name in TOKENIZER_FILES:
        shutil.copyfile(base / name, args.out / name)
    write_manifest(args, threshold)
    print(f"{args.out}: then `perturbql attack … --victim linker --linker {args.out}`")


if __name__ == "__main__":
    main()
