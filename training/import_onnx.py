"""Reads a judge that export_onnx.py wrote back into a folder that train_judge.py can go on from.

A round can so start from the weights that ship, when the trained ones are not at hand. int8 keeps seven bits of a
weight; the word embeddings, which every round of the recipe leaves as they are, are taken from all-MiniLM-L6-v2 whole.

    python training/import_onnx.py models/nli --out build/judge-shipped
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from export_onnx import SingleOutput, copy_tokenizer, example_inputs, run_network
from onnx import numpy_helper
from safetensors.torch import load_file
from transformers import AutoConfig, AutoModelForSequenceClassification

from encoder import bundled_model
from evaluate_judge import NETWORK_FILE

Arrays = dict[str, npt.NDArray[np.float32]]

WORDS = "embeddings.word_embeddings.weight"
PREFIX = "m."
"""What SingleOutput puts before the names of weights."""
LARGEST_ERROR = 0.5
"""Between the logits of the folder and of the file: activations are int8 in the file alone. A wrong layout gives more."""


def dequantized(arrays: Arrays, name: str) -> npt.NDArray[np.float32]:
    """A weight from its int8 values, and the scale and zero point of each output channel or of the whole."""
    values, scale, zero = (arrays[f"{name}_{part}"] for part in ("quantized", "scale", "zero_point"))
    return (values.astype(np.float32) - zero.astype(np.float32)) * scale


def weights_of(graph: onnx.GraphProto) -> Iterator[tuple[str, npt.NDArray[np.float32]]]:
    """Names as torch has them, and weights in torch's layout: a linear layer's is `[out, in]`."""
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for name, array in arrays.items():
        if name.startswith(PREFIX) and array.dtype == np.float32 and not name.endswith("_scale"):
            yield name.removeprefix(PREFIX), array
        elif name.startswith(PREFIX) and name.endswith("_embeddings.weight_quantized"):
            plain = name.removesuffix("_quantized")
            yield plain.removeprefix(PREFIX), dequantized(arrays, plain)
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            # A layer's name is the path of its node: /m/bert/pooler/dense/MatMul_quant.
            layer = node.name.rpartition("/")[0].removeprefix("/").replace("/", ".").removeprefix(PREFIX)
            yield f"{layer}.weight", dequantized(arrays, node.input[1].removesuffix("_quantized")).T


def read_network(model: Path) -> Any:
    """The network of a classifier's folder, with plain weights."""
    config = AutoConfig.from_pretrained(model, attn_implementation="eager")
    network = AutoModelForSequenceClassification.from_config(config).eval()  # type: ignore[no-untyped-call]
    graph = onnx.load(model / NETWORK_FILE).graph
    weights = {name: torch.from_numpy(np.array(array)) for name, array in weights_of(graph)}
    words = load_file(bundled_model() / "model.safetensors")[WORDS]
    network.load_state_dict(weights | {f"{network.base_model_prefix}.{WORDS}": words})
    return network


def main() -> None:
    parser = argparse.ArgumentParser(description="Reads an exported judge back into torch weights.")
    parser.add_argument("model", type=Path, help="folder of an exported judge")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    network = read_network(args.model)
    inputs = example_inputs(args.model)
    with torch.inference_mode():
        mine = SingleOutput(network, "logits")(*inputs.values()).numpy()
    difference = float(np.abs(mine - run_network(args.model / NETWORK_FILE, inputs)).max())
    if difference > LARGEST_ERROR:
        raise SystemExit(f"{args.model}: the weights read give other logits than the file, by {difference:.2g}")
    network.save_pretrained(args.out)
    copy_tokenizer(args.model, args.out)
    print(f"{args.out}: logits of {difference:.2g} beside the file's at most")


if __name__ == "__main__":
    main()
