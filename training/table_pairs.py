"""Writes what the table encoder learns from: pairs of a query and a table of the index, in the product's own words.

Titles are often left out on either side, and cells of a question come from rows that the table's text does not show, so
that what is learned is the domain, not the same words. Nothing held out (table_data.py) is used, nor Spider's dev databases.

    python training/table_pairs.py --out build/table-pairs.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sources import DEFAULT_DATA
from table_data import (
    TableRecord,
    corpus_text,
    held_out_databases,
    held_out_domains,
    spider_records,
    starter_records,
    target_text,
    training_tables,
    web_records,
    write_texts,
)

SHARES = {
    "question": 0.34,
    "questions": 0.18,
    "questions-columns": 0.05,
    "made-question": 0.17,
    "page": 0.09,
    "title-domain": 0.03,
    "title": 0.03,
    "halves": 0.02,
    "spider-question": 0.03,
    "spider-questions": 0.02,
    "spider-database": 0.02,
    "starter-domain": 0.02,
}
"""Of all pairs, by the rule that made them."""

ROWS_SHOWN = 3
"""Rows of a corpus table that the product keeps."""

LARGEST_DOMAIN = 60
QUESTION_FRAMES = (
    "what is the {asked} of {value}?",
    "what was the {asked} for {value}?",
    "which {asked} has {value} as its {column}?",
    "which {asked} had {value}?",
    "how many {asked} does {value} have?",
    "what {asked} comes after {value}?",
    "who had {value} in {other}?",
    "did {value} or {other} have the higher {asked}?",
    "how many times was {value} listed with {other}?",
    "what is the total {asked} when the {column} is {value}?",
    "when did {value} appear with {other}?",
    "name the {asked} for {value} and {other}",
)
_DIGITS = re.compile(r"\d+(?:st|nd|rd|th|s)?")
_SPACES = re.compile(r"[\s\-–,]+")


@dataclass(frozen=True)
class Pair:
    """A query and a table as records to be written; no table of its groups is a counter-example."""

    query: dict[str, Any]
    table: dict[str, Any]
    groups: frozenset[str]


Maker = Callable[[random.Random], Iterator[Pair]]


def endless(items: list[Any], rng: random.Random) -> Iterator[Any]:
    """All items in random order, again and again."""
    while items:
        yield from rng.sample(items, len(items))


def shown_late(table: TableRecord) -> tuple[tuple[str, ...], ...]:
    """Rows whose cells are not in the text of the table."""
    return table.rows[ROWS_SHOWN:]


def ask_once(tables: list[TableRecord], rng: random.Random) -> Iterator[Pair]:
    """One question ↔ its table."""
    asked = [(question, table) for table in tables for question in table.questions]
    for question, table in endless(asked, rng):
        yield Pair(target_text(questions=[question]), corpus_text(table), table.groups)


def ask_often(tables: list[TableRecord], rng: random.Random) -> Iterator[Pair]:
    """Several or all questions ↔ their table."""
    for table in endless([table for table in tables if len(table.questions) > 1], rng):
        count = max(2, rng.randint(2, 2 * len(table.questions)))
        chosen = rng.sample(table.questions, min(count, len(table.questions)))
        yield Pair(target_text(questions=chosen), corpus_text(table), table.groups)


def ask_with_columns(tables: list[TableRecord], rng: random.Random) -> Iterator[Pair]:
    """Questions, some of the columns and late rows ↔ the table."""
    for table in endless([table for table in tables if table.questions], rng):
        kept = sorted(rng.sample(range(len(table.columns)), rng.randint(1, len(table.columns))))
        rows = tuple(tuple(row[i] if i < len(row) else "" for i in kept) for row in shown_late(table))
        query = target_text(columns=[table.columns[i] for i in kept], rows=rows, questions=table.questions[:3])
        yield Pair(query, corpus_text(table), table.groups)


def made_question(table: TableRecord, rng: random.Random) -> str | None:
    """A question by a frame about cells that the table's text does not show."""
    row = rng.choice(shown_late(table))
    cells = [(i, cell) for i, cell in enumerate(row[: len(table.columns)]) if 2 < len(cell) < 40]
    words = [item for item in cells if re.search(r"[^\W\d]{3}", item[1])]
    if not words:
        return None
    column, value = rng.choice(words)
    other = rng.choice([cell for _, cell in cells if cell != value] or [value])
    asked = rng.choice([name for i, name in enumerate(table.columns) if i != column] or list(table.columns))
    frame = rng.choice(QUESTION_FRAMES)
    question = frame.format(asked=asked, column=table.columns[column], value=value, other=other)
    return f"in {table.title}, {question}" if table.title and rng.random() < 0.3 else question


