"""Exports an encoder or a pair classifier to the folder that the product loads: int8 ONNX, config and tokenizer files.

Opset 17, dynamic int8 quantization per channel with reduced range: on CPUs without VNNI, sums of full-range products
saturate at 16 bits, and the scores are silently wrong.

    python training/export_onnx.py encoder --out build/encoder
    python training/export_onnx.py classifier --source build/judge-2 --out build/nli
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import Any, Literal

import numpy as np
import onnxruntime
import torch
from encoder import bundled_model
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import AutoModel, AutoModelForMaskedLM, AutoModelForSequenceClassification, AutoTokenizer

Kind = Literal["encoder", "classifier", "fill-mask"]
LOADERS: dict[str, Any] = {
    "encoder": AutoModel,
    "classifier": AutoModelForSequenceClassification,
    "fill-mask": AutoModelForMaskedLM,
}
OUTPUT_OF_KIND: dict[str, str] = {"encoder": "last_hidden_state", "classifier": "logits", "fill-mask": "logits"}
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
OPSET = 17
LARGEST_EXPORT_ERROR = 1e-3
"""Between torch and the unquantized ONNX network: more means that the export is wrong, not that it is rounded."""


class SingleOutput(torch.nn.Module):
    """The network with plain tensors in and one out, as ONNX wants it; RoBERTa knows no token types."""

    def __init__(self, model: Any, output: str, inputs: tuple[str, ...] = INPUTS) -> None:
        super().__init__()
        # Its name is in the names of all weights: with another one the file of the same network has other bytes.
        self.m = model
        self._output = output
        self._inputs = inputs

    def forward(self, *tensors: torch.Tensor) -> torch.Tensor:
        outputs = self.m(**dict(zip(self._inputs, tensors, strict=True)))
        result: torch.Tensor = outputs[self._output]
        return result


def load_model(kind: Kind, source: Path) -> Any:
    """The trained network; eager attention, because the fused one does not export."""
    return LOADERS[kind].from_pretrained(source, attn_implementation="eager").eval()


def calibrate(model: Any, temperature: float, entailment_bias: float) -> None:
    """Divides the logits by the temperature and then adds the bias, within the last layer: no reader has to know."""
    entailment = model.config.label2id["entailment"]
    with torch.no_grad():
        model.classifier.weight.div_(temperature)
        model.classifier.bias.div_(temperature)
        model.classifier.bias[entailment] += entailment_bias


def example_inputs(source: Path) -> dict[str, torch.Tensor]:
    """Two pairs of unlike length, so that batch and sequence are both more than one; no token types for RoBERTa."""
    tokenizer = AutoTokenizer.from_pretrained(source)  # type: ignore[no-untyped-call]
    inputs = tokenizer(["a b", "c"], ["d", "e f g"], padding=True, return_tensors="pt")
    return {name: inputs[name] for name in INPUTS if name in inputs}


def export_network(kind: Kind, model: Any, inputs: dict[str, torch.Tensor], path: Path) -> None:
    """Writes the fp32 network with free batch and sequence lengths, and compares it with torch."""
    output = OUTPUT_OF_KIND[kind]
    # The wrapper too: torch puts back its mode after exporting, and with it would switch the model's dropout on.
    network = SingleOutput(model, output, tuple(inputs)).eval()
    axes = {name: {0: "batch", 1: "sequence"} for name in inputs}
    axes[output] = {0: "batch"} if kind == "classifier" else {0: "batch", 1: "sequence"}
    torch.onnx.export(
        network,
        tuple(inputs.values()),
        str(path),
        input_names=list(inputs),
        output_names=[output],
        dynamic_axes=axes,
        opset_version=OPSET,
        dynamo=False,
    )
    with torch.inference_mode():
        expected = network(*inputs.values()).numpy()
    difference = float(np.abs(run_network(path, inputs) - expected).max())
    if difference > LARGEST_EXPORT_ERROR:
        raise SystemExit(f"{path}: the exported network differs from the trained one by {difference:.2g}")


def run_network(path: Path, inputs: dict[str, torch.Tensor]) -> np.ndarray[Any, Any]:
    """The output of an ONNX network on one thread."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {name: tensor.numpy() for name, tensor in inputs.items()})[0])


def quantize(full: Path, quantized: Path) -> None:
    """Writes the int8 form of an fp32 network."""
    quantize_dynamic(full, quantized, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)


def copy_tokenizer(source: Path, out: Path) -> None:
    """Copies the files as they are: a tokenizer saved again may differ in bytes, and the manifest holds their hashes."""
    for name in TOKENIZER_FILES:
        if not (source / name).exists():
            raise SystemExit(f"{source} has no {name}: save the tokenizer there with save_pretrained")
        shutil.copyfile(source / name, out / name)


def export(kind: Kind, source: Path, out: Path, calibration: tuple[float, float] | None, keep_full: bool) -> Path:
    """Writes the model's folder; returns the path of its network."""
    model = load_model(kind, source)
    if calibration:
        calibrate(model, *calibration)
    quantized = out / "onnx/model_quantized.onnx"
    quantized.parent.mkdir(parents=True, exist_ok=True)
    inputs = example_inputs(source)
    with tempfile.TemporaryDirectory() as folder:
        full = Path(folder) / "model.onnx"
        export_network(kind, model, inputs, full)
        if keep_full:
            shutil.copyfile(full, out / "onnx/model.onnx")
        quantize(full, quantized)
    model.config.save_pretrained(out)
    copy_tokenizer(source, out)
    if not np.isfinite(run_network(quantized, inputs)).all():
        raise SystemExit(f"{quantized}: the quantized network gives numbers that are not finite")
    return quantized


def main() -> None:
    parser = argparse.ArgumentParser(description="Exports a model to int8 ONNX with its config and tokenizer files.")
    parser.add_argument("kind", choices=["classifier", "encoder"])
    parser.add_argument("--source", type=Path, help="folder of the trained model; without it, all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--calibration",
        nargs=2,
        type=float,
        metavar=("TEMPERATURE", "ENTAILMENT_BIAS"),
        help="what calibrate_judge.py printed",
    )
    parser.add_argument(
        "--keep-full", action="store_true", help="write the unquantized network beside it, to measure it"
    )
    args = parser.parse_args()
    if args.kind == "classifier" and not args.source:
        parser.error("a classifier needs --source: all-MiniLM-L6-v2 has no trained classification layer")
    if args.kind == "encoder" and args.calibration:
        parser.error("an encoder has no logits to calibrate")
    torch.set_num_threads(args.threads)
    network = export(args.kind, args.source or bundled_model(), args.out, args.calibration, args.keep_full)
    digest = hashlib.sha256(network.read_bytes()).hexdigest()
    print(f"{network}: {network.stat().st_size / 1e6:.1f} MB, sha256 {digest}")


if __name__ == "__main__":
    main()
