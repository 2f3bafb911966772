import { join } from 'node:path';

/** Spider-CG's counts and shares by hardness (§3.1, Table 3). */
interface PaperCounts {
  readonly total: number;
  readonly easy: number;
  readonly medium: number;
  readonly hard: number;
  readonly extra: number;
}

/** A data set that questions are composed of. */
export interface CompositionSet {
  readonly title: string;
  readonly dataset: 'spider' | 'bird' | 'sparc';
  readonly tables: string;
  readonly examples: string;
  /** Null where its databases are not at hand: then golds are not executed. */
  readonly databases: string | null;
  /** Spider-SS's file for the same examples. */
  readonly annotations: string | null;
  readonly paper: { readonly SUB: PaperCounts; readonly APP: PaperCounts } | null;
}

/** The sets by their name, below a folder of data. */
export function compositionSets(data: string): Readonly<Record<string, CompositionSet>> {
  const spider = {
    dataset: 'spider',
    tables: join(data, 'spider/tables.json'),
    databases: join(data, 'spider/database'),
    annotations: null,
  } as const;
  return {
    dev: {
      ...spider,
      title: 'Spider dev',
      examples: join(data, 'spider/dev.json'),
      annotations: join(data, 'spider-ss/dev.json'),
      paper: {
        SUB: { total: 2883, easy: 37.6, medium: 38.4, hard: 12.0, extra: 12.0 },
        APP: { total: 3237, easy: 2.4, medium: 44.3, hard: 22.9, extra: 30.4 },
      },
    },
    train: {
      ...spider,
      title: 'Spider train',
      examples: join(data, 'spider/train.json'),
      paper: {
        SUB: { total: 20_686, easy: 28.6, medium: 38.0, hard: 21.1, extra: 12.3 },
        APP: { total: 18_793, easy: 3.3, medium: 31.4, hard: 26.0, extra: 39.3 },
      },
    },
    bird: {
      ...spider,
      title: 'BIRD dev',
      dataset: 'bird',
      tables: join(data, 'bird/dev_tables.json'),
      examples: join(data, 'bird/dev.json'),
      databases: null,
      paper: null,
    },
    sparc: {
      ...spider,
      title: 'SParC dev, first questions',
      dataset: 'sparc',
      tables: join(data, 'sparc/tables.json'),
      examples: join(data, 'sparc/dev.json'),
      paper: null,
    },
  };
}
