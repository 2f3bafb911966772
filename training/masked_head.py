"""Trains a head on the table encoder that predicts a hidden word of a header, and writes both as a fill-mask model.

    node training/masked_texts.mjs > build/masked-texts.jsonl
    python training/masked_head.py --texts build/masked-texts.jsonl --out build/masked-words
    perturbql models pull build/masked-words --task fill-mask --name masked-words

The encoder is not trained: the head reads its vector of the mask and the mean of all. The network's scores are those of
BERT's vocabulary, so that any tool for masked language models can read it; entries that are no word of a header score
nothing. A word counts as found when it is among the ten likeliest; words that the head does not know count as missed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

MASK = "[MASK]"
MAX_TOKENS = 256
LEAST_USES = 2
"""A word that fewer training headers have is none of the head's."""
HIDDEN, DROPOUT, EPOCHS, BATCH, RATE, DECAY, SMOOTHING = 384, 0.3, 15, 256, 1e-3, 0.05, 0.05
NO_WORD = -1e4


def features(texts: list[str], encoder: Path, cache: Path) -> np.ndarray[Any, Any]:
    """The encoder's vector of the mask and the mean of all tokens, `[texts, 2 * dimension]`; goes on after a stop."""
    tokenizer = Tokenizer.from_file(str(encoder / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    mask = tokenizer.token_to_id(MASK)
    session_options = onnxruntime.SessionOptions()
    session_options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(encoder / "onnx/model_quantized.onnx"), session_options)
    width = session.get_outputs()[0].shape[-1]
    done = cache.stat().st_size // (8 * width) if cache.exists() else 0
    with cache.open("r+b" if cache.exists() else "wb") as file:
        file.truncate(done * 8 * width)
        file.seek(done * 8 * width)
        for at, text in enumerate(texts[done:], done):
            encoded = tokenizer.encode(text)
            feeds = {"input_ids": encoded.ids, "attention_mask": encoded.attention_mask, "token_type_ids": encoded.type_ids}
            (tokens,) = session.run(None, {name: np.array([ids], dtype=np.int64) for name, ids in feeds.items()})
            vectors = tokens[0]
            file.write(np.concatenate([vectors[encoded.ids.index(mask)], vectors.mean(axis=0)]).astype(np.float32).tobytes())
            if at % 5000 == 0:
                print(f"{at} of {len(texts)} texts", flush=True)
    return np.fromfile(cache, dtype=np.float32).reshape(len(texts), 2 * width)


def found(head: torch.nn.Module, inputs: torch.Tensor, labels: np.ndarray[Any, Any], k: int = 10) -> float:
    """Share of the inputs whose label is among the `k` likeliest."""
    with torch.inference_mode():
        likeliest = head.eval()(inputs).topk(k, dim=1).indices.numpy()
    return float(np.mean([label in row for label, row in zip(labels, likeliest, strict=True)]))


def train(inputs: torch.Tensor, labels: torch.Tensor, inner: np.ndarray[Any, Any], words: int) -> torch.nn.Sequential:
    """The head of the epoch that finds most of the inner part, which it does not learn from."""
    head = torch.nn.Sequential(
        torch.nn.Dropout(DROPOUT),
        torch.nn.Linear(inputs.shape[1], HIDDEN),
        torch.nn.GELU(),
        torch.nn.Dropout(DROPOUT),
        torch.nn.Linear(HIDDEN, words),
    )
    optimizer = torch.optim.AdamW(head.parameters(), lr=RATE, weight_decay=DECAY)
    learned, best = np.where(~inner)[0], (-1.0, {})
    for epoch in range(EPOCHS):
        head.train()
        order = learned[torch.randperm(len(learned)).numpy()]
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            loss = torch.nn.functional.cross_entropy(head(inputs[batch]), labels[batch], label_smoothing=SMOOTHING)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        share = found(head, inputs[inner], labels[inner].numpy())
        print(f"epoch {epoch + 1}: {share:.3f} of the inner part", flush=True)
        if share > best[0]:
            best = (share, {name: value.clone() for name, value in head.state_dict().items()})
    head.load_state_dict(best[1])
    return head


def write_model(head: torch.nn.Sequential, scale: tuple[torch.Tensor, torch.Tensor], positions: list[int], encoder: Path,
                out: Path) -> None:  # fmt: skip
    """Puts the head behind the encoder's network: scores of BERT's vocabulary for each token."""
    network = onnx.load(encoder / "onnx/model_quantized.onnx")
    graph = network.graph
    entries = Tokenizer.from_file(str(encoder / "tokenizer.json")).get_vocab_size()
    mean, deviation = scale
    first, last = head[1], head[4]
    weight = (first.weight / deviation).detach()
    bias = (first.bias - weight @ mean).detach()
    index = np.full(entries, len(positions), dtype=np.int64)
    index[positions] = np.arange(len(positions))
    constants = {
        "head.first": weight.T.numpy(),
        "head.first_bias": bias.numpy(),
        "head.last": np.pad(last.weight.detach().T.numpy(), ((0, 0), (0, 1))),
        "head.last_bias": np.append(last.bias.detach().numpy(), np.float32(NO_WORD)),
        "head.root": np.array(np.sqrt(2), dtype=np.float32),
        "head.one": np.array(1, dtype=np.float32),
        "head.half": np.array(0.5, dtype=np.float32),
        "head.index": index,
    }
    graph.initializer.extend(numpy_helper.from_array(np.ascontiguousarray(v), name) for name, v in constants.items())
    tokens = graph.output[0].name
    steps = [
        ("ReduceMean", [tokens], "head.mean", {"axes": [1], "keepdims": 1}),
        ("Shape", [tokens], "head.shape", {}),
        ("Expand", ["head.mean", "head.shape"], "head.means", {}),
        ("Concat", [tokens, "head.means"], "head.both", {"axis": 2}),
        ("MatMul", ["head.both", "head.first"], "head.product", {}),
        ("Add", ["head.product", "head.first_bias"], "head.sum", {}),
        ("Div", ["head.sum", "head.root"], "head.scaled", {}),
        ("Erf", ["head.scaled"], "head.erf", {}),
        ("Add", ["head.erf", "head.one"], "head.shifted", {}),
        ("Mul", ["head.sum", "head.shifted"], "head.doubled", {}),
        ("Mul", ["head.doubled", "head.half"], "head.gelu", {}),
        ("MatMul", ["head.gelu", "head.last"], "head.scores", {}),
        ("Add", ["head.scores", "head.last_bias"], "head.words", {}),
        ("Gather", ["head.words", "head.index"], "logits", {"axis": 2}),
    ]
    graph.node.extend(helper.make_node(kind, inputs, [output], name=output, **more) for kind, inputs, output, more in steps)
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "sequence", entries]))
    onnx.checker.check_model(network)
    (out / "onnx").mkdir(parents=True, exist_ok=True)
    onnx.save(network, out / "onnx/model_quantized.onnx")
    config = json.loads((encoder / "config.json").read_text())
    (out / "config.json").write_text(json.dumps({**config, "architectures": ["BertForMaskedLM"]}, indent=2) + "\n")
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copyfile(encoder / name, out / name)


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains a head for masked words of headers on the table encoder.")
    parser.add_argument("--texts", type=Path, required=True, help="what masked_texts.mjs wrote")
    parser.add_argument("--encoder", type=Path, default=Path("models/encoder"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--first", type=int, help="learn from so many texts only, drawn by seed")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    records = [json.loads(line) for line in args.texts.read_text().splitlines()]
    if args.first:
        drawn = np.random.default_rng(1).permutation(len(records))[: args.first]
        records = [records[at] for at in sorted(drawn)]
    args.out.mkdir(parents=True, exist_ok=True)
    known = Tokenizer.from_file(str(args.encoder / "tokenizer.json")).get_vocab()
    inputs = torch.tensor(features([each["text"] for each in records], args.encoder, args.out / "features.f32"))
    held = np.array([each["part"] == "held" for each in records])
    uses = Counter(each["target"] for each, out in zip(records, held, strict=True) if not out)
    words = [word for word, count in uses.most_common() if count >= LEAST_USES and word in known]
    place = {word: at for at, word in enumerate(words)}
    labels = np.array([place.get(each["target"], -1) for each in records])
    mean, deviation = inputs[~held].mean(0), inputs[~held].std(0)
    scaled = (inputs - mean) / deviation
    learned = np.where(~held & (labels >= 0))[0]
    inner = np.array([sum(records[at]["text"].split(" | ")[0].encode()) % 10 == 0 for at in learned])
    head = train(scaled[learned], torch.tensor(labels[learned]), inner, len(words))
    result = {"texts": len(records), "held": int(held.sum()), "words": len(words), "unknown": float((labels[held] < 0).mean())}
    for name, chosen in (("all", held), *((k, held & np.array([e["kind"] == k for e in records])) for k in ("starter", "web"))):
        result[f"top10 {name}"] = round(found(head, scaled[chosen], labels[chosen]), 3)
    result["top10 by frequency"] = round(float(np.mean((labels[held] >= 0) & (labels[held] < 10))), 3)
    write_model(head, (mean, deviation), [known[word] for word in words], args.encoder, args.out)
    result["CPU seconds"] = round(time.process_time())
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
