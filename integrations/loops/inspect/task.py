"""A task of Inspect: questions on perturbed schemas, judged by perturbql."""

import asyncio
from pathlib import Path

import perturbql
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import Score, Target, grouped, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

HERE = Path(__file__).resolve().parent
RUN = HERE.parent


@scorer(metrics=[grouped(mean(), "kind"), stderr()])
def judged(**options):
    """Score an answer; options are those of `perturbql serve rewards`, such as reward or suite."""

    async def score(state: TaskState, target: Target) -> Score:
        given = {"tables": RUN / "tables.json", "databases": RUN / "database", **options}
        asked = [state.output.completion], [target.text], [state.metadata["db_id"]]
        scores = await asyncio.to_thread(perturbql.reward, *asked, answers=True, **given)
        return Score(value=scores[0], answer=state.output.completion)

    return score


@task
def perturbql_sql():
    """The questions of the run."""
    return Task(dataset=json_dataset(str(HERE / "samples.jsonl")), solver=generate(), scorer=judged())
