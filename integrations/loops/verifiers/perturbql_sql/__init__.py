"""An environment of Verifiers: questions on perturbed schemas, judged by perturbql."""

from perturbql_sql.taskset import PerturbqlTaskset

__all__ = ["PerturbqlTaskset"]
