"""The tables that the table encoder learns from and is measured on: readers, what is held out, and the product's texts.

What is held out follows from hashes of ids and titles alone, so that `bench/retrieval/` finds the same tables.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sources import read_json, spider_dev_databases, web_table_rows

VALIDATION, TEST = "validation", "test"
HELD_OUT = {VALIDATION: (0, 100), TEST: (100, 400)}
"""Places in the order of the SHA-256 of their keys: of tables with questions, and of pages with two tables or more."""

HELD_OUT_DATABASES = 40
"""Of Spider's train databases, the first by the SHA-256 of their names."""

TEXT_WRITER = Path(__file__).with_name("table_texts.mjs")
STARTER_CORPUS = Path(__file__).parent.parent / "data/wdc-index/corpus"
_NOT_WORD = re.compile(r"[\W_]+")
_TABLE_OF_QUERY = re.compile(r"\b(?:from|join)\s+(\w+)", re.IGNORECASE)


@dataclass(frozen=True)
class TableRecord:
    """A table as its data set has it; `groups` name whatever makes other tables no counter-examples of it."""

    id: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    questions: tuple[str, ...]
    groups: frozenset[str]


def hash_order(keys: Iterable[str]) -> list[str]:
    """Distinct keys by the SHA-256 of their UTF-8 bytes."""
    return sorted(set(keys), key=lambda key: hashlib.sha256(key.encode()).hexdigest())


def page_of(table: TableRecord) -> str:
    """TabFact's titles are those of pages; a table without one (all of WikiTableQuestions) has no known page."""
    return table.title.lower()


def web_records(data: Path) -> list[TableRecord]:
    """All tables of TabFact and WikiTableQuestions, in the order of the files."""
    return [_web_record(raw) for raw in web_table_rows(data)]


def _web_record(raw: dict[str, Any]) -> TableRecord:
    rows = tuple(tuple(str(cell) for cell in row) for row in raw["rows"])
    # Ids such as 1-10015132-14 hold the number of the page, which some tables without a title share.
    page = raw["id"].split("-")[1] if raw["id"].count("-") == 2 else ""
    groups = {f"table {raw['id']}", f"number {page}" if page else "", f"page {raw['title'].lower()}"}
    return TableRecord(
        raw["id"],
        raw["title"],
        tuple(raw["columns"]),
        rows,
        tuple(raw.get("questions", ())),
        frozenset(groups - {"", "page "}),
    )


def held_out_tables(tables: list[TableRecord], part: str) -> list[TableRecord]:
    """The tables with questions that one part asks for."""
    first, last = HELD_OUT[part]
    chosen = hash_order(table.id for table in tables if table.questions)[first:last]
    by_id = {table.id: table for table in tables}
    return [by_id[key] for key in chosen]


def held_out_pages(tables: list[TableRecord], part: str) -> list[list[TableRecord]]:
    """The tables of each page that one part asks for."""
    pages: dict[str, list[TableRecord]] = defaultdict(list)
    for table in tables:
        if table.title:
            pages[page_of(table)].append(table)
    first, last = HELD_OUT[part]
    return [pages[key] for key in hash_order(key for key, found in pages.items() if len(found) > 1)[first:last]]


def _row_key(row: tuple[str, ...]) -> str:
    return "|".join(_NOT_WORD.sub("", cell.lower()) for cell in row)


def _row_keys(table: TableRecord) -> set[str]:
    # A row of a few short cells is no sign of the same table.
    return {key for key in map(_row_key, table.rows) if len(key) > 20}


def training_tables(tables: list[TableRecord]) -> list[TableRecord]:
    """Tables that are not held out, nor on a page with one that is, nor share a row with one."""
    held: list[TableRecord] = []
    for part in HELD_OUT:
        held += held_out_tables(tables, part)
        held += [table for page in held_out_pages(tables, part) for table in page]
    groups = {group for table in held for group in table.groups}
    rows = {key for table in held for key in _row_keys(table)}
    return [table for table in tables if not table.groups & groups and not _row_keys(table) & rows]


def spider_records(data: Path) -> dict[str, list[TableRecord]]:
    """Spider's databases without those of the dev split: tables by their natural names, with train questions."""
    dev = spider_dev_databases(data)
    asked = _questions_by_table(data)
    databases: dict[str, list[TableRecord]] = {}
    for schema in read_json(data / "spider/tables.json"):
        name = schema["db_id"]
        if name in dev:
            continue
        for index, title in enumerate(schema["table_names"]):
            columns = tuple(column for table, column in schema["column_names"] if table == index)
            questions = asked.get((name, schema["table_names_original"][index].lower()), [])
            groups = frozenset({f"database {name}"})
            record = TableRecord(f"{name}#{title}", title, columns, (), tuple(questions), groups)
            databases.setdefault(name, []).append(record)
    return databases


def _questions_by_table(data: Path) -> dict[tuple[str, str], list[str]]:
    asked: dict[tuple[str, str], list[str]] = defaultdict(list)
    for example in read_json(data / "spider/train.json"):
        for table in sorted({name.lower() for name in _TABLE_OF_QUERY.findall(example["query"])}):
            asked[example["db_id"], table].append(example["question"])
    return asked


def held_out_databases(databases: dict[str, list[TableRecord]]) -> list[str]:
    """Train databases that are not learned from."""
    return hash_order(databases)[:HELD_OUT_DATABASES]


def starter_records(folder: Path = STARTER_CORPUS) -> dict[str, list[TableRecord]]:
    """The tables of the starter index by domain, one file each."""
    domains: dict[str, list[TableRecord]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            raw = json.loads(line)
            rows = tuple(tuple(str(cell) for cell in row) for row in raw.get("rows", []))
            groups = frozenset({f"domain {path.stem}"})
            record = TableRecord(raw["id"], raw["title"], tuple(raw["columns"]), rows, (), groups)
            domains.setdefault(path.stem, []).append(record)
    return domains


def held_out_domains(domains: dict[str, list[TableRecord]]) -> list[str]:
    """Every second domain of the starter index, by the SHA-256 of its name: not learned from."""
    return hash_order(domains)[::2]


def corpus_text(table: TableRecord, **changes: Any) -> dict[str, Any]:
    """What the product would write for the table in an index; `changes` replace fields."""
    return {"title": table.title, "columns": table.columns, "rows": table.rows, **changes}


def target_text(**parts: Any) -> dict[str, Any]:
    """What the product would ask for a table to be perturbed; parts that are not given are empty."""
    return {"domain": "", "title": "", "columns": (), "rows": (), "questions": (), "target": True, **parts}


def write_texts(records: list[dict[str, Any]]) -> list[str]:
    """The product's own texts, from `corpus_text` and `target_text` records."""
    if not records:
        return []
    lines = "".join(json.dumps(record) + "\n" for record in records)
    done = subprocess.run(["node", str(TEXT_WRITER)], input=lines, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{TEXT_WRITER.name} failed; run `npm run build` first\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]
