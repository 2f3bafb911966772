from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import perturbql
from perturbql.runtime import find_node, program

GOLD = "SELECT count(*) FROM gardener"
GARDEN = "community_garden"


@pytest.fixture(scope="module")
def databases(examples: Path) -> Path:
    return examples / "database"


@pytest.fixture(scope="module")
def rewarder(databases: Path) -> Iterator[perturbql.Rewarder]:
    with perturbql.Rewarder(databases=databases, reward="execution + 0.5*exact", jobs=1) as made:
        yield made


def test_a_reward_says_how_and_why(rewarder: perturbql.Rewarder) -> None:
    predictions = [GOLD, "SELECT 0", "SELEC", "SELECT count(name) FROM gardener"]
    first, wrong, unreadable, _ = rewarder(predictions, [GOLD] * 4, [GARDEN] * 4)
    assert first == perturbql.Reward(1.5, "correct", None, {"execution": "correct", "exact": "correct"})
    assert (wrong.score, wrong.outcome) == (0, "wrong")
    assert unreadable.score == 0
    assert unreadable.reason


def test_many_at_once_do_not_wait_for_each_other(rewarder: perturbql.Rewarder) -> None:
    predictions = [GOLD, f"SELECT {'1 + ' * 5_000}1"] * 200
    judged = rewarder(predictions, [GOLD] * 400, [GARDEN] * 400)
    assert [one.outcome for one in judged[:2]] == ["correct", judged[1].outcome]
    assert {one.score for one in judged[::2]} == {1.5}


def test_an_unknown_database_is_named_and_the_process_goes_on(rewarder: perturbql.Rewarder) -> None:
    with pytest.raises(perturbql.PerturbqlError, match=r"prediction 1.*nowhere") as caught:
        rewarder([GOLD, GOLD], [GOLD, GOLD], [GARDEN, "nowhere"])
    assert caught.value.fix
    assert rewarder([GOLD], [GOLD], [GARDEN])[0].score == 1.5


def test_wrong_use_is_refused(rewarder: perturbql.Rewarder, databases: Path) -> None:
    with pytest.raises(ValueError, match="2 predictions for 1"):
        rewarder([GOLD, GOLD], [GOLD], [GARDEN])
    with pytest.raises(perturbql.PerturbqlError, match="no part") as caught:
        perturbql.reward([GOLD], [GOLD], [GARDEN], databases=databases, reward="beauty")
    assert caught.value.fix


def test_same_verdicts_as_evaluate(inputs: dict[str, Any], examples: Path) -> None:
    pairs = [line.rsplit("\t", 1) for line in (examples / "gold.sql").read_text("utf-8").splitlines() if line]
    predictions = (examples / "pred.sql").read_text("utf-8").splitlines()
    data = {"tables": inputs["tables"], "databases": inputs["databases"]}
    judged = perturbql.evaluate(gold=examples / "gold.sql", predictions=examples / "pred.sql", **data)
    scores = perturbql.reward(
        predictions, [sql for sql, _ in pairs], [db_id for _, db_id in pairs], reward="execution", **data
    )
    assert scores == [float(verdict.outcomes["execution"] == "correct") for verdict in judged.verdicts]
    assert len(set(scores)) == 2


