"""Tasks and their reward. The databases stay in the run's folder: install with `pip install -e RUN/verifiers`."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import perturbql
import verifiers.v1 as vf

HERE = Path(__file__).resolve().parent
RUN = HERE.parents[1]


class SqlData(vf.TaskData):
    """A question on one schema."""

    query: str
    db_id: str
    kind: str


class SqlTaskConfig(vf.TaskConfig):
    """Further settings, under `--env.taskset.task.*`."""

    formula: str = "execution"
    """What is rewarded, as `perturbql serve rewards --reward` takes it."""


class SqlTask(vf.Task[SqlData, vf.State, SqlTaskConfig]):
    """Asks for a query; perturbql says what it is worth."""

    async def score_of(self, answer: str) -> float:
        """The reward of an answer."""
        given = {"tables": RUN / "tables.json", "databases": RUN / "database", "reward": self.config.formula}
        asked = [answer], [self.data.query], [self.data.db_id]
        scores = await asyncio.to_thread(perturbql.reward, *asked, answers=True, **given)
        return scores[0]

    @vf.reward
    async def correct(self, trace: vf.Trace) -> float:
        """The reward of the last reply."""
        return await self.score_of(trace.last_reply)

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the gold query gets a reward."""
        return await self.score_of(self.data.query) > 0


class SqlConfig(vf.TasksetConfig):
    """Settings of the taskset."""

    task: SqlTaskConfig = SqlTaskConfig()


class PerturbqlTaskset(vf.Taskset[SqlTask, SqlConfig]):
    """The questions of a run of perturbql."""

    def load(self) -> Iterator[SqlTask]:
        """Read them, one by one."""
        with (HERE / "tasks.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                yield SqlTask(SqlData(**json.loads(line)), self.config.task)
