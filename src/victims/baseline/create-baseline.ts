import { countNoun } from '../../report/figures.js';
import { basename } from 'node:path';
import { ConfigError } from '../../errors.js';
import type { Dataset, DatasetExample } from '../../formats/dataset.js';
import { loadDataset } from '../../formats/load-dataset.js';
import { requireExamples } from '../../variants/candidates/candidates-run.js';
import { mustGet } from '../../present.js';
import type { MadeVictim, VictimWorld } from '../victim-kind.js';
import { BaselineVictim } from './baseline-victim.js';
import type { BaselineExample } from './known-example.js';
import { describeTooFew } from './too-few-examples.js';

function* baselineExamples(
  dataset: Dataset,
  isLearned: (example: DatasetExample) => boolean,
): Generator<BaselineExample> {
  const samples = new Map<string, BaselineExample['samples']>();
  for (const example of dataset.examples()) {
    if (!isLearned(example) || example.query === '') continue;
    const { id, dbId, question, query } = example;
    const database = mustGet(dataset.databases.get(dbId), 'dataset.databases.get(dbId)');
    const known = samples.get(dbId) ?? dataset.sampleValues(database);
    samples.set(dbId, known);
    yield { id, question, query, database, samples: known };
  }
}

/**
 * The built-in parser, which will be fitted on the examples of a file, or on those asked about without the one that is
 * asked.
 * @throws ConfigError where none has a gold query
 */
export async function createBaseline(
  train: string | null,
  { paths, asked, examplesOf, isLearned }: VictimWorld,
): Promise<MadeVictim> {
  const dataset = train === null ? asked : await loadDataset({ ...paths, examples: train });
  requireExamples(dataset, { examples: train });
  const examples = [...baselineExamples(dataset, train === null ? isLearned : () => true)];
  if (examples.length === 0 && [...dataset.examples()].some(({ query }) => query === '')) {
    throw new ConfigError('the built-in parser has no example with a gold query to learn from', {
      fix: 'Name a file of questions with their queries with --train, or another victim.',
    });
  }
  const leftOut = train === null ? examplesOf : (): readonly string[] => [];
  const from = train === null ? 'those attacked, leave-one-out' : basename(train);
  // Of those attacked it learns from the others.
  const warning = describeTooFew(train === null ? Math.max(0, examples.length - 1) : examples.length);
  return {
    ...(warning === null ? {} : { warning }),
    victim: new BaselineVictim({ examples, dialect: dataset.dialect, leftOut }),
    description: `built-in nearest-example parser with ${countNoun(examples.length, 'example')}: ${from}`,
  };
}
