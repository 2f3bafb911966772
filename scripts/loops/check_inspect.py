"""Inspect over the export's task, with its mock model."""

import importlib.metadata
import json
import sys
import tempfile
from pathlib import Path

from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from sql_answers import report, right, wrong

RUN = Path(sys.argv[1])
with (RUN / "inspect/samples.jsonl").open() as lines:
    golds = {row["input"][-1]["content"]: row["target"] for row in map(json.loads, lines)}


def scores_of(answer) -> list[float]:
    def respond(messages, *_):
        output = ModelOutput.from_content("mockllm/model", answer(golds[messages[-1].text]))
        # Without it, tokens are counted by an encoding from the network.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=respond)
    with tempfile.TemporaryDirectory() as logs:
        [log] = evaluate(f"{RUN}/inspect/task.py@perturbql_sql", model=model, display="none", log_dir=logs)
        assert log.status == "success", log.error.message
        metrics = {name for score in log.results.scores for name in score.metrics}
        assert {"original", "RPL", "ADD", "all"} <= metrics, metrics
        return [sample.scores["judged"].value for sample in log.samples]


report(importlib.metadata.version("inspect-ai"), scores_of(right), scores_of(wrong))