def ask_made_question(tables: list[TableRecord], rng: random.Random) -> Iterator[Pair]:
    """A made question about late rows ↔ the table."""
    for table in endless([table for table in tables if shown_late(table)], rng):
        questions = [made_question(table, rng) for _ in range(rng.choice((1, 1, 2)))]
        found = [question for question in questions if question]
        if not found:
            continue
        names_title = any(question.startswith("in ") for question in found)
        title = "" if names_title or rng.random() < 0.4 else table.title
        yield Pair(target_text(questions=found), corpus_text(table, title=title), table.groups)


def other_columns(query: TableRecord, table: TableRecord) -> list[int]:
    """Positions of the query's columns that the table has not; all where they are the same."""
    known = {name.lower() for name in table.columns}
    return [i for i, name in enumerate(query.columns) if name.lower() not in known] or list(range(len(query.columns)))


def pair_tables(query: TableRecord, table: TableRecord, rng: random.Random) -> Pair:
    """One table asked for by another; titles stand on any side, and half of the pairs share no column."""
    titled = rng.choice(("both", "query", "table", "neither"))
    kept = other_columns(query, table) if rng.random() < 0.5 else range(len(query.columns))
    rows = [[row[i] if i < len(row) else "" for i in kept] for row in query.rows[:ROWS_SHOWN]]
    asked = target_text(
        title=query.title if titled in ("both", "query") else "",
        columns=[query.columns[i] for i in kept],
        rows=rows if rng.random() < 0.6 else (),
    )
    title = table.title if titled in ("both", "table") else ""
    return Pair(asked, corpus_text(table, title=title), query.groups | table.groups)


def pair_within(groups: list[list[TableRecord]], rng: random.Random) -> Iterator[Pair]:
    """Two tables of one group; a large group comes more often, but not by its square."""
    weighted = [group for group in groups for _ in range(min(len(group), 6) - 1)]
    for group in endless(weighted, rng):
        query, table = rng.sample(group, 2)
        yield pair_tables(query, table, rng)


def by_page(tables: list[TableRecord]) -> list[list[TableRecord]]:
    pages: dict[str, list[TableRecord]] = defaultdict(list)
    for table in tables:
        if table.title:
            pages[table.title.lower()].append(table)
    return [found for found in pages.values() if len(found) > 1]


def domain_keys(title: str) -> list[str]:
    """What titles of one domain share: the title without numbers ("nba draft"), and its last words ("… discography")."""
    words = [word for word in _SPACES.split(_DIGITS.sub(" ", title.lower())) if word]
    keys = [" ".join(words)] if len(words) > 1 and _DIGITS.search(title) else []
    if len(words) > 2:
        keys += ["… " + " ".join(words[-2:]), " ".join(words[:2]) + " …"]
    return keys


def by_title_domain(tables: list[TableRecord]) -> list[list[TableRecord]]:
    """One table of each page, grouped by what the titles share."""
    domains: dict[str, list[TableRecord]] = defaultdict(list)
    for table in {table.title.lower(): table for table in tables if table.title}.values():
        for key in domain_keys(table.title):
            domains[key].append(table)
    return [found for found in domains.values() if 1 < len(found) <= LARGEST_DOMAIN]


def ask_by_title(tables: list[TableRecord], rng: random.Random) -> Iterator[Pair]:
    """A title ↔ columns and cells."""
    for table in endless([table for table in tables if table.title], rng):
        yield Pair(target_text(title=table.title), corpus_text(table, title=""), table.groups)


