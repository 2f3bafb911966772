"""What the jobs return."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import pandas

#: A report as the command writes it; docs/ describes its fields.
Report = Mapping[str, Any]

RecordT = TypeVar("RecordT")


def _frame(rows: Iterable[Mapping[str, Any]]) -> pandas.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(rows))


@dataclass(frozen=True)
class Candidate:
    """A decision about one name for one column (docs/candidates-format.md); `record` has all fields."""

    db_id: str
    table: str
    column: str
    bucket: str
    reason: str
    candidate: str
    record: Mapping[str, Any]


@dataclass(frozen=True)
class Mutant:
    """An example whose answer must not change (docs/mutate.md); `record` has all fields."""

    id: str
    seed: str
    relations: Sequence[str]
    db_id: str
    question: str
    query: str | None
    record: Mapping[str, Any]


@dataclass(frozen=True)
class Composition:
    """A question made of parts of others (docs/compositional.md); `record` has all fields."""

    id: str
    kind: str
    db_id: str
    parents: Sequence[str]
    question: str
    query: str
    record: Mapping[str, Any]


@dataclass(frozen=True)
class Run(Generic[RecordT]):
    """A run folder and its records."""

    folder: Path
    records: Sequence[RecordT]

    def __iter__(self) -> Iterator[RecordT]:
        """Give the records in order."""
        return iter(self.records)

    def __len__(self) -> int:
        """Count the records."""
        return len(self.records)

    def to_pandas(self) -> pandas.DataFrame:
        """One row per record, with every field of its line; needs pandas."""
        return _frame(asdict(record)["record"] for record in self.records)  # type: ignore[call-overload]


@dataclass(frozen=True)
class Verdict:
    """What each metric says of one pair."""

    id: str
    db_id: str
    gold: str
    predicted: str
    #: Outcome by metric, such as {"exact": "correct", "execution": "wrong"}.
    outcomes: Mapping[str, str]


@dataclass(frozen=True)
class Evaluation:
    """Scores of predictions."""

    report: Report
    verdicts: Sequence[Verdict]

    def accuracy(self, metric: str) -> float:
        """Share of the pairs that are correct by a metric, 0 to 1."""
        return float(self.report[metric]["accuracy"])

    def to_pandas(self) -> pandas.DataFrame:
        """One row per pair, with a column for each metric's outcome; needs pandas."""
        rows = ({**asdict(verdict), **verdict.outcomes} for verdict in self.verdicts)
        return _frame({name: value for name, value in row.items() if name != "outcomes"} for row in rows)


@dataclass(frozen=True)
class Measurement:
    """How a model fared: the folder of the run and its report."""

    folder: Path
    report: Report
