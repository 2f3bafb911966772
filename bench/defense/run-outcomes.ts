import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { itemAt, mustGet } from '../../src/present.js';

/** Columns rightly taken, wrongly taken and missed. */
export type Counts = readonly [right: number, wrong: number, missed: number];

const outcomesSchema = z.object({
  /** From where a run has been begun until it has scored its first set. */
  cpu_seconds: z.number().default(0),
  outcomes: z.record(z.string(), z.array(z.tuple([z.int(), z.int(), z.int()]))),
});

/** What training/linker/train_linker.py found in one run. */
export type RunOutcomes = z.infer<typeof outcomesSchema>;

/** Whether a file is older than what it is made of; false where one of them is absent. */
export function isOlder(file: string, source: string): boolean {
  const [made, from] = [file, source].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs);
  return made !== undefined && from !== undefined && made < from;
}

/** What a run has scored so far; null where that is nothing, or what it learned from has been made again since. */
export function readOutcomes(folder: string, training: string): RunOutcomes | null {
  const file = join(folder, 'outcomes.json');
  return existsSync(file) && !isOlder(file, training)
    ? outcomesSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    : null;
}

/** Name that a run gives to a test file. */
export const setName = (file: string): string => basename(file, '.json');

/** Counts of each question of a test set, over all worlds and runs. */
export function countsByQuestion(runs: readonly RunOutcomes[], files: readonly string[]): readonly Counts[] {
  const lists = runs.flatMap(({ outcomes }) =>
    files.map((file) => mustGet(outcomes[setName(file)], `outcomes of ${file}`)),
  );
  return itemAt(lists, 0).map((_, question) => sumOf(lists.map((list) => itemAt(list, question))));
}

export function sumOf(all: readonly Counts[]): Counts {
  const sum: [number, number, number] = [0, 0, 0];
  for (const counts of all) counts.forEach((count, i) => (sum[i]! += count));
  return sum;
}

/** Precision, recall and F1, in percent. */
export interface Measures {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export function measuresOf([right, wrong, missed]: Counts): Measures {
  return {
    precision: (100 * right) / (right + wrong),
    recall: (100 * right) / (right + missed),
    f1: (200 * right) / (2 * right + wrong + missed),
  };
}
