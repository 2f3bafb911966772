import { ConfigError } from '../../errors.js';
import type { DatasetPaths } from '../../formats/dataset.js';
import { DATA_LEVELS, type DataLevel } from '../../rows/constraints/row-constraint.js';
import type { ShardOption } from '../../run/shard.js';
import type { DistillBudget } from '../distill/distillation.js';

/**
 * The work that goes into a schema where nothing else is asked. The paper tries 1,000 random databases, none of them
 * targeted.
 */
export const SUITE_BUDGET: DistillBudget = { randomDatabases: 300, targetedDatabases: 8, redundancy: 5, allRound: 10 };

export interface SuiteBuildOptions extends DatasetPaths, ShardOption {
  /** Folder of the suite. */
  readonly out: string;
  readonly seed: number;
  readonly budget: DistillBudget;
  /** The constraints that generated databases satisfy: observed in the original's rows, declared, or any. */
  readonly data: DataLevel;
  /**
   * Schemas that are distilled side by side; undefined = the number of cores. The suite's bytes do not depend on it.
   */
  readonly jobs: number | undefined;
}

/** The required options; the others have the command line's defaults. */
export type SuiteBuildInput = Pick<SuiteBuildOptions, 'out'> &
  Partial<Omit<SuiteBuildOptions, 'budget'>> & { readonly budget?: Partial<DistillBudget> };

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** @throws ConfigError when an option is missing or wrong */
export function withSuiteDefaults({ budget, ...input }: SuiteBuildInput): SuiteBuildOptions {
  const paths = { dataset: 'spider', tables: null, examples: null, databases: null, connection: null } as const;
  const options = {
    ...paths,
    seed: 0,
    jobs: undefined,
    data: 'observed' as const,
    ...input,
    budget: { ...SUITE_BUDGET, ...budget },
  };
  if (typeof options.out !== 'string' || options.out === '') {
    throw new ConfigError('option out is missing', { fix: 'Give out: a path.' });
  }
  if (!DATA_LEVELS.includes(options.data)) {
    throw new ConfigError(`data ${String(options.data)} is unknown`, { fix: `Give one of ${DATA_LEVELS.join(', ')}.` });
  }
  const wrong = Object.entries(options.budget).find(([, value]) => !isCount(value));
  if (wrong !== undefined) {
    throw new ConfigError(`${wrong[0]} ${wrong[1]} is no number of databases`, { fix: 'Give a whole number.' });
  }
  return options;
}
