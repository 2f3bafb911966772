"""ADVETA section 4, step by step: the baseline of `npm run bench:cta`.

Retrieve tables, rank their columns, add the dictionary's names, score every pair in both directions, decide by
thresholds. Nothing is scored later than it must be and nothing is remembered: that is the product's part.

    python cta_baseline.py input.json output.json [--batch 32]
"""

import argparse
import json
import re
import os

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import hnswlib
import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from names import Names, spaced
from word_vectors import WordVectors


class Model:
    """An ONNX network with its tokenizer, on one thread."""

    def __init__(self, folder):
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            self.manifest = json.load(file)
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(max_length=self.manifest["maxTokens"])
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        network = os.path.join(folder, "onnx", "model_quantized.onnx")
        self.session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
        self.inputs = [tensor.name for tensor in self.session.get_inputs()]

    def run(self, encodings):
        """First output for encodings of one length."""
        fields = {
            "input_ids": [encoding.ids for encoding in encodings],
            "attention_mask": [encoding.attention_mask for encoding in encodings],
            "token_type_ids": [encoding.type_ids for encoding in encodings],
        }
        return self.session.run(None, {name: np.array(fields[name], dtype=np.int64) for name in self.inputs})[0]


class Encoder(Model):
    def embed(self, text):
        """Mean over the tokens, of length 1."""
        total = self.run([self.tokenizer.encode(text)])[0].sum(axis=0)
        return total / np.linalg.norm(total)


class Judge(Model):
    def __init__(self, folder):
        super().__init__(folder)
        self.entailment = self.manifest["labels"].index("entailment")
        self.scored = 0

    def score(self, pairs, batch):
        """Entailment of each (premise, hypothesis); with batch > 1 padded, as is usual."""
        scores = []
        for start in range(0, len(pairs), batch):
            encodings = self.tokenizer.encode_batch(pairs[start : start + batch])
            longest = max(len(encoding) for encoding in encodings)
            for encoding in encodings:
                encoding.pad(longest)
            scores.extend(self._entailment(logits) for logits in self.run(encodings))
        self.scored += len(pairs)
        return scores

    def _entailment(self, logits):
        exponents = np.exp(logits.astype(np.float64) - logits.max())
        return float(exponents[self.entailment] / exponents.sum())


class Index:
    def __init__(self, folder):
        with open(os.path.join(folder, "tables.jsonl"), encoding="utf-8") as file:
            self.tables = [json.loads(line) for line in file]
        vectors = np.fromfile(os.path.join(folder, "vectors.i8"), dtype=np.int8)
        self.vectors = vectors.reshape(len(self.tables), -1).astype(np.float64)
        self.norms = np.linalg.norm(self.vectors, axis=1)
        self.graph = hnswlib.Index(space="ip", dim=self.vectors.shape[1])
        self.graph.load_index(os.path.join(folder, "hnsw.bin"))

    def retrieve(self, query, k):
        """ADVETA §4.1: the k nearest tables, of twice as many that the graph finds."""
        breadth = min(max(200, 2 * k), len(self.tables))
        self.graph.set_ef(breadth)
        found = self.graph.knn_query(query[np.newaxis], k=breadth)[0][0]
        scored = [(-float(self.vectors[at] @ query) / self.norms[at], self.tables[at]["id"], at) for at in found]
        return [self.tables[at] for _, _, at in sorted(scored)[:k]]


def rank(names, vectors, column, retrieved, keep):
    """ADVETA §4.2: the most similar names, each once; the column's own name is left out."""
    own = names.key(column["name"])
    best = {}
    for written in retrieved:
        key = names.key(written)
        if key in ("", own):
            continue
        similarity = vectors.similarity(column["name"], written)
        candidate = (-(-2 if similarity is None else similarity), spaced(written))
        if key not in best or candidate < best[key]:
            best[key] = candidate
    return [name for _, name in sorted(best.values())[:keep]]


