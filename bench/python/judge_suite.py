"""An outside judge of test suites: `npm run bench:suite -- --outside --suite DIR`.

Runs gold and predictions with Python's own sqlite3 on the files of an unpacked suite, and compares results by the rule of
the published evaluator (`result_eq` of Zhong et al. 2020), written from its description: the columns may come in any
order, the rows too unless the gold has ORDER BY, and rows count as often as they come. Nothing of perturbql runs here.

    python judge_suite.py pairs.jsonl verdicts.jsonl

Each line in: {"gold": SQL, "candidates": [SQL, ...], "databases": [file, ...]}; each line out: true where one of the
candidates has the gold's result on every database, else false.
"""

import itertools
import json
import re
import sqlite3
import sys
from collections import Counter

MOST_STEPS = 100_000
"""Calls of SQLite's progress handler, each after 1,000 instructions, before a query counts as one without an end."""

TOKENS = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|\w+|\s+|.", re.DOTALL)


def as_executed(sql):
    """As the published evaluator executes it: without DISTINCT, and with operators that predictions split joined."""
    kept = "".join(token for token in TOKENS.findall(sql) if token.lower() != "distinct")
    return kept.replace("> =", ">=").replace("< =", "<=").replace("! =", "!=")


def same_rows(gold, other, ordered):
    return gold == other if ordered else Counter(gold) == Counter(other)


def same_result(gold, other, ordered):
    if not gold and not other:
        return True
    if len(gold) != len(other) or len(gold[0]) != len(other[0]):
        return False
    if same_rows(gold, other, ordered):
        return True
    wanted = [Counter(column) for column in zip(*gold)]
    given = [Counter(column) for column in zip(*other)]
    choices = [[i for i, column in enumerate(given) if column == one] for one in wanted]
    for order in itertools.product(*choices):
        if len(set(order)) == len(order):
            if same_rows(gold, [tuple(row[i] for i in order) for row in other], ordered):
                return True
    return False


class Databases:
    """Open files and what gold queries gave on them."""

    def __init__(self):
        self.open = {}
        self.known = {}

    def run(self, file, sql):
        connection = self.open.get(file)
        if connection is None:
            connection = self.open[file] = sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)
            connection.text_factory = lambda data: data.decode(errors="ignore")
        steps = itertools.count()
        connection.set_progress_handler(lambda: next(steps) > MOST_STEPS, 1000)
        try:
            return connection.execute(sql).fetchall()
        except (sqlite3.Error, sqlite3.Warning):
            return None

    def gold(self, file, sql):
        key = (file, sql)
        if key not in self.known:
            self.known[key] = self.run(file, sql)
        return self.known[key]


def passes(databases, gold, sql, files):
    ordered = "order by" in gold.lower()
    for file in files:
        wanted = databases.gold(file, gold)
        given = wanted if sql == gold else databases.run(file, sql)
        if wanted is None or given is None or not same_result(wanted, given, ordered):
            return False
    return True


def main(source, target):
    databases = Databases()
    with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
        for line in lines:
            pair = json.loads(line)
            gold = as_executed(pair["gold"])
            candidates = dict.fromkeys(as_executed(sql) for sql in pair["candidates"])
            verdict = any(passes(databases, gold, sql, pair["databases"]) for sql in candidates)
            out.write(json.dumps(verdict) + "\n")


main(*sys.argv[1:])
