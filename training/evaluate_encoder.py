"""Measures table encoders on what is held out: does a query find its own table, tables of its page, of its domain?

The texts are the product's; the index is all tables of TabFact and WikiTableQuestions, or a sample for quick choices.
`npm run bench:retrieval` measures the exported encoder with the product's own stages on the same test part.

    python training/evaluate_encoder.py original build/encoder-mixed --part validation --index-size 4000
    python training/evaluate_encoder.py bm25 original build/encoder --part test
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from encoder import bundled_model, embed
from sources import DEFAULT_DATA
from table_data import (
    HELD_OUT,
    TableRecord,
    corpus_text,
    hash_order,
    held_out_databases,
    held_out_domains,
    held_out_pages,
    held_out_tables,
    spider_records,
    starter_records,
    target_text,
    web_records,
    write_texts,
)

DEPTHS = (1, 10, 100)
K1, B = 1.2, 0.75
ROWS_ASKED = 3
MAX_TOKENS = 256
_WORD = re.compile(r"\w+")

Scores = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Query:
    """A text, the positions in the index that it should find, and one that does not count (the table it is from)."""

    text: str
    wanted: frozenset[int]
    own: int | None = None


@dataclass(frozen=True)
class Task:
    """Queries of one kind against one index of texts."""

    name: str
    index: str
    queries: list[Query]


def bm25_scores(index: list[str], queries: list[str]) -> Scores:
    """BM25 of every query and text, as the first recipes' baseline computed it."""
    counts = [Counter(_WORD.findall(text.lower())) for text in index]
    lengths = np.array([count.total() for count in counts])
    norm = K1 * (1 - B + B * lengths / lengths.mean())
    postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for position, count in enumerate(counts):
        for word, times in count.items():
            postings[word].append((position, times))
    scores = np.zeros((len(queries), len(index)), np.float32)
    for row, query in enumerate(queries):
        for word in set(_WORD.findall(query.lower())):
            found = postings.get(word, [])
            weight = math.log(1 + (len(index) - len(found) + 0.5) / (len(found) + 0.5))
            for position, times in found:
                scores[row, position] += weight * times * (K1 + 1) / (times + norm[position])
    return scores


def embed_int8(texts: list[str], folder: Path, threads: int) -> Scores:
    """Vectors of the exported encoder, one text at a time as the product reads them: int8 depends on its batch."""
    import onnxruntime
    from transformers import AutoTokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    network = folder / "onnx/model_quantized.onnx"
    session = onnxruntime.InferenceSession(str(network), options, providers=["CPUExecutionProvider"])
    tokenizer = AutoTokenizer.from_pretrained(folder)  # type: ignore[no-untyped-call]
    vectors = []
    for text in texts:
        inputs = tokenizer([text], truncation=True, max_length=MAX_TOKENS, return_tensors="np")
        hidden = session.run(None, {key: value.astype(np.int64) for key, value in inputs.items()})[0]
        mean = np.asarray(hidden)[0].mean(0)
        vectors.append(mean / np.linalg.norm(mean))
    return np.stack(vectors).astype(np.float32)


def embed_sorted(texts: list[str], model: str, threads: int) -> Scores:
    """Vectors by the model's name: `original`, a folder of trained weights, or one that export_onnx.py wrote."""
    if (Path(model) / "onnx").exists():
        return embed_int8(texts, Path(model), threads)
    source = bundled_model() if model == "original" else Path(model)
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    vectors = embed([texts[i] for i in order], threads, source)
    return vectors[np.argsort(order)]


def recall(scores: Scores, queries: list[Query]) -> dict[int, float]:
    """Mean share of the wanted positions among the first k, of those that could be there."""
    found: dict[int, list[float]] = {depth: [] for depth in DEPTHS}
    for row, query in zip(scores, queries, strict=True):
        if query.own is not None:
            row[query.own] = -np.inf
        best = np.argsort(-row, kind="stable")[: max(DEPTHS)]
        for depth in DEPTHS:
            hits = len(query.wanted & set(best[:depth].tolist()))
            found[depth].append(hits / min(depth, len(query.wanted)))
    return {depth: float(np.mean(shares)) for depth, shares in found.items()}


def own_table_tasks(tables: list[TableRecord], position: dict[str, int]) -> list[Task]:
    """A table's own questions must find it."""
    single = [(question, table) for table in tables for question in table.questions]
    asked: dict[str, list[tuple[dict[str, Any], TableRecord]]] = {
        "all questions": [(target_text(questions=t.questions), t) for t in tables],
        "first question": [(target_text(questions=t.questions[:1]), t) for t in tables],
        "each question": [(target_text(questions=[question]), t) for question, t in single],
        "questions and columns": [(target_text(columns=t.columns, questions=t.questions[:3]), t) for t in tables],
    }
    return [_task(name, "web", records, position) for name, records in asked.items()]


