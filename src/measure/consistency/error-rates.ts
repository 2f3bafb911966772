import { ConfigError } from '../../errors.js';
import { loadConsistencyReport } from './load-consistency-report.js';
import type { ErrorRates } from '../../variants/mutate/sampling/sampling.js';

/**
 * The error rates by relation that adaptive sampling goes by (MT-TEQL §4): of a consistency run's folder or report, over
 * a fold that the model did not train on.
 * @throws InputFormatError when there is no such report
 * @throws ConfigError when it is of all examples: a model errs little where it has learned
 */
export function loadErrorRates(path: string): ErrorRates {
  const { relations, settings } = loadConsistencyReport(path);
  if (settings.fold === null) {
    throw new ConfigError('these rates are of all examples, not of a fold that the model did not train on', {
      where: { file: path },
      fix: 'Run `perturbql consistency` with --fold 1/10 on mutants of the training examples, and name that run.',
    });
  }
  return new Map(Object.entries(relations).map(([relation, { rate }]) => [relation, rate ?? 0]));
}
