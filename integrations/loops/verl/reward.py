"""The reward of an answer for verl: what perturbql says of its query."""

from pathlib import Path

import perturbql

RUN = Path(__file__).resolve().parents[1]


def compute_score(data_source, solution_str, ground_truth, extra_info=None, **options):
    """Score one answer; `reward_kwargs` are options of `perturbql serve rewards`, such as reward or suite."""
    inputs = {"tables": RUN / "tables.json", "databases": RUN / "database"}
    return perturbql.reward([solution_str], [ground_truth], [extra_info["db_id"]], answers=True, **inputs, **options)[0]
