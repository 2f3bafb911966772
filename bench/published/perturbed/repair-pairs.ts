import { join } from 'node:path';
import type { PerturbedPair } from '../../../src/formats/dataset.js';
import { renderJsonArray } from '../../../src/formats/json-file.js';
import { itemAt } from '../../../src/present.js';
import { writeDurably } from '../../../src/run/durable-file.js';
import { groupBy } from '../../../src/run/group-by.js';
import type { PairVerdict } from './pair-verdict.js';

function repairedRecord({ record, goldField }: PerturbedPair, verdict: PairVerdict): Readonly<Record<string, unknown>> {
  const { original, published, repaired, repair, fault, restored, refusal } = verdict;
  return {
    ...record,
    ...(repaired === null ? {} : { [goldField]: repaired }),
    original_gold: original,
    published_gold: published,
    repair,
    ...(fault === null ? {} : { fault: `${fault.rule}: ${fault.message}` }),
    ...(restored.length === 0 ? {} : { restored_columns: restored }),
    ...(refusal === null ? {} : { not_derived: refusal }),
  };
}

/**
 * Writes a published set with repaired gold queries: its files with their records, in which the gold query is the repaired one, and next to
 * it the original's and the published one.
 * @returns how many gold queries were derived again
 */
export function repairPairs(pairs: readonly PerturbedPair[], verdicts: readonly PairVerdict[], folder: string): number {
  const records = pairs.map((pair, i) => ({ file: pair.file, record: repairedRecord(pair, itemAt(verdicts, i)) }));
  for (const [file, own] of groupBy(records, (one) => one.file)) {
    writeDurably(join(folder, file), renderJsonArray(own.map(({ record }) => record)));
  }
  return verdicts.filter(({ repair }) => repair === 'derived').length;
}
