"""Adversarial table perturbation for Text-to-SQL: training sets, attacks and evaluation.

>>> import perturbql
>>> perturbql.evaluate(gold="gold.sql", predictions="pred.sql", tables="tables.json", databases="database")
"""

from perturbql.command import OnProgress, Option, Progress
from perturbql.errors import ChecksFailedError, PerturbqlError, PerturbqlFault
from perturbql.jobs import attack, augment, candidates, compose, consistency, evaluate, mutate
from perturbql.results import Candidate, Composition, Evaluation, Measurement, Mutant, Run, Verdict
from perturbql.rewards import Reward, Rewarder, Variant, reward
from perturbql.victim import Predict, Question

__all__ = [
    "Candidate",
    "ChecksFailedError",
    "Composition",
    "Evaluation",
    "Measurement",
    "Mutant",
    "OnProgress",
    "Option",
    "PerturbqlError",
    "PerturbqlFault",
    "Predict",
    "Progress",
    "Question",
    "Reward",
    "Rewarder",
    "Run",
    "Variant",
    "Verdict",
    "attack",
    "augment",
    "candidates",
    "compose",
    "consistency",
    "evaluate",
    "mutate",
    "reward",
]
