import { refuse } from '../../options/given-options.js';
import { SCORING_DEFAULTS, type ScoringOptions } from '../../victims/scoring.js';
import { traitsOf, type VictimChoice } from '../../victims/victims.js';
import type { ValueRule } from '../../evaluate/exact/form-rules.js';
import { type DatasetPaths, PATH_DEFAULTS } from '../../formats/dataset.js';
import { RESULT_MODES } from '../../sql/execution/result-mode.js';
import type { ShardOption } from '../../run/shard.js';
import type { Fold } from '../../variants/mutate/sampling/fold.js';

export interface ConsistencyOptions extends DatasetPaths, ScoringOptions, ShardOption {
  /** Folder that `perturbql mutate` wrote; null where only compositions are asked. */
  readonly mutants: string | null;
  /** Folder that `perturbql compose` wrote: its questions are asked with those that they were made of. Null: none. */
  readonly compositions: string | null;
  /** The model under test; of `file`, predictions for the ids of seeds and mutants. */
  readonly victim: VictimChoice;
  /** True if literals count where predictions are compared by exact match. */
  readonly values: ValueRule;
  /** Only seeds of this part of the examples are asked; the baseline learns from the others. Null: all. */
  readonly fold: Fold | null;
  /** Most further questions that shrinking composed failures may ask. */
  readonly shrinkQuestions: number;
  /** Seed of the bootstrap. */
  readonly seed: number;
  /** Folder of the run. */
  readonly out: string;
}

/** The required options; the others have the command line's defaults. */
export type ConsistencyInput = Pick<ConsistencyOptions, 'mutants' | 'victim' | 'out'> & Partial<ConsistencyOptions>;

/** Of a consistency run. */
export const CONSISTENCY_DEFAULTS = {
  ...PATH_DEFAULTS,
  ...SCORING_DEFAULTS,
  compositions: null,
  values: 'ignored',
  fold: null,
  shrinkQuestions: 200,
  seed: 0,
} as const satisfies Partial<ConsistencyOptions>;

/** @throws ConfigError when an option is missing or wrong, or two don't go together */
export function withConsistencyDefaults(input: ConsistencyInput): ConsistencyOptions {
  const options: ConsistencyOptions = { ...CONSISTENCY_DEFAULTS, ...input };
  const { mutants, compositions, out, mode, victim, fold, shrinkQuestions } = options;
  if (mutants === '' || (mutants === null && (compositions ?? '') === '')) {
    const fix = 'Name a folder that `perturbql mutate` wrote, or with compositions one that `perturbql compose` wrote.';
    refuse('option mutants is missing', fix);
  }
  if (out === '') refuse('option out is missing', 'Give out: a path.');
  if (!RESULT_MODES.includes(mode)) refuse(`there is no mode "${mode}"`, `Known: ${RESULT_MODES.join(', ')}.`);
  if (!Number.isSafeInteger(shrinkQuestions) || shrinkQuestions < 0) {
    refuse('the questions of shrinking are no whole number from 0', 'Give the most questions that it may ask.');
  }
  if (traitsOf(victim).answers === 'columns') {
    refuse('consistency compares queries, and this victim answers with columns', 'Use `perturbql attack` for it.');
  }
  if (fold !== null && victim.kind === 'baseline' && victim.train !== null) {
    const fix = 'Leave out --train: the examples outside the fold are what it learns from.';
    refuse('a fold of the examples and other training examples don’t go together', fix);
  }
  return options;
}
