"""Readers of the data sets that the recipes learn from; none of them is kept in this repository.

The folder of ADVETA is never opened here: its human labels measure the models and must not shape them. The databases
of Spider's dev split are left out for the same reason.
"""

from __future__ import annotations

import difflib
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

DEFAULT_DATA = Path("../shared/data")
LABELS = ("contradiction", "neutral", "entailment")
CONTRADICTION, NEUTRAL, ENTAILMENT = range(3)
"""Output positions of the judge, as `labels` in its manifest."""

TITLE_LENGTH = 60
WEB_TABLE_SETS = ("tabfact", "wikitablequestions")
_NUMBER = re.compile(r"[-+$€£]?[\d,. ]+%?")
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Table:
    """A table's title and its lower-case column names; `curated` where people wrote the names with care (Spider)."""

    title: str
    columns: tuple[str, ...]
    types: tuple[str, ...]
    curated: bool


def read_json(path: Path) -> Any:
    """One JSON document."""
    with path.open(encoding="utf-8") as file:
        return json.load(file)


def read_jsonl(path: Path) -> Iterator[Any]:
    """The documents of a JSONL file, plain or .gz; empty lines are skipped."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def spider_dev_databases(data: Path) -> set[str]:
    """Databases that the product is measured on."""
    return {example["db_id"] for example in read_json(data / "spider/dev.json")}


def spider_tables(data: Path) -> Iterator[Table]:
    """Tables of Spider's schemas by their natural names, without the dev databases."""
    dev = spider_dev_databases(data)
    for schema in read_json(data / "spider/tables.json"):
        if schema["db_id"] in dev:
            continue
        typed = list(zip(schema["column_names"], schema["column_types"], strict=True))
        for index, title in enumerate(schema["table_names"]):
            own = [(name.lower(), kind) for (table, name), kind in typed if table == index]
            yield Table(title, tuple(name for name, _ in own), tuple(kind for _, kind in own), curated=True)


def web_table_rows(data: Path) -> Iterator[dict[str, Any]]:
    """Records `{id, title, columns, rows}` of TabFact and WikiTableQuestions."""
    for name in WEB_TABLE_SETS:
        yield from read_jsonl(data / f"tables/{name}.jsonl.gz")


def _column_type(rows: list[list[str]], index: int) -> str:
    cells = [str(row[index]).strip() for row in rows if index < len(row)]
    numbers = sum(bool(_NUMBER.fullmatch(cell)) for cell in cells)
    return "number" if numbers >= len(rows) / 2 else "text"


def web_tables(data: Path) -> Iterator[Table]:
    """Tables of TabFact and WikiTableQuestions, one for each distinct header."""
    seen: set[tuple[str, ...]] = set()
    for record in web_table_rows(data):
        columns = tuple(name.lower().replace("\n", " ").strip() for name in record["columns"])
        if columns in seen:
            continue
        seen.add(columns)
        types = tuple(_column_type(record["rows"], index) for index in range(len(columns)))
        yield Table(record["title"].lower()[:TITLE_LENGTH], columns, types, curated=False)


def all_tables(data: Path, most: int | None = None) -> list[Table]:
    """Spider's tables, then the web's; `most` of each for a quick trial."""
    return [*islice(spider_tables(data), most), *islice(web_tables(data), most)]


def question_synonyms(data: Path, databases: frozenset[str] | None = None) -> dict[str, list[str]]:
    """What Spider-Syn's annotators wrote for a phrase of up to three words (train split), in all or some databases.

    The most frequent comes first, and each as often as it was written.
    """
    dev = spider_dev_databases(data)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for example in read_json(data / "spider-syn/train_spider.json"):
        if example["db_id"] in dev or (databases is not None and example["db_id"] not in databases):
            continue
        before = _TOKEN.findall(example["SpiderQuestion"].lower())
        after = _TOKEN.findall(example["SpiderSynQuestion"].lower())
        edits = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        for kind, i, j, k, m in edits:
            if kind == "replace" and j - i <= 3 and m - k <= 3:
                counts[" ".join(before[i:j])][" ".join(after[k:m])] += 1
    return {phrase: [word for word, n in found.most_common() for _ in range(n)] for phrase, found in counts.items()}
