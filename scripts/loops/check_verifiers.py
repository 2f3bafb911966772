"""Verifiers' loader and scoring over the environment that the export is, installed with pip, and its check of golds."""

import asyncio
import importlib.metadata

import verifiers.v1 as vf
from sql_answers import report, right, wrong
from verifiers.v1.utils.loaders import taskset_config_type

config = taskset_config_type("perturbql-sql")(id="perturbql-sql")
tasks = list(vf.load_taskset(config))
assert tasks


async def scores_of(answer) -> list[float]:
    scores = []
    for task in tasks:
        data = vf.TraceTask(type=type(task).__name__, data=task.data, hash=task.hash, key=task.key)
        agent = vf.AgentInfo(config=vf.AgentConfig())
        trace = vf.Trace(task=data, agent=agent, root_reply=answer(task.data.query))
        await task.score(trace)
        scores.append(trace.reward)
    assert all([await task.validate(None) for task in tasks])
    return scores


golds, others = (asyncio.run(scores_of(answer)) for answer in (right, wrong))
report(importlib.metadata.version("verifiers"), golds, others)
