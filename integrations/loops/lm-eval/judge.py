"""What the tasks ask, and the reward of an answer: what perturbql says of its query."""

from pathlib import Path

import datasets
import perturbql

HERE = Path(__file__).resolve().parent
RUN = HERE.parent


def load_questions(kind, **_):
    """Load the questions of a kind."""
    rows = datasets.load_dataset("json", data_files={"test": str(HERE / "questions.jsonl")})
    return rows.filter(lambda row: row["kind"] == kind)


def process_results(doc, results):
    """Score an answer; options of `perturbql serve rewards`, such as reward or suite, may be added."""
    inputs = {"tables": RUN / "tables.json", "databases": RUN / "database"}
    scores = perturbql.reward([results[0]], [doc["query"]], [doc["db_id"]], answers=True, **inputs)
    return {"reward": scores[0]}
