import { z } from 'zod';
import { defineCommand } from './command.js';
import { text } from '../options/option-field.js';
import { CANDIDATES_FROM, DATASET_OPTIONS, givenDataset, JSON_OPTION } from './shared-options.js';

/** `perturbql stats`. */
export const command = defineCommand({
  options: z.object({ candidates: text('from', CANDIDATES_FROM), ...DATASET_OPTIONS, ...JSON_OPTION }),
  example: 'perturbql stats --candidates project.db',
  async run({ candidates, ...dataset }, { flags }) {
    const [{ candidateStatistics }, { renderStatisticsLines }, { PROJECT_CANDIDATES }, { readRunInputs }] =
      await Promise.all([
        import('../variants/candidates/candidate-statistics.js'),
        import('./statistics-lines.js'),
        import('../annotate/final-candidates.js'),
        import('../variants/candidates/run-inputs.js'),
      ]);
    const json = await candidateStatistics({
      candidates,
      paths: givenDataset(dataset, { hasOwn: readRunInputs(candidates) !== null, flags }),
      candidateForms: [PROJECT_CANDIDATES],
    });
    return { json, lines: renderStatisticsLines(json) };
  },
});