def ask_by_half(tables: list[TableRecord], rng: random.Random) -> Iterator[Pair]:
    """Half of the columns with late rows ↔ the other half with early ones."""
    for table in endless([table for table in tables if len(table.columns) > 3], rng):
        order = rng.sample(range(len(table.columns)), len(table.columns))
        halves = [sorted(order[: len(order) // 2]), sorted(order[len(order) // 2 :])]
        columns = [[table.columns[i] for i in half] for half in halves]
        rows = [[[row[i] if i < len(row) else "" for i in half] for row in table.rows] for half in halves]
        query = target_text(columns=columns[0], rows=rows[0][ROWS_SHOWN:])
        title = table.title if rng.random() < 0.5 else ""
        answer = corpus_text(table, title=title, columns=columns[1], rows=rows[1][:ROWS_SHOWN])
        yield Pair(query, answer, table.groups)


def ask_databases(databases: list[list[TableRecord]], rng: random.Random) -> Iterator[Pair]:
    """Two tables of one database by title and columns, as a table without questions is asked for."""
    for group in endless([group for group in databases if len(group) > 1], rng):
        query, table = rng.sample(group, 2)
        asked = target_text(title=query.title, columns=query.columns)
        yield Pair(asked, corpus_text(table), query.groups | table.groups)


def makers(data: Path) -> dict[str, Maker]:
    """How the pairs of each rule are made from what is not held out."""
    web = training_tables(web_records(data))
    databases = spider_records(data)
    held = set(held_out_databases(databases))
    kept = [tables for name, tables in databases.items() if name not in held]
    spider = [table for tables in kept for table in tables]
    domains = starter_records()
    held |= set(held_out_domains(domains))
    starter = [tables for name, tables in domains.items() if name not in held]
    pages, titles = by_page(web), by_title_domain(web)
    print(f"{len(web)} web tables, {len(spider)} Spider tables, {len(starter)} domains of the starter corpus")
    return {
        "question": lambda rng: ask_once(web, rng),
        "questions": lambda rng: ask_often(web, rng),
        "questions-columns": lambda rng: ask_with_columns(web, rng),
        "made-question": lambda rng: ask_made_question(web, rng),
        "page": lambda rng: pair_within(pages, rng),
        "title-domain": lambda rng: pair_within(titles, rng),
        "title": lambda rng: ask_by_title(web, rng),
        "halves": lambda rng: ask_by_half(web, rng),
        "spider-question": lambda rng: ask_once(spider, rng),
        "spider-questions": lambda rng: ask_often(spider, rng),
        "spider-database": lambda rng: ask_databases(kept, rng),
        "starter-domain": lambda rng: pair_within(starter, rng),
    }


def make_pairs(data: Path, count: int, seed: int) -> list[tuple[str, Pair]]:
    """`count` pairs by their shares; what one rule draws does not depend on the others."""
    found: list[tuple[str, Pair]] = []
    for kind, maker in makers(data).items():
        pairs = maker(random.Random(f"{seed} {kind}"))
        found += [(kind, next(pairs)) for _ in range(round(count * SHARES[kind]))]
    return found


def write_pairs(pairs: list[tuple[str, Pair]], out: Path) -> None:
    """JSONL of `{kind, query, table, groups}`; pairs with an empty side are left out."""
    queries = write_texts([pair.query for _, pair in pairs])
    tables = write_texts([pair.table for _, pair in pairs])
    written: Counter[str] = Counter()
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as file:
        for (kind, pair), query, table in zip(pairs, queries, tables, strict=True):
            if not query or not table or query == table:
                continue
            record = {"kind": kind, "query": query, "table": table, "groups": sorted(pair.groups)}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            written[kind] += 1
    print(f"{out}: {written.total()} pairs", dict(written))


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes the pairs that the table encoder learns from.")
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    write_pairs(make_pairs(args.data, args.count, args.seed), args.out)


if __name__ == "__main__":
    main()
