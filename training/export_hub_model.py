"""Exports a transformers model of a hub, or of a folder, to the layout that `perturbql models pull` takes.

Sequence classifiers (NLI), encoders, and masked language models (--task fill-mask), of the BERT and RoBERTa families: config.json, the tokenizer's files,
onnx/model.onnx (fp32) and onnx/model_quantized.onnx (int8 with reduced range, as export_onnx.py writes it). The hub is
the one that HF_ENDPOINT names.

    python training/export_hub_model.py FacebookAI/roberta-large-mnli --out build/roberta-large-mnli
    python training/export_hub_model.py QUESTIONS --table-source TABLES --out build/two-towers
    python training/export_hub_model.py bert-base-uncased --task fill-mask --out build/bert-mlm
    perturbql models pull build/roberta-large-mnli --task nli --name roberta-large-mnli
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import torch
from export_onnx import (
    Kind,
    example_inputs,
    export_network,
    load_model,
    quantize,
    run_network,
)
from transformers import AutoConfig, AutoTokenizer

POOLING_FILES = ("1_Pooling/config.json", "sentence_bert_config.json")
"""How sentence-transformers turns tokens into one vector, and after how many tokens it cuts."""
NLI_LABELS = {"contradiction", "neutral", "entailment"}


def fetch(source: str, revision: str | None) -> Path:
    """The model's folder: as it is, or a snapshot of the hub's without other frameworks' weights."""
    if Path(source).is_dir():
        return Path(source)
    from huggingface_hub import snapshot_download

    unwanted = ["*.msgpack", "*.h5", "*.ot", "onnx/*", "openvino/*", "rust_model*", "flax_model*", "tf_model*"]
    return Path(snapshot_download(source, revision=revision, ignore_patterns=unwanted))


def kind_of(source: Path) -> Kind:
    """What the model's own config says it is."""
    architectures = AutoConfig.from_pretrained(source).architectures or [""]
    return "classifier" if architectures[0].endswith("ForSequenceClassification") else "encoder"


def warn_of_labels(model: Any) -> None:
    """A judge whose config does not name its labels has to be told them when it is pulled."""
    labels = [str(model.config.id2label[index]) for index in range(model.config.num_labels)]
    if {label.lower() for label in labels} != NLI_LABELS:
        print(f"note: the config names the labels {labels}; give --labels to `perturbql models pull`")


def save_tokenizer(source: Path, out: Path) -> None:
    """Writes the tokenizer in the one-file form that the product reads; many hub folders lack it."""
    tokenizer = AutoTokenizer.from_pretrained(source, use_fast=True)  # type: ignore[no-untyped-call]
    if not tokenizer.is_fast:
        raise SystemExit(f"{source}: its tokenizer has no tokenizer.json form")
    tokenizer.save_pretrained(out)


def export_tower(kind: Kind, source: Path, out: Path, name: str) -> Any:
    """Writes one network as fp32 and int8; returns the model."""
    model = load_model(kind, source)
    inputs = example_inputs(source)
    full, quantized = out / f"onnx/{name}.onnx", out / f"onnx/{name}_quantized.onnx"
    full.parent.mkdir(parents=True, exist_ok=True)
    export_network(kind, model, inputs, full)
    quantize(full, quantized)
    if not np.isfinite(run_network(quantized, inputs)).all():
        raise SystemExit(f"{quantized}: the quantized network gives numbers that are not finite")
    for path in (full, quantized):
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    return model


def export_folder(source: Path, out: Path, table_source: Path | None, task: Kind | None = None) -> None:
    """Writes the whole folder: one network, or a tower each for queries and for tables."""
    kind = task or kind_of(source)
    if table_source and kind != "encoder":
        raise SystemExit(f"{source} is a {kind} model: only encoders have two towers")
    model = export_tower(kind, source, out, "query_model" if table_source else "model")
    if table_source:
        other = export_tower(kind, table_source, out, "table_model")
        if (other.config.hidden_size, other.config.vocab_size) != (model.config.hidden_size, model.config.vocab_size):
            raise SystemExit(f"{source} and {table_source} differ in width or vocabulary: they are no pair of towers")
    if kind == "classifier":
        warn_of_labels(model)
    model.config.save_pretrained(out)
    save_tokenizer(source, out)
    for name in POOLING_FILES:
        if (source / name).exists():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, out / name)


def main() -> None:
    parser = argparse.ArgumentParser(description="Exports a transformers model to ONNX, with config and tokenizer.")
    parser.add_argument("source", help="hub id or folder; of two towers, the one for queries")
    parser.add_argument("--table-source", help="hub id or folder of the tower for tables")
    parser.add_argument("--task", choices=["fill-mask"], help="export the language-modeling head, too: masked words")
    parser.add_argument("--revision", help="branch, tag or commit of the source")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    tables = fetch(args.table_source, None) if args.table_source else None
    export_folder(fetch(args.source, args.revision), args.out, tables, args.task)
    print(f"then: perturbql models pull {args.out}")


if __name__ == "__main__":
    main()
