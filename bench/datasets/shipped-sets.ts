import { join } from 'node:path';

/** A data set as its authors ship it; paths are relative to the folder that holds all of them. */
export interface ShippedSet {
  readonly title: string;
  /** Format, where it is not Spider's. */
  readonly dataset?: string;
  readonly tables: string;
  readonly examples: string;
  /** Databases with rows, where some are shipped. */
  readonly databases?: string;
  /** Whether schemas without rows get synthetic ones. */
  readonly isSynthetic?: boolean;
  /** File of gold SQL, evaluated against itself; where none is shipped, the seeds that `mutate` writes are the predictions. */
  readonly gold?: string;
}

export const SHIPPED_SETS = {
  bird: {
    title: 'BIRD dev',
    dataset: 'bird',
    tables: 'bird/dev_tables.json',
    examples: 'bird/dev.json',
    isSynthetic: true,
    gold: 'bird/dev_gold.sql',
  },
  sparc: {
    title: 'SParC dev',
    dataset: 'sparc',
    tables: 'sparc/tables.json',
    examples: 'sparc/dev.json',
    isSynthetic: true,
    gold: 'sparc/dev_gold.txt',
  },
  cosql: {
    title: 'CoSQL dev',
    dataset: 'cosql',
    tables: 'cosql/tables.json',
    examples: 'cosql/dev.json',
    isSynthetic: true,
    gold: 'cosql/dev_gold.txt',
  },
  spider: {
    title: 'Spider dev',
    tables: 'spider/tables.json',
    examples: 'spider/dev.json',
    databases: 'spider/database',
    gold: 'spider/dev_gold.sql',
  },
  'spider-dk': {
    title: 'Spider-DK',
    tables: 'spider-dk/tables.json',
    examples: 'spider-dk/Spider-DK.json',
    databases: 'spider-dk/database',
    isSynthetic: true,
  },
  'spider-realistic': {
    title: 'Spider-Realistic',
    tables: 'spider/tables.json',
    examples: 'spider-realistic/spider-realistic.json',
    databases: 'spider/database',
  },
  'spider-syn': {
    title: 'Spider-Syn dev',
    tables: 'spider/tables.json',
    examples: 'spider-syn/dev.json',
    databases: 'spider/database',
  },
  wikisql: {
    title: 'WikiSQL test, FollowUp’s tables',
    dataset: 'wikisql',
    tables: 'wikisql/followup/data/tables.jsonl',
    examples: 'wikisql/test.jsonl',
    isSynthetic: true,
  },
} as const satisfies Readonly<Record<string, ShippedSet>>;

export type ShippedSetName = keyof typeof SHIPPED_SETS;
export const SHIPPED_SET_NAMES = Object.keys(SHIPPED_SETS) as readonly ShippedSetName[];

/** What is run on a set, in this order. */
export const STEPS = ['candidates', 'augment', 'verify', 'mutate', 'evaluate'] as const;
export type Step = (typeof STEPS)[number];

function dataOptions({ dataset, tables, examples, databases }: ShippedSet, data: string): string[] {
  const at = (path: string): string => join(data, path);
  return [
    ...(dataset === undefined ? [] : ['--dataset', dataset]),
    ...['--tables', at(tables), '--examples', at(examples)],
    ...(databases === undefined ? [] : ['--databases', at(databases)]),
  ];
}

/**
 * The arguments of each step on a set; `data` is the folder of the sets, and runs go below `runs`. Candidates are made
 * once. Gold that is not correct against itself is counted, and does not end the evaluation.
 */
export function stepArguments(set: ShippedSet, data: string, runs: string): Readonly<Record<Step, readonly string[]>> {
  const [candidates, augment, mutate] = ['candidates', 'augment', 'mutate'].map((name) => join(runs, name)) as [
    string,
    string,
    string,
  ];
  const options = dataOptions(set, data);
  const synthetic = set.isSynthetic === true ? ['--synthetic-databases'] : [];
  const golds = set.gold === undefined ? [] : ['--gold', join(data, set.gold)];
  const predictions = set.gold === undefined ? join(mutate, 'seeds.jsonl') : join(data, set.gold);
  return {
    candidates: ['candidates', ...options, '--out', candidates],
    augment: [
      'augment',
      '--paper',
      ...options,
      ...synthetic,
      '--candidates',
      candidates,
      '--no-verify',
      '--out',
      augment,
    ],
    verify: ['verify', augment, ...synthetic],
    mutate: [
      'mutate',
      ...options,
      '--candidates',
      candidates,
      '--relations',
      'mt-teql',
      '--limit',
      '2',
      '--out',
      mutate,
    ],
    evaluate: ['evaluate', ...options, ...synthetic, ...golds, '--predictions', predictions, '--allow-bad-gold'],
  };
}