INTERRUPTED = """
import sys, perturbql
endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
def ask(sql):
    return perturbql.reward([sql], ["SELECT 1"], ["community_garden"], databases=sys.argv[1], jobs=1)
ask("SELECT 1")
print("asked", flush=True)
ask(endless)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_interrupt_leaves_no_process(databases: Path) -> None:
    arguments = [sys.executable, "-c", INTERRUPTED, str(databases)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as python:
        assert python.stdout is not None
        assert python.stdout.readline() == "asked\n"
        children = subprocess.run(["pgrep", "-P", str(python.pid)], capture_output=True, text=True).stdout.split()
        python.send_signal(signal.SIGINT)
        assert python.wait(60) != 0
    assert children
    for child in children:
        assert not Path(f"/proc/{child}").exists()


def test_the_reward_function_that_verl_loads(inputs: dict[str, Any], tmp_path: Path) -> None:
    out = tmp_path / "RUN"
    perturbql.command.run(["augment"], {**inputs, "out": out, "recipe": "random", "export": "verl"})
    page = (inputs["tables"].parents[1] / "docs/training-loops.md").read_text("utf-8")
    code = (out / "verl/reward.py").read_text("utf-8")
    assert code[code.index("from pathlib") :] in page
    names: dict[str, Any] = {"__file__": str(out / "verl/reward.py")}
    exec(code, names)
    answers = [f"Here:\n```sql\n{GOLD}\n```", "SELECT 0"]
    asked = [("perturbql/original", answer, GOLD, {"db_id": GARDEN}) for answer in answers]
    assert [names["compute_score"](*one, reward="execution + 0.5*exact") for one in asked] == [1.5, 0]


def test_the_reward_function_of_the_docs(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = examples.parent / "docs/python.md"
    code = next(block for block in page.read_text("utf-8").split("```python\n") if "def reward_func" in block)
    monkeypatch.chdir(examples.parent)
    names: dict[str, Any] = {}
    exec(code.split("\n```\n")[0], names)
    completions = [[{"role": "assistant", "content": f"Thus:\n```sql\n{GOLD}\n```"}], "SELECT 0"]
    assert names["reward_func"](completions, gold=[GOLD, GOLD], db_id=[GARDEN, GARDEN], prompts=["", ""]) == [1.1, 0]


@pytest.fixture(scope="module")
def service(examples: Path) -> Iterator[tuple[str, str]]:
    """The address of a service, and the token that it asks for."""
    token = "a-token-of-sixteen"
    data = {"tables": examples / "tables.json", "examples": examples / "dev.json", "databases": examples / "database"}
    options = [word for name, path in data.items() for word in (f"--{name}", str(path))]
    words = ["serve", "rewards", *options, "--reward", "execution + 0.5*exact", "--port", "0", "--token-env", "TOKEN"]
    command = [find_node(), str(program()), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TOKEN": token}) as started:
        assert started.stdout is not None
        yield started.stdout.readline().split()[-1].removesuffix("/rewards"), token
        started.terminate()
        assert started.wait(60) == 0


def test_a_service_says_what_a_process_says(service: tuple[str, str], rewarder: perturbql.Rewarder) -> None:
    url, token = service
    predictions = [GOLD, "SELECT 0", "SELEC", "", GOLD]
    with perturbql.Rewarder(url, token=token) as asked:
        assert asked(predictions, [GOLD] * 5, [GARDEN] * 5) == rewarder(predictions, [GOLD] * 5, [GARDEN] * 5)
        assert asked([GOLD], ids=["dev:1"])[0].outcome in ("correct", "wrong")
        with pytest.raises(perturbql.PerturbqlError, match=r"prediction 1.*nowhere"):
            asked([GOLD, GOLD], [GOLD, GOLD], [GARDEN, "nowhere"])
        with pytest.raises(perturbql.PerturbqlError, match="no variants are given"):
            asked.variants(["dev:1"])


def test_a_service_is_asked_from_many_threads(service: tuple[str, str]) -> None:
    url, token = service
    with perturbql.Rewarder(url, token=token) as asked, ThreadPoolExecutor(16) as pool:
        judged = list(pool.map(lambda _: asked([GOLD, "SELECT 0"], [GOLD] * 2, [GARDEN] * 2), range(200)))
    assert {tuple(one.score for one in pair) for pair in judged} == {(1.5, 0)}


def test_a_service_that_can_not_be_asked_is_named(service: tuple[str, str]) -> None:
    url, _ = service
    with pytest.raises(perturbql.PerturbqlError, match="token"):
        perturbql.Rewarder(url)([GOLD], [GOLD], [GARDEN])
    with pytest.raises(perturbql.PerturbqlError, match="does not answer"):
        perturbql.Rewarder("http://127.0.0.1:9")([GOLD], [GOLD], [GARDEN])
    with pytest.raises(perturbql.PerturbqlError, match="no http address"):
        perturbql.Rewarder("somewhere")
    with pytest.raises(TypeError, match="databases"):
        perturbql.Rewarder(url, databases="examples")
