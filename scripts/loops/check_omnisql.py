"""The export as OmniSQL's scripts take it, which are no package: each answer to train on, judged."""

import json
import sys
from pathlib import Path

import perturbql
from sql_answers import report, wrong

RUN = Path(sys.argv[1])
with (RUN / "omnisql/data.json").open() as file:
    rows = json.load(file)


def scores_of(answers: list[str]) -> list[float]:
    golds, db_ids = [row["sql"] for row in rows], [row["db_id"] for row in rows]
    return perturbql.reward(answers, golds, db_ids, answers=True, databases=f"{RUN}/database")


report("", scores_of([row["cot"] for row in rows]), scores_of([wrong(row["sql"]) for row in rows]))
