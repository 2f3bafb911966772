"""The LM Evaluation Harness over the export's group of tasks, with models that know the gold or say something wrong."""

import importlib.metadata
import json
import sys
from pathlib import Path

import lm_eval
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager
from sql_answers import report, right, wrong

RUN = Path(sys.argv[1])
with (RUN / "lm-eval/questions.jsonl").open() as lines:
    golds = {row["prompt"]: row["query"] for row in map(json.loads, lines)}


class Known(LM):
    def __init__(self, answer) -> None:
        super().__init__()
        self._answer = answer

    def generate_until(self, requests, disable_tqdm=False):
        return [self._answer(golds[request.args[0]]) for request in requests]

    def loglikelihood(self, requests, disable_tqdm=False):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


def scores_of(answer) -> list[float]:
    manager = TaskManager(include_path=f"{RUN}/lm-eval", include_defaults=False)
    results = lm_eval.simple_evaluate(Known(answer), tasks=["perturbql_sql"], task_manager=manager, bootstrap_iters=0)
    assert len(results["samples"]) == 3
    scores = [sample["reward"] for samples in results["samples"].values() for sample in samples]
    [overall] = [value for name, value in results["groups"]["perturbql_sql"].items() if name.startswith("reward,")]
    assert abs(overall - sum(scores) / len(scores)) < 1e-9
    return scores


report(importlib.metadata.version("lm-eval"), scores_of(right), scores_of(wrong))