def candidates_of(names, vectors, task, table, target, retrieved):
    """Retrieved names, then the dictionary's that are not among them, without those that the table has."""
    column = table["columns"][target["column"]]
    ranked = rank(names, vectors, column, retrieved, task["keep"])
    distinct = {}
    for name, source in [(n, "retrieval") for n in ranked] + [(n, "dictionary") for n in target["dictionary"]]:
        distinct.setdefault(names.key(name), (name, source))
    return [(name, source) for name, source in distinct.values() if not names.exists_in(table, column, name)]


def statements(names, table, column, candidate):
    """The column's type stands on both sides: a candidate has none."""
    entity, kind = table["tpe"], column["type"]
    return names.statement(entity, column["name"], kind), names.statement(entity, candidate, kind)


def entities_of_keys(names, table):
    """Beyond the paper, as the product has it: keys of other entities, read as those entities ("stadium id")."""
    own = names.key(table["name"])
    cut = [re.sub(" (?:id|identifier|code)$", "", column["name"]) for column in table["columns"]]
    keys = [(column["name"], entity) for column, entity in zip(table["columns"], cut) if entity != column["name"]]
    return [{"name": entity, "type": "text"} for _, entity in keys if entity.count(" ") < 2 and names.key(entity) != own]


def decide(vectors, table, target, candidate, source, scores, thresholds):
    """ADVETA §4.4 over the scores (e1, e2) against every column. Beyond the paper, as the product has it: no RPL
    candidate that is equivalent to another column whose words are as near to it."""
    likeness = [vectors.similarity(candidate, other["name"]) for other in table["columns"]]
    likeness = [-1 if value is None else value for value in likeness]
    columns = len(table["columns"])
    others = [at for at in range(columns) if at != target["column"]]
    low, high = min(scores[target["column"]]), max(scores[target["column"]])
    if low >= thresholds["rplMin"]:
        rivals = [at for at in others if likeness[at] >= likeness[target["column"]]]
        return "rejected" if any(min(scores[at]) >= thresholds["rplMin"] for at in rivals) else "RPL"
    is_new = high <= thresholds["addMax"] and all(max(scores[at]) <= thresholds["addMax"] for at in [*others, *range(columns, len(scores))])
    return "ADD" if source == "retrieval" and is_new else "rejected"


def decide_table(names, vectors, judge, task, table, retrieved, batch):
    decisions, seen = [], set()
    for target in table["targets"]:
        column = table["columns"][target["column"]]
        compared = table["columns"] + entities_of_keys(names, table)
        for candidate, source in candidates_of(names, vectors, task, table, target, retrieved):
            pairs = []
            for other in compared:
                premise, hypothesis = statements(names, table, other, candidate)
                pairs += [(premise, hypothesis), (hypothesis, premise)]
            seen.update(pairs)
            flat = judge.score(pairs, batch)
            scores = list(zip(flat[::2], flat[1::2]))
            e1, e2 = scores[target["column"]]
            bucket = decide(vectors, table, target, candidate, source, scores, task["thresholds"])
            names_of = {"db_id": table["db_id"], "table": table["name"], "column": column["name"]}
            decisions.append({**names_of, "candidate": candidate, "bucket": bucket, "e1": e1, "e2": e2})
    return decisions, len(seen)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("input")
    parser.add_argument("output")
    parser.add_argument("--batch", type=int, default=1)
    options = parser.parse_args()
    with open(options.input, encoding="utf-8") as file:
        task = json.load(file)
    names = Names(task["words"])
    vectors = WordVectors(task["vectors"], names)
    index = Index(task["index"])
    encoder = Encoder(task["encoder"])
    judge = Judge(task["nli"])
    decisions, distinct = [], 0
    for table in task["tables"]:
        tables = index.retrieve(encoder.embed(table["context"]), task["topK"])
        retrieved = [name for found in tables for name in found["columns"]]
        decided, pairs = decide_table(names, vectors, judge, task, table, retrieved, options.batch)
        decisions += decided
        distinct += pairs
    result = {"pairs": judge.scored, "distinct": distinct, "onnxruntime": onnxruntime.__version__, "decisions": decisions}
    with open(options.output, "w", encoding="utf-8") as file:
        json.dump(result, file)


if __name__ == "__main__":
    main()
