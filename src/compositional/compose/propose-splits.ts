import { type AnnotatedSplit } from '../../formats/annotated-split.js';
import {
  databaseOf,
  type DatasetExample,
  type DatasetPaths,
  leftOutOf,
  type SkippedExample,
} from '../../formats/dataset.js';
import { inPhase, type RunHost } from '../../run/run-host.js';
import type { Database } from '../../schema/schema.js';
import { annotatedSplitOf } from '../align/annotated-split.js';
import { joinKeysOf } from '../clauses/join-keys.js';
import type { AlignedSource } from './aligned-source.js';
import { openComposeInputs } from './compose-job.js';
import { InternalError } from '../../errors.js';

/**
 * Splits the questions of a data set and aligns them with their gold queries: proposals to people in the data set's order,
 * each with its schema, and the questions that are left out.
 * @throws InputFormatError or ConfigError when an input is missing or wrong, or its SQL is another dialect's
 */
export async function proposeSplits(paths: DatasetPaths, source: AlignedSource, host: RunHost) {
  const { dataset, examples, turns } = await inPhase(host, 'reading inputs', () => openComposeInputs(paths));
  const places = new Map([...dataset.examples()].map(({ id }, position) => [id, position]));
  const leftOut: SkippedExample[] = [...leftOutOf(dataset), ...turns];
  const splits: { readonly split: AnnotatedSplit; readonly database: Database }[] = [];
  for (const [dbId, own] of examples) {
    host.signal.throwIfAborted();
    host.progress('questions split', splits.length, places.size);
    const database = databaseOf(dataset, dbId);
    const keys = joinKeysOf(
      database,
      own.map(({ query }) => query),
    );
    const aligned = await source.align(own, database, keys, dataset);
    const goldQueries = new Map(own.map((example): [string, DatasetExample] => [example.id, example]));
    leftOut.push(...aligned.leftOut);
    for (const question of aligned.questions) {
      const [position, gold] = [places.get(question.id), goldQueries.get(question.id)?.query];
      if (position === undefined || gold === undefined)
        throw new InternalError(`the split question ${question.id} is no example`);
      splits.push({ split: annotatedSplitOf(question, database, { position, gold }), database });
    }
  }
  splits.sort((a, b) => a.split.position - b.split.position);
  return { splits, leftOut, dataset: dataset.format };
}
