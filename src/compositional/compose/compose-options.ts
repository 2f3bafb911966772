import { refuse } from '../../options/given-options.js';
import { type DatasetPaths, PATH_DEFAULTS } from '../../formats/dataset.js';
import type { ShardOption } from '../../run/shard.js';

/** Elements one after another: 1, or 2 where they are appended to substitutions, too. */
export const MOST_DEPTH = 2;

/** The options of a run of `compose`, apart from the parts that the surface hands in. */
export interface ComposeOptions extends DatasetPaths, ShardOption {
  /** Sub-sentences and clauses by people, an annotation project or Spider-SS's file; null = aligned automatically. */
  readonly annotations: string | null;
  readonly depth: number;
  /** Keeps gold queries whose result is empty where their parents' are not. */
  readonly allowEmpty: boolean;
  /** Composes also of questions whose gold query is distrusted. */
  readonly distrusted: boolean;
  /** True if gold queries are executed, and those left out that break a rule there. */
  readonly verify: boolean;
  /** Most compositions; null = all. */
  readonly budget: number | null;
  /** Parts of each hardness; null = as they come. */
  readonly hardness: Readonly<Record<string, number>> | null;
  /** Share of the compositions that are for test, split by template, 0 to 1; 0 = no split. */
  readonly testShare: number;
  readonly seed: number;
  /** Processes that execute queries; undefined = the number of cores. */
  readonly jobs?: number | undefined;
  /** Folder of the run. */
  readonly out: string;
}

/** The required options; the others have the command line's defaults. */
export type ComposeInput = Pick<ComposeOptions, 'out'> & Partial<ComposeOptions>;

export const COMPOSE_DEFAULTS = {
  ...PATH_DEFAULTS,
  annotations: null,
  depth: 1,
  allowEmpty: false,
  distrusted: false,
  verify: true,
  budget: null,
  hardness: null,
  testShare: 0,
  seed: 0,
} as const satisfies Omit<ComposeOptions, 'out'>;

/** @throws ConfigError when an option is missing or out of its range */
export function withComposeDefaults(input: ComposeInput): ComposeOptions {
  const options: ComposeOptions = { ...COMPOSE_DEFAULTS, ...input };
  const { out, depth, budget, testShare, hardness } = options;
  if (typeof out !== 'string' || out === '') refuse('option out is missing', 'Give out: a path.');
  if (!Number.isInteger(depth) || depth < 1 || depth > MOST_DEPTH) {
    refuse(`depth is a whole number from 1 to ${MOST_DEPTH}`, 'Give how many elements are composed one after another.');
  }
  if (budget !== null && !(Number.isSafeInteger(budget) && budget > 0)) {
    refuse('a budget is a whole number above 0', 'Give how many compositions are kept.');
  }
  if (!(testShare >= 0 && testShare < 1)) refuse('the share for test is from 0 to below 1', 'Give 0.2, say.');
  const parts = Object.values(hardness ?? { easy: 1 });
  if (parts.some((part) => !(part >= 0)) || !parts.some((part) => part > 0)) {
    refuse(
      'parts of hardness are numbers from 0 on, not all 0',
      'Give easy=2.4,medium=44.3,hard=22.9,extra=30.4, say.',
    );
  }
  return options;
}
