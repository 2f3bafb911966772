"""The jobs of the command line as functions.

Options are those of the command of the same name (docs/cli.md) with underscores for dashes: `float_tolerance=0.1` is
`--float-tolerance 0.1`. Every function raises PerturbqlError, with cause and fix, for what the caller can repair.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from perturbql.command import Command, OnProgress, Option, option_words, read_json_lines, run
from perturbql.errors import PerturbqlError
from perturbql.results import Candidate, Composition, Evaluation, Measurement, Mutant, Run, Verdict
from perturbql.victim import CallableVictim, Predict

if TYPE_CHECKING:
    import datasets

PathLike: TypeAlias = "str | os.PathLike[str]"


def augment(*, out: PathLike, on_progress: OnProgress | None = None, **options: Option) -> datasets.DatasetDict:
    """Write a training set with one RPL and one ADD variant of each example, and load it.

    The splits are `original`, `rpl` and `add`; needs the package datasets.
    """
    try:
        import datasets
    except ImportError as error:
        raise PerturbqlError(
            "the package datasets is not installed", fix='Run `pip install "perturbql[datasets]"`.'
        ) from error
    run(["augment"], {"out": out, "export": ["jsonl"], **options}, on_progress=on_progress)
    files = sorted(Path(out, "jsonl/data").glob("*.jsonl"))
    return datasets.DatasetDict({file.stem: datasets.Dataset.from_list(read_json_lines(file)) for file in files})


def candidates(*, out: PathLike, on_progress: OnProgress | None = None, **options: Option) -> Run[Candidate]:
    """Decide RPL and ADD candidates for the columns of a data set."""
    run(["candidates"], {"out": out, **options}, on_progress=on_progress)
    records = read_json_lines(Path(out, "candidates.jsonl"))
    return Run(Path(out), [Candidate(**_parts(Candidate, record)) for record in records])


def mutate(*, out: PathLike, on_progress: OnProgress | None = None, **options: Option) -> Run[Mutant]:
    """Reword questions and change schemas in ways that must not change the answer."""
    run(["mutate"], {"out": out, **options}, on_progress=on_progress)
    records = read_json_lines(Path(out, "mutants.jsonl"))
    return Run(Path(out), [Mutant(**_parts(Mutant, record)) for record in records])


def compose(*, out: PathLike, on_progress: OnProgress | None = None, **options: Option) -> Run[Composition]:
    """Compose new questions with golds of the sub-sentences of others."""
    run(["compose"], {"out": out, **options}, on_progress=on_progress)
    records = read_json_lines(Path(out, "compositions.jsonl"))
    return Run(Path(out), [Composition(**_parts(Composition, record)) for record in records])


def evaluate(*, on_progress: OnProgress | None = None, **options: Option) -> Evaluation:
    """Score predictions against gold SQL."""
    with tempfile.TemporaryDirectory(prefix="perturbql-") as scratch:
        verdicts = Path(scratch, "verdicts.jsonl")
        report = json.loads(run(["evaluate", "--json"], {"verdicts": verdicts, **options}, on_progress=on_progress))
        return Evaluation(report, [_verdict_of(record) for record in read_json_lines(verdicts)])


def attack(
    *,
    out: PathLike,
    predict: Predict | None = None,
    batch_size: int | None = None,
    name: str | None = None,
    on_progress: OnProgress | None = None,
    **options: Option,
) -> Measurement:
    """Ask a model about perturbed tables and measure how far it falls.

    `predict` takes a Question and returns SQL or, with `batch_size`, takes a list of up to so many and returns as many
    queries; it may be a coroutine function. Without it, the options choose the victim. A run that is resumed with
    another model is refused: `name` names it, by default the function's own name.
    """
    return _measure("attack", out, predict, batch_size, name, on_progress, options)


def consistency(
    *,
    out: PathLike,
    predict: Predict | None = None,
    batch_size: int | None = None,
    name: str | None = None,
    on_progress: OnProgress | None = None,
    **options: Option,
) -> Measurement:
    """Ask a model about mutants and measure how often its prediction changes though it must not; see `attack`."""
    return _measure("consistency", out, predict, batch_size, name, on_progress, options)


def _parts(kind: type[Any], record: dict[str, object]) -> dict[str, Any]:
    names = [name for name in kind.__dataclass_fields__ if name != "record"]
    return {**{name: record[name] for name in names}, "record": record}


def _verdict_of(record: dict[str, Any]) -> Verdict:
    outcomes = {name: part["outcome"] for name, part in record.items() if isinstance(part, dict) and "outcome" in part}
    return Verdict(record["id"], record["db_id"], record["gold"], record["predicted"], outcomes)


def _measure(
    command: str,
    out: PathLike,
    predict: Predict | None,
    batch_size: int | None,
    name: str | None,
    on_progress: OnProgress | None,
    options: dict[str, Option],
) -> Measurement:
    words = [command, *option_words({"out": out, **options})]
    if predict is None:
        Command(words, on_progress=on_progress).result()
    else:
        with CallableVictim(predict, batch_size=batch_size, name=name) as victim:
            _ask(words, victim, on_progress)
    report = json.loads(Path(out, "report.json").read_text("utf-8"))
    return Measurement(Path(out), report)


def _ask(words: Sequence[str], victim: CallableVictim, on_progress: OnProgress | None) -> None:
    command = Command([*words, *victim.words], on_progress=on_progress, environment=victim.environment)
    # Its finished answers are on disk.
    victim.on_error = lambda: command.stop(grace=5)
    if victim.error is not None:
        command.stop(grace=5)
    try:
        command.result()
    except Exception as error:
        if victim.error is None:
            raise
        raise victim.error from error