def _task(name: str, index: str, records: list[tuple[dict[str, Any], TableRecord]], position: dict[str, int]) -> Task:
    texts = write_texts([record for record, _ in records])
    queries = [Query(text, frozenset({position[table.id]})) for text, (_, table) in zip(texts, records, strict=True)]
    return Task(name, index, queries)


def page_tasks(pages: list[list[TableRecord]], position: dict[str, int]) -> list[Task]:
    """The first table of a page, with and without its title, must find the others."""
    tasks = []
    for name, titled in (("same page, with title", True), ("same page, without title", False)):
        first = [page[0] for page in pages]
        records = [
            target_text(title=t.title if titled else "", columns=t.columns, rows=t.rows[:ROWS_ASKED]) for t in first
        ]
        queries = [
            Query(text, frozenset(position[t.id] for t in page[1:]), position[page[0].id])
            for text, page in zip(write_texts(records), pages, strict=True)
        ]
        tasks.append(Task(name, "web", queries))
    return tasks


def group_task(name: str, groups: dict[str, list[TableRecord]], asked: list[str]) -> tuple[Task, list[str]]:
    """Every table of the groups asked, by title and columns only, must find the others; with the index's texts."""
    tables = [(key, table) for key, found in groups.items() for table in found]
    members: dict[str, set[int]] = defaultdict(set)
    for place, (key, _) in enumerate(tables):
        members[key].add(place)
    places = [place for place, (key, _) in enumerate(tables) if key in asked and len(members[key]) > 1]
    texts = write_texts([target_text(title=tables[p][1].title, columns=tables[p][1].columns) for p in places])
    queries = [Query(text, frozenset(members[tables[p][0]] - {p}), p) for text, p in zip(texts, places, strict=True)]
    return Task(name, name, queries), write_texts([corpus_text(table) for _, table in tables])


def sample_index(tables: list[TableRecord], asked: set[str], size: int | None) -> list[TableRecord]:
    """The tables asked for and as many others as make up the size, by the hash of their ids."""
    if size is None:
        return tables
    others = set(hash_order(table.id for table in tables if table.id not in asked)[: max(0, size - len(asked))])
    return [table for table in tables if table.id in asked or table.id in others]


def build_tasks(data: Path, part: str, size: int | None) -> tuple[list[Task], dict[str, list[str]]]:
    """All tasks, and the texts of each index."""
    everything = web_records(data)
    tables, pages = held_out_tables(everything, part), held_out_pages(everything, part)
    asked = {table.id for table in tables} | {table.id for page in pages for table in page}
    web = sample_index(everything, asked, size)
    position = {table.id: place for place, table in enumerate(web)}
    tasks = own_table_tasks(tables, position) + page_tasks(pages, position)
    texts = {"web": write_texts([corpus_text(table) for table in web])}
    databases, domains = spider_records(data), starter_records()
    groups = (
        ("same Spider database", databases, held_out_databases(databases)),
        ("same starter domain", domains, held_out_domains(domains)),
    )
    for name, found, keys in groups:
        task, texts[name] = group_task(name, found, keys)
        tasks.append(task)
    return tasks, texts


def measure(model: str, tasks: list[Task], texts: dict[str, list[str]], threads: int) -> dict[str, dict[int, float]]:
    """Recall of one model on every task."""
    if model == "bm25":
        return {t.name: recall(bm25_scores(texts[t.index], [q.text for q in t.queries]), t.queries) for t in tasks}
    vectors = {name: embed_sorted(index, model, threads) for name, index in texts.items()}
    reached = {}
    for task in tasks:
        queries = embed_sorted([query.text for query in task.queries], model, threads)
        reached[task.name] = recall(queries @ vectors[task.index].T, task.queries)
    return reached


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures table encoders on held-out tables.")
    parser.add_argument("models", nargs="+", help="bm25, original, or a folder of a trained or exported encoder")
    parser.add_argument("--part", choices=sorted(HELD_OUT), required=True)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA)
    parser.add_argument("--index-size", type=int, help="of a sample of the tables; without it, all of them")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, help="also write the figures as JSON")
    args = parser.parse_args()
    tasks, texts = build_tasks(args.data, args.part, args.index_size)
    print(f"{args.part}: " + ", ".join(f"{name}: {len(index)} tables" for name, index in texts.items()))
    figures = {}
    for model in args.models:
        figures[model] = measure(model, tasks, texts, args.threads)
        for name, reached in figures[model].items():
            print(f"{model}\t{name}\t" + "\t".join(f"@{k} {reached[k]:.3f}" for k in DEPTHS), flush=True)
    if args.out:
        args.out.write_text(json.dumps({"part": args.part, "figures": figures}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
