from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import perturbql
from perturbql.runtime import find_node

Drawn = perturbql.Run[perturbql.Candidate]
Inputs = dict[str, Any]


def answer(question: perturbql.Question) -> str:
    """Answers each question alike."""
    return f"SELECT count(*) FROM {question.schema.split('TABLE ')[1].split()[0]}"


def measured(
    drawn: Drawn, inputs: Inputs, out: Path, predict: perturbql.Predict, batch_size: int | None = None
) -> perturbql.Measurement:
    return perturbql.attack(
        out=out, predict=predict, candidates=drawn.folder, seeds=1, name="same", batch_size=batch_size, **inputs
    )


def answers_of(measurement: perturbql.Measurement) -> list[str]:
    return sorted((measurement.folder / "answers.jsonl").read_text("utf-8").splitlines())


def test_all_ways_of_answering_agree(drawn: Drawn, inputs: Inputs, tmp_path: Path) -> None:
    sizes: list[int] = []

    async def one(question: perturbql.Question) -> str:
        await asyncio.sleep(0)
        return answer(question)

    def many(questions: list[perturbql.Question]) -> list[str]:
        sizes.append(len(questions))
        return [answer(question) for question in questions]

    plain = measured(drawn, inputs, tmp_path / "plain", answer)
    later = measured(drawn, inputs, tmp_path / "later", one)
    batch = measured(drawn, inputs, tmp_path / "batch", many, batch_size=8)
    assert plain.report["scores"] == later.report["scores"] == batch.report["scores"]
    assert 1 < max(sizes) <= 8


def test_error_of_the_model_arrives(drawn: Drawn, inputs: Inputs, tmp_path: Path) -> None:
    def broken(question: perturbql.Question) -> str:
        raise LookupError(question.id)

    with pytest.raises(LookupError):
        measured(drawn, inputs, tmp_path / "RUN", broken)


def test_too_few_answers_are_an_error(drawn: Drawn, inputs: Inputs, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="as many"):
        measured(
            drawn,
            inputs,
            tmp_path / "RUN",
            lambda questions: ["SELECT 1", *[""] * len(questions)],
            batch_size=2,
        )


INTERRUPTED = """
import sys, time
import perturbql
def slow(question):
    print("asked", flush=True)
    time.sleep(600)
perturbql.attack(predict=slow, out=sys.argv[1], candidates=sys.argv[2], tables=sys.argv[3], examples=sys.argv[4])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_interrupt_stops_both_sides(drawn: Drawn, inputs: Inputs, tmp_path: Path) -> None:
    arguments = [str(value) for value in (tmp_path / "RUN", drawn.folder, inputs["tables"], inputs["examples"])]
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED, *arguments], stdout=subprocess.PIPE, text=True) as python:
        assert python.stdout is not None
        assert python.stdout.readline() == "asked\n"
        children = subprocess.run(["pgrep", "-P", str(python.pid)], capture_output=True, text=True).stdout.split()
        python.send_signal(signal.SIGINT)
        assert python.wait(60) != 0
    assert find_node()
    for child in children:
        with pytest.raises(ProcessLookupError):
            os.kill(int(child), 0)
